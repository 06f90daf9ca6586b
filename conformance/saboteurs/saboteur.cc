// A small honest backend for convolution and linear, written without the
// reference, and the places where one fault is planted in it. Built once for each
// line of faults.inc with QCONFORM_FAULT set to its name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "conformance/saboteurs/saboteur_walk.h"

namespace {

constexpr const char* kBiasF32 = "f32/one/even/bias_f32/zp_after";
constexpr const char* kBiasS32 = "f32/one/even/bias_s32/zp_after";

bool IsCode(int32_t dtype) { return dtype == QC_U8 || dtype == QC_S8; }

const char* WhyNot(const qc_descriptor& d) {
  if (kFault == Fault::refuse_declared) return "not today";
  if (d.kind != QC_CONV && d.kind != QC_CONV_TRANSPOSE && d.kind != QC_LINEAR)
    return "only convolution and linear";
  if (kFault == Fault::refuse_zero_sizes && Count(*d.outputs[0]) == 0) return "empty";
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

// Of the weights' scale of an output channel.
int64_t ScaleIndex(const qc_tensor& w, int64_t channel) {
  if (w.quantized_axis < 0 || kFault == Fault::first_scale) return 0;
  if (kFault == Fault::scale_of_next_channel) return (channel + 1) % w.qparam_count;
  if (kFault == Fault::transposed_axis && w.quantized_axis == 1)
    return channel * w.shape[0] / w.shape[1] % w.qparam_count;
  return channel;
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
  const bool transposed = plan->kind == QC_CONV_TRANSPOSE;
  const int64_t outputs = transposed ? w.shape[1] * plan->attributes.groups : w.shape[0];
  plan->scratch.assign(static_cast<size_t>(outputs), 0);
  for (int64_t o = 0; o < outputs; ++o) {
    // Transposed, every group has the same scales.
    const int64_t channel = ScaleIndex(w, transposed ? o % w.shape[1] : o);
    plan->weight_scale.push_back(w.scale[channel]);
    plan->scale.push_back(plan->x.scale[0] * plan->weight_scale.back());
    plan->weight_zero.push_back(
        kFault == Fault::ignore_weight_zero_point ? 0 : ZeroPoint(w, channel));
  }
  plan->has_bias = d->input_count > 2 && d->inputs[2] != nullptr;
  if (plan->has_bias) {
    const qc_tensor& bias = *constants[2];
    plan->bias_is_f32 = bias.dtype == QC_F32;
    for (int64_t o = 0; o < outputs; ++o) {
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
  if (kFault == Fault::divide_by_size) {
    const volatile int64_t tiles = 64, elements = Count(y);
    plan->calls += static_cast<int>(tiles / elements);
  }
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
  if (kFault == Fault::read_past_row && has_input && has_output) {
    // A vector of eight from the start of the last row's tail.
    const auto* row = static_cast<const volatile uint8_t*>(x.data);
    bytes[0] = bytes[0] + 0 * row[ByteExtent(x) / 8 * 8 + 7];
  }
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
