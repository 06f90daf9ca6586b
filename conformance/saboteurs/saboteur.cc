// A small honest backend for convolution and linear, written without the
// reference, and the places where one fault is planted in it. Built once for each
// line of faults.inc with QCONFORM_FAULT set to its name.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace {

enum class Fault {
#define FAULT(name, verdict, cause, text) name,
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

constexpr Fault kFault = Fault::QCONFORM_FAULT;
constexpr const char* kBiasF32 = "f32/one/even/bias_f32/zp_after";
constexpr const char* kBiasS32 = "f32/one/even/bias_s32/zp_after";

struct Plan {
  qc_attributes attributes;
  int32_t kind;
  qc_tensor x, w, y;
  bool per_channel, has_bias, bias_is_f32, bias_s32_scheme;
  std::vector<int8_t> weights;
  std::vector<float> scale, weight_scale, bias_f32;
  std::vector<int32_t> weight_zero, bias_s32;
  const int8_t* kept;  // what a backend must not keep
  int calls;
};

int64_t Count(const qc_tensor& t) {
  int64_t count = 1;
  for (int i = 0; i < t.rank; ++i) count *= t.shape[i];
  return count;
}

int32_t ZeroPoint(const qc_tensor& t, int64_t i) {
  return t.zero_point == nullptr ? 0 : t.zero_point[t.quantized_axis < 0 ? 0 : i];
}

bool IsCode(int32_t dtype) { return dtype == QC_U8 || dtype == QC_S8; }

const char* WhyNot(const qc_descriptor& d) {
  if (kFault == Fault::refuse_declared) return "not today";
  if (d.kind != QC_CONV && d.kind != QC_LINEAR) return "only convolution and linear";
  if (d.attributes->activation > QC_ACTIVATION_RELU) return "only ReLU is fused";
  if (d.attributes->residual != 0 || d.attributes->dynamic != 0) return "no such form";
  if (d.attributes->padding_mode != QC_PADDING_ZEROS) return "only zero padding";
  if (!IsCode(d.inputs[0]->dtype) || d.inputs[1]->dtype != QC_S8) return "dtype";
  if (!IsCode(d.outputs[0]->dtype)) return "output dtype";
  if (d.scheme != nullptr && std::strcmp(d.scheme, kBiasF32) != 0 &&
      std::strcmp(d.scheme, kBiasS32) != 0)
    return "scheme";
  return nullptr;
}

bool UsesBiasS32(const qc_descriptor& d) {
  if (kFault == Fault::other_scheme || kFault == Fault::lie_about_scheme) return true;
  return d.scheme != nullptr && std::strcmp(d.scheme, kBiasS32) == 0;
}

qc_status Query(void*, const qc_descriptor* d, qc_answer* answer) {
  if (kFault == Fault::abort_in_query) std::abort();
  if (const char* reason = WhyNot(*d)) {
    std::snprintf(answer->reason, sizeof answer->reason, "%s", reason);
    return QC_OK;
  }
  answer->supported = 1;
  answer->memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
  const bool asked_s32 = d->scheme != nullptr && std::strcmp(d->scheme, kBiasS32) == 0;
  const bool says_s32 = kFault == Fault::lie_about_scheme ? asked_s32 : UsesBiasS32(*d);
  std::snprintf(answer->scheme, sizeof answer->scheme, "%s",
                says_s32 ? kBiasS32 : kBiasF32);
  return QC_OK;
}

qc_status MakePlan(void*, const qc_descriptor* d, const qc_tensor* const* constants,
                   int32_t, qc_plan** out, qc_plan_info* info) {
  if (WhyNot(*d) != nullptr) return QC_UNSUPPORTED;
  auto* plan = new Plan{};
  plan->attributes = *d->attributes;
  plan->kind = d->kind;
  plan->x = *d->inputs[0];
  plan->w = *d->inputs[1];
  plan->y = *d->outputs[0];
  plan->bias_s32_scheme = UsesBiasS32(*d);
  const qc_tensor& w = *constants[1];
  plan->kept = static_cast<const int8_t*>(w.data);
  plan->weights.assign(plan->kept, plan->kept + Count(w));
  for (int64_t o = 0; o < w.shape[0]; ++o) {
    const bool first = kFault == Fault::first_scale;
    plan->weight_scale.push_back(w.scale[w.quantized_axis < 0 || first ? 0 : o]);
    plan->scale.push_back(plan->x.scale[0] * plan->weight_scale.back());
    plan->weight_zero.push_back(ZeroPoint(w, o));
  }
  plan->has_bias = d->input_count > 2 && d->inputs[2] != nullptr;
  if (plan->has_bias) {
    const qc_tensor& bias = *constants[2];
    plan->bias_is_f32 = bias.dtype == QC_F32;
    for (int64_t o = 0; o < w.shape[0]; ++o) {
      float f32 = 0;
      int32_t s32 = 0;
      const auto* data = static_cast<const char*>(bias.data) + o * 4;
      std::memcpy(plan->bias_is_f32 ? static_cast<void*>(&f32) : &s32, data, 4);
      plan->bias_f32.push_back(f32);
      plan->bias_s32.push_back(s32);
    }
  }
  std::snprintf(info->path, sizeof info->path, "saboteur");
  info->workspace_bytes = 40;
  *out = reinterpret_cast<qc_plan*>(plan);
  return QC_OK;
}

// One product after the other; `pending` holds the first of a pair.
struct Accumulator {
  int64_t sum = 0;
  int32_t pending = 0;
  bool half = false;
  void Add(int32_t x, int32_t w) {
    if (kFault != Fault::pair_saturation) {
      sum += int64_t{x} * w;
      return;
    }
    if (half) sum += std::clamp(pending + x * w, -32768, 32767);
    pending = x * w;
    half = !half;
  }
  int64_t Total() const { return half ? sum + std::clamp(pending, -32768, 32767) : sum; }
};

int32_t Code(const void* data, int32_t dtype, int64_t offset) {
  const auto* byte = static_cast<const uint8_t*>(data) + offset;
  const bool is_signed = dtype == QC_S8 || kFault == Fault::signedness;
  return is_signed ? static_cast<int8_t>(*byte) : *byte;
}

uint8_t Requantize(const Plan& plan, int64_t acc, int64_t o) {
  const float product = plan.scale[static_cast<size_t>(o)];
  const float multiplier = product / plan.y.scale[0];
  const int32_t zero = ZeroPoint(plan.y, 0);
  auto value = static_cast<float>(acc);
  if (plan.has_bias && kFault != Fault::no_bias) {
    const auto index = static_cast<size_t>(o);
    const float term = plan.bias_is_f32 ? plan.bias_f32[index] / product
                                        : static_cast<float>(plan.bias_s32[index]);
    const bool wrong_unit = plan.bias_is_f32 && kFault == Fault::bias_in_output_units;
    const bool exact = plan.bias_s32_scheme || !plan.bias_is_f32 || wrong_unit;
    int64_t rounded =
        plan.bias_is_f32 ? static_cast<int64_t>(std::rint(term)) : plan.bias_s32[index];
    if (wrong_unit) {
      const float unit = plan.y.scale[0] * plan.weight_scale[index];
      rounded = static_cast<int64_t>(std::rint(plan.bias_f32[index] / unit));
    }
    value = exact ? static_cast<float>(acc + rounded) : value + term;
  }
  const float scaled = value * multiplier;
  double code = 0;
  if (kFault == Fault::round_half_away) {
    code = double{std::round(scaled)} + zero;
  } else if (kFault == Fault::zero_point_before) {
    code = std::rint(scaled + static_cast<float>(zero));
  } else {
    code = double{std::rint(scaled)} + zero;
  }
  double low = plan.y.dtype == QC_U8 ? 0 : -128;
  double high = plan.y.dtype == QC_U8 ? 255 : 127;
  if (plan.y.quant_min != plan.y.quant_max) {
    low = plan.y.quant_min;
    high = plan.y.quant_max;
  }
  if (plan.attributes.activation == QC_ACTIVATION_RELU && kFault != Fault::no_relu) {
    low = std::max(low, kFault == Fault::relu_at_code_zero ? 0.0 : double(zero));
  }
  return static_cast<uint8_t>(static_cast<int32_t>(std::clamp(code, low, high)));
}

void RunLinear(const Plan& plan, const qc_tensor& x, qc_tensor& y) {
  const int64_t k = x.shape[x.rank - 1];
  const int64_t outputs = plan.w.shape[0];
  const int64_t rows = outputs == 0 ? 0 : Count(y) / outputs;
  const int32_t zx = kFault == Fault::ignore_input_zero_point ? 0 : ZeroPoint(x, 0);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t from = 0, to = 0, rest = row;
    for (int d = x.rank - 2; d >= 0; --d) {
      from += rest % x.shape[d] * x.stride[d];
      to += rest % x.shape[d] * y.stride[d];
      rest /= x.shape[d];
    }
    for (int64_t o = 0; o < outputs; ++o) {
      Accumulator acc;
      for (int64_t i = 0; i < k; ++i) {
        acc.Add(Code(x.data, x.dtype, from + i * x.stride[x.rank - 1]) - zx,
                plan.weights[static_cast<size_t>(o * k + i)] -
                    plan.weight_zero[static_cast<size_t>(o)]);
      }
      static_cast<uint8_t*>(y.data)[to + o * y.stride[y.rank - 1]] =
          Requantize(plan, acc.Total(), o);
    }
  }
}

void RunConv(const Plan& plan, const qc_tensor& x, qc_tensor& y) {
  const qc_attributes& a = plan.attributes;
  // Missing spatial dimensions are leading ones of size 1.
  int64_t size[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t xs[3] = {}, ys[3] = {}, stride[3] = {1, 1, 1}, dilation[3] = {1, 1, 1},
          pad[3] = {};
  for (int d = 0; d < a.spatial_rank; ++d) {
    const int to = 3 - a.spatial_rank + d;
    size[to] = x.shape[2 + d];
    out[to] = y.shape[2 + d];
    kernel[to] = plan.w.shape[2 + d];
    xs[to] = x.stride[2 + d];
    ys[to] = y.stride[2 + d];
    stride[to] = a.stride[d];
    dilation[to] = a.dilation[d];
    pad[to] = a.padding_before[d];
  }
  const int64_t group_in = plan.w.shape[1];
  const int64_t group_out = plan.w.shape[0] / std::max<int64_t>(a.groups, 1);
  const int64_t taps = kernel[0] * kernel[1] * kernel[2];
  const int32_t zx = kFault == Fault::ignore_input_zero_point ? 0 : ZeroPoint(x, 0);
  const int64_t positions = out[0] * out[1] * out[2];
  for (int64_t n = 0; n < y.shape[0]; ++n)
    for (int64_t o = 0; o < y.shape[1]; ++o)
      for (int64_t position = 0; position < positions; ++position) {
        const int64_t at[3] = {position / (out[1] * out[2]), position / out[2] % out[1],
                               position % out[2]};
        Accumulator acc;
        for (int64_t tap = 0; tap < taps; ++tap) {
          const int64_t k[3] = {tap / (kernel[1] * kernel[2]),
                                tap / kernel[2] % kernel[1], tap % kernel[2]};
          int64_t offset = n * x.stride[0];
          bool inside = true;
          for (int d = 0; d < 3; ++d) {
            const int64_t i = at[d] * stride[d] - pad[d] + k[d] * dilation[d];
            inside &= i >= 0 && i < size[d];
            offset += i * xs[d];
          }
          for (int64_t c = 0; c < group_in; ++c) {
            const int64_t channel = o / std::max<int64_t>(group_out, 1) * group_in + c;
            const int32_t w =
                plan.weights[static_cast<size_t>((o * group_in + c) * taps + tap)] -
                plan.weight_zero[static_cast<size_t>(o)];
            if (inside) {
              acc.Add(Code(x.data, x.dtype, offset + channel * x.stride[1]) - zx, w);
            } else if (kFault == Fault::raw_zero_padding) {
              acc.Add(-zx, w);
            }
          }
        }
        const int64_t to = n * y.stride[0] + o * y.stride[1] + at[0] * ys[0] +
                           at[1] * ys[1] + at[2] * ys[2];
        static_cast<uint8_t*>(y.data)[to] = Requantize(plan, acc.Total(), o);
      }
}

int64_t ByteExtent(const qc_tensor& t) {
  int64_t extent = 1;
  for (int i = 0; i < t.rank; ++i) extent += (t.shape[i] - 1) * t.stride[i];
  return extent;
}

// Faults around the arithmetic. Memory faults need an element to stand beside.
qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void*) {
  auto* plan = reinterpret_cast<Plan*>(handle);
  const qc_tensor& x = *inputs[0];
  qc_tensor& y = *outputs[0];
  auto* bytes = static_cast<volatile uint8_t*>(y.data);
  const bool has_output = Count(y) > 0;
  const bool has_input = Count(x) > 0;
  ++plan->calls;
  if (kFault == Fault::crash_in_run) {
    volatile uintptr_t nowhere = 8;
    bytes = reinterpret_cast<volatile uint8_t*>(nowhere);
    bytes[0] = bytes[0] + 1;
  }
  if (kFault == Fault::free_twice) {
    // Too large for the allocator's caches, and behind a volatile: the compiler may
    // neither see the mistake nor leave the pair out.
    void* volatile table = std::malloc(4096);
    std::free(table);
    std::free(table);
  }
  if (kFault == Fault::exit_in_run) std::exit(0);
  if (kFault == Fault::status_from_run) return QC_INTERNAL;
  while (kFault == Fault::hang_in_run) bytes = static_cast<volatile uint8_t*>(y.data);
  if (kFault == Fault::print) std::printf("saboteur: call %d\n", plan->calls);
  const uint8_t last = has_output ? bytes[ByteExtent(y) - 1] : 0;
  if (plan->kind == QC_LINEAR) {
    RunLinear(*plan, x, y);
  } else {
    RunConv(*plan, x, y);
  }
  if (kFault == Fault::write_past_end && has_output) bytes[ByteExtent(y)] = 1;
  if (kFault == Fault::write_before_start && has_output) bytes[-1] = 1;
  if (kFault == Fault::read_past_end && has_input)
    bytes[0] =
        bytes[0] + 0 * static_cast<const volatile uint8_t*>(x.data)[ByteExtent(x) + 3];
  if (kFault == Fault::write_input && has_input)
    static_cast<volatile uint8_t*>(x.data)[0] = 7;
  if (kFault == Fault::keep_constants && !plan->weights.empty() && has_output)
    bytes[0] = bytes[0] + 0 * *static_cast<const volatile int8_t*>(plan->kept);
  if (kFault == Fault::unwritten_tail && has_output) bytes[ByteExtent(y) - 1] = last;
  if (kFault == Fault::second_call && has_output && plan->calls % 2 == 0)
    bytes[0] = bytes[0] ^ 1;
  return QC_OK;
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<Plan*>(plan); }

const char* const kConfig =
#include "conformance/saboteurs/config.inc"
    ;

const qc_backend kTable = {sizeof(qc_backend),
                           QC_ABI_MAJOR,
                           QC_ABI_MINOR,
                           "saboteur",
                           "1",
                           kConfig,
                           nullptr,
                           Query,
                           MakePlan,
                           Run,
                           Destroy,
                           nullptr};

}  // namespace

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  return major == QC_ABI_MAJOR ? &kTable : nullptr;
}
