// Convolution and linear, written without the reference: which products belong to which
// output, with the faults of windows, groups and tails.
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "conformance/saboteurs/saboteur_arithmetic.h"

namespace saboteur {
namespace {

// How many channels the loop over whole vectors of 8 reaches.
int64_t ChannelsDone(int64_t channels) {
  return kFault == Fault::tail_of_n_skipped ? channels / 8 * 8 : channels;
}

// What two runs at once must not share.
volatile int64_t shared_sum;

Accumulator Cleared(const Plan& plan, int64_t o) {
  Accumulator acc;
  if (kFault == Fault::stale_scratch) acc.sum = plan.scratch[static_cast<size_t>(o)];
  return acc;
}

// With the faults of some channels only.
int64_t TotalOf(const Plan& plan, const Accumulator& acc, int64_t o) {
  const int64_t total = acc.Total();
  const auto channels = static_cast<int64_t>(plan.scale.size());
  if (kFault == Fault::tail_saturates_16_bits && o >= channels / 8 * 8)
    return std::clamp<int64_t>(total, -32768, 32767);
  return total;
}

int64_t Finished(Plan& plan, const Accumulator& acc, int64_t o) {
  if (kFault == Fault::stale_scratch) plan.scratch[static_cast<size_t>(o)] = acc.Total();
  if (kFault != Fault::data_race) return TotalOf(plan, acc, o);
  // In steps, as a sum over k would be: another thread's step may come between.
  const int64_t total = acc.Total();
  shared_sum = 0;
  for (int step = 1; step < 16; ++step) shared_sum = shared_sum + total / 16;
  shared_sum = shared_sum + (total - total / 16 * 15);
  // Now and then is enough; each time costs a busy machine's whole round.
  thread_local unsigned sums = 0;
  if (sums++ % 64 < 8) sched_yield();
  return shared_sum;
}

// Of the weights' scale of an output channel.
int64_t ScaleIndex(const qc_tensor& w, int64_t channel) {
  if (w.quantized_axis < 0 || kFault == Fault::first_scale) return 0;
  if (kFault == Fault::scale_of_next_channel) return (channel + 1) % w.qparam_count;
  if (kFault == Fault::transposed_axis && w.quantized_axis == 1)
    return channel * w.shape[0] / w.shape[1] % w.qparam_count;
  return channel;
}

int32_t WeightZeroPoint(const qc_tensor& w, int64_t channel) {
  if (kFault == Fault::ignore_weight_zero_point) return 0;
  if (kFault == Fault::first_weight_zero_point) channel = 0;
  if (kFault == Fault::weight_zero_point_of_next_channel && w.quantized_axis >= 0)
    channel = (channel + 1) % w.qparam_count;
  return ZeroPoint(w, channel);
}

int32_t InputZeroPoint(const qc_tensor& x, bool forgotten) {
  if (forgotten) return 0;
  return kFault == Fault::negative_zero_point ? std::abs(ZeroPoint(x)) : ZeroPoint(x);
}

void RunLinear(Plan& plan, const qc_tensor& x, qc_tensor& y) {
  const int64_t k = x.shape[x.rank - 1];
  const int64_t outputs = plan.w.shape[0];
  const int64_t rows = outputs == 0 ? 0 : Count(y) / outputs;
  const int32_t zx = InputZeroPoint(x, kFault == Fault::ignore_input_zero_point);
  const int64_t used_k = kFault == Fault::tail_of_k_skipped ? k / 4 * 4 : k;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t from = 0, to = 0, rest = row;
    for (int d = x.rank - 2; d >= 0; --d) {
      from += rest % x.shape[d] * x.stride[d];
      to += rest % x.shape[d] * y.stride[d];
      rest /= x.shape[d];
    }
    for (int64_t o = 0; o < ChannelsDone(outputs); ++o) {
      Accumulator acc = Cleared(plan, o);
      for (int64_t i = 0; i < used_k; ++i) {
        acc.Add(Code(x.data, x.dtype, from + i * x.stride[x.rank - 1]) - zx,
                plan.weights[static_cast<size_t>(o * k + i)] -
                    plan.weight_zero[static_cast<size_t>(o)]);
      }
      static_cast<uint8_t*>(y.data)[to + o * y.stride[y.rank - 1]] =
          Requantize(plan, Finished(plan, acc, o), o);
    }
  }
}

int64_t OneIfZero(int64_t value) { return value == 0 ? 1 : value; }

// A convolution's window; missing spatial dimensions are leading ones of size 1.
struct Window {
  int64_t size[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t xs[3] = {}, ys[3] = {}, stride[3] = {1, 1, 1}, dilation[3] = {1, 1, 1};
  int64_t pad[3] = {};

  Window(const Plan& plan, const qc_tensor& x, const qc_tensor& y) {
    const qc_attributes& a = plan.attributes;
    for (int d = 0; d < a.spatial_rank; ++d) {
      const int to = 3 - a.spatial_rank + d;
      size[to] = x.shape[2 + d];
      out[to] = y.shape[2 + d];
      kernel[to] = plan.w.shape[2 + d];
      xs[to] = x.stride[2 + d];
      ys[to] = y.stride[2 + d];
      const bool as_it_is = kFault == Fault::takes_stride_of_zero && plan.kind == QC_CONV;
      stride[to] = as_it_is ? a.stride[d] : OneIfZero(a.stride[d]);
      const bool one = kFault == Fault::ignore_dilation ||
                       (kFault == Fault::dilation_of_one_axis && to == 2);
      dilation[to] = one ? 1 : OneIfZero(a.dilation[d]);
      pad[to] = kFault == Fault::padding_sides_swapped ? a.padding_after[d]
                                                       : a.padding_before[d];
      if (kFault == Fault::output_padding_before) pad[to] += a.output_padding[d];
    }
    if (kFault == Fault::strides_swapped) std::swap(stride[1], stride[2]);
  }

  // Where the input of a tap lies; -1: outside, or between the strides of a transposed
  // one.
  int64_t Offset(const int64_t at[3], const int64_t k[3], bool transposed) const {
    int64_t offset = 0;
    for (int d = 0; d < 3; ++d) {
      int64_t i = at[d] * stride[d] - pad[d] + k[d] * dilation[d];
      if (kFault == Fault::last_window_moved && at[d] == out[d] - 1)
        i = std::max<int64_t>(size[d] - 1 - (kernel[d] - 1) * dilation[d], 0) +
            k[d] * dilation[d];
      if (transposed) {
        const int64_t apart = at[d] + pad[d] - k[d] * dilation[d];
        if (apart < 0 || apart % stride[d] != 0) return -1;
        i = apart / stride[d];
      }
      if (kFault == Fault::strided_single_taps && kernel[d] == 1 && stride[d] == 2 &&
          i + 1 < size[d])
        ++i;
      if (i < 0 || i >= size[d]) return -1;
      offset += i * xs[d];
    }
    return offset;
  }
};

// [O, C/groups, taps], or transposed: [C, O/groups, taps].
int32_t Weight(const Plan& plan, int64_t o, int64_t group_out, int64_t c,
               int64_t group_in, int64_t tap, int64_t taps) {
  int64_t index = (o * group_in + c) * taps + tap;
  if (plan.kind == QC_CONV_TRANSPOSE && kFault != Fault::transposed_weights_as_forward) {
    const int64_t row = o / group_out * group_in + c;
    index = (row * group_out + o % group_out) * taps + tap;
  }
  return plan.weights[static_cast<size_t>(index)] -
         plan.weight_zero[static_cast<size_t>(o)];
}

int64_t GroupOf(int64_t o, int64_t groups, int64_t group_out) {
  if (kFault == Fault::ignore_groups) return 0;
  if (kFault == Fault::group_off_by_one) return std::min((o + 1) / group_out, groups - 1);
  // Multiplied channels side by side, as another framework orders them.
  if (kFault == Fault::depthwise_multiplier_order) return o % groups;
  return o / group_out;
}

void RunConv(Plan& plan, const qc_tensor& x, qc_tensor& y) {
  const Window window(plan, x, y);
  const bool transposed = plan.kind == QC_CONV_TRANSPOSE;
  const int64_t* out = window.out;
  const int64_t* kernel = window.kernel;
  const int64_t groups = std::max<int64_t>(plan.attributes.groups, 1);
  const int64_t group_in = x.shape[1] / groups;
  const int64_t group_out = std::max<int64_t>(y.shape[1] / groups, 1);
  const int64_t used_in =
      kFault == Fault::tail_of_k_skipped && group_in > 4 ? group_in / 4 * 4 : group_in;
  const bool loses_one = kFault == Fault::strided_groups && groups > 1 &&
                         window.stride[2] > 1 && group_in > 1;
  const int64_t taps = kernel[0] * kernel[1] * kernel[2];
  const int64_t positions = out[0] * out[1] * out[2];
  for (int64_t n = 0; n < y.shape[0]; ++n)
    for (int64_t o = 0; o < ChannelsDone(y.shape[1]); ++o)
      for (int64_t position = 0; position < positions; ++position) {
        const int64_t at[3] = {position / (out[1] * out[2]), position / out[2] % out[1],
                               position % out[2]};
        const int64_t group = GroupOf(o, groups, group_out);
        const bool uncompensated =
            kFault == Fault::ignore_input_zero_point ||
            (kFault == Fault::compensation_of_first_group && group > 0);
        const int32_t zx = InputZeroPoint(x, uncompensated);
        Accumulator acc = Cleared(plan, o);
        for (int64_t tap = 0; tap < taps; ++tap) {
          const int64_t k[3] = {tap / (kernel[1] * kernel[2]),
                                tap / kernel[2] % kernel[1], tap % kernel[2]};
          const int64_t offset = window.Offset(at, k, transposed);
          const int64_t used_tap = kFault == Fault::kernel_flipped ? taps - 1 - tap : tap;
          for (int64_t c = 0; c < used_in - (loses_one ? 1 : 0); ++c) {
            const int64_t channel = group * group_in + c;
            const int32_t w = Weight(plan, o, group_out, c, group_in, used_tap, taps);
            if (offset >= 0) {
              acc.Add(Code(x.data, x.dtype,
                           n * x.stride[0] + offset + channel * x.stride[1]) -
                          zx,
                      w);
            } else if (kFault == Fault::raw_zero_padding) {
              acc.Add(-zx, w);
            } else if (kFault == Fault::signed_padding_unshifted && x.dtype == QC_S8) {
              acc.Add(-128, w);
            }
          }
        }
        const int64_t to = n * y.stride[0] + o * y.stride[1] + at[0] * window.ys[0] +
                           at[1] * window.ys[1] + at[2] * window.ys[2];
        static_cast<uint8_t*>(y.data)[to] = Requantize(plan, Finished(plan, acc, o), o);
      }
}

}  // namespace

void PlanWeights(Plan& plan, const qc_tensor* const* constants) {
  const qc_tensor& w = *constants[1];
  const auto* codes = static_cast<const int8_t*>(w.data);
  plan.kept = codes;
  plan.weights.assign(codes, codes + Count(w));
  if (kFault == Fault::weights_of_first_plan) {
    // By their number, as a cache would that takes it for a key.
    static std::map<size_t, std::vector<int8_t>> packed;
    plan.weights = packed.emplace(plan.weights.size(), plan.weights).first->second;
  }
  if (kFault == Fault::one_plan_at_a_time) {
    static std::vector<int8_t> packed;
    packed = plan.weights;
    plan.kept = &packed;
  }
  const bool transposed = plan.kind == QC_CONV_TRANSPOSE;
  const int64_t outputs =
      transposed ? w.shape[1] * OneIfZero(plan.attributes.groups) : w.shape[0];
  plan.scratch.assign(static_cast<size_t>(outputs), 0);
  for (int64_t o = 0; o < outputs; ++o) {
    // Transposed, every group has the same scales.
    const int64_t channel = ScaleIndex(w, transposed ? o % w.shape[1] : o);
    plan.weight_scale.push_back(plan.w.scale[channel]);
    plan.scale.push_back(plan.x.scale[0] * plan.weight_scale.back());
    plan.weight_zero.push_back(WeightZeroPoint(w, channel));
  }
  if (plan.has_bias) {
    const qc_tensor& bias = *constants[2];
    plan.bias_is_f32 = bias.dtype == QC_F32;
    for (int64_t o = 0; o < outputs; ++o) {
      float f32 = 0;
      int32_t s32 = 0;
      const auto* data = static_cast<const char*>(bias.data) + o * 4;
      std::memcpy(plan.bias_is_f32 ? static_cast<void*>(&f32) : &s32, data, 4);
      plan.bias_f32.push_back(f32);
      plan.bias_s32.push_back(s32);
    }
  }
}

void RunWeights(Plan& plan, const qc_tensor& x, qc_tensor& y) {
  if (plan.kind == QC_LINEAR) {
    RunLinear(plan, x, y);
  } else {
    RunConv(plan, x, y);
  }
}

}  // namespace saboteur
