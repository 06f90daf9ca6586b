// Operators other than convolution and linear: the reference on a call that the fault
// has changed, as a backend would that reads its descriptor wrongly.
#include <algorithm>
#include <cstring>

#include "conformance/saboteurs/edited_call.h"

namespace saboteur {
namespace {

bool IsNorm(int32_t kind) { return kind >= QC_BATCH_NORM && kind <= QC_LAYER_NORM; }

bool IsAverage(int32_t kind) {
  return kind == QC_AVG_POOL || kind == QC_ADAPTIVE_AVG_POOL || kind == QC_MEAN;
}

bool IsBinary(int32_t kind) { return kind >= QC_ADD && kind <= QC_MUL; }

bool IsPadded(const qc_attributes& a) {
  for (int d = 0; d < a.spatial_rank; ++d)
    if (a.padding_before[d] != 0 || a.padding_after[d] != 0) return true;
  return false;
}

int64_t WindowSize(const qc_attributes& a) {
  int64_t size = 1;
  for (int d = 0; d < a.spatial_rank; ++d) size *= a.kernel[d];
  return size;
}

// Every code divided, then added: whole numbers, as code would that wants no overflow.
void DivideFirst(EditedCall& call) {
  if (call.kind != QC_AVG_POOL || IsPadded(call.attributes) ||
      call.attributes.ceil_mode != 0 || !IsCode(call.x().dtype))
    return;
  const int64_t size = WindowSize(call.attributes);
  const int32_t zero = ZeroPoint(call.x());
  std::vector<int64_t> codes = call.Codes(call.x());
  for (int64_t& code : codes) code = zero + (code - zero) / size;
  call.SetCodes(call.x(), codes);
  call.attributes.divisor_override = 1;
}

void RoundCodes(EditedCall& call) {
  const bool same = call.x().scale != nullptr && call.y().scale != nullptr &&
                    *call.x().scale == *call.y().scale &&
                    ZeroPoint(call.x()) == ZeroPoint(call.y());
  if (!IsAverage(call.kind) || IsPadded(call.attributes) || !same) return;
  call.SetZeroPoint(call.x(), 0);
  call.SetZeroPoint(call.y(), 0);
}

void UseEqualWindows(EditedCall& call) {
  if (call.kind != QC_ADAPTIVE_AVG_POOL) return;
  call.kind = QC_AVG_POOL;
  qc_attributes& a = call.attributes;
  for (int d = 0; d < a.spatial_rank; ++d) {
    const int64_t in = call.x().shape[2 + d], out = call.y().shape[2 + d];
    if (out < 1 || out > in) {
      call.kind = QC_ADAPTIVE_AVG_POOL;
      return;
    }
    a.stride[d] = in / out;
    a.kernel[d] = in - (out - 1) * a.stride[d];
    a.dilation[d] = 1;
  }
}

void DropCeilWindows(EditedCall& call) {
  qc_attributes& a = call.attributes;
  if ((call.kind != QC_MAX_POOL && call.kind != QC_AVG_POOL) || a.ceil_mode == 0) return;
  a.ceil_mode = 0;
  for (int d = 0; d < a.spatial_rank; ++d) {
    const int64_t stride = a.stride[d] == 0 ? a.kernel[d] : a.stride[d];
    const int64_t dilation = a.dilation[d] == 0 ? 1 : a.dilation[d];
    const int64_t room = call.x().shape[2 + d] + a.padding_before[d] +
                         a.padding_after[d] - dilation * (a.kernel[d] - 1) - 1;
    call.y().shape[2 + d] = room / stride + 1;
  }
}

void EditPool(EditedCall& call) {
  qc_attributes& a = call.attributes;
  qc_tensor& x = call.x();
  const bool average = call.kind == QC_AVG_POOL;
  const bool max = call.kind == QC_MAX_POOL && IsCode(x.dtype);
  switch (kFault) {
    case Fault::average_by_window_size:
      if (average) a.count_include_pad = 1;
      break;
    case Fault::average_leaves_padding_out:
      if (average) a.count_include_pad = 0;
      break;
    case Fault::average_ignores_divisor:
      a.divisor_override = 0;
      break;
    case Fault::average_pads_code_zero:
      if (average && a.count_include_pad != 0 && IsCode(x.dtype)) call.PadInput(0);
      break;
    case Fault::average_divides_first:
      DivideFirst(call);
      break;
    case Fault::average_rounds_codes:
      RoundCodes(call);
      break;
    case Fault::average_rounds_codes_of_one_layout:
      if (x.rank > 0 && x.stride[x.rank - 1] == ItemBytes(x)) RoundCodes(call);
      break;
    case Fault::adaptive_windows_equal:
      UseEqualWindows(call);
      break;
    case Fault::ceil_mode_ignored:
      DropCeilWindows(call);
      break;
    case Fault::max_pads_zero_point:
      if (max) call.PadInput(ZeroPoint(x));
      break;
    case Fault::max_starts_at_code_zero:
      if (max && x.dtype == QC_S8) {
        std::vector<int64_t> codes = call.Codes(x);
        for (int64_t& code : codes) code = std::max<int64_t>(code, 0);
        call.SetCodes(x, codes);
      }
      break;
    case Fault::max_ignores_dilation:
      for (int d = 0; max && d < a.spatial_rank; ++d) {
        if (a.dilation[d] > 1) x.shape[2 + d] -= (a.dilation[d] - 1) * (a.kernel[d] - 1);
        a.dilation[d] = 1;
      }
      break;
    default:
      break;
  }
}

void EditBinary(EditedCall& call) {
  if (!IsBinary(call.kind)) return;
  const bool two = call.Has(1);
  switch (kFault) {
    case Fault::add_one_scale:
      if (two && call.kind != QC_MUL) call.SetScale(*call.inputs[1], *call.x().scale);
      break;
    case Fault::mul_ignores_zero_point:
      if (two && call.kind == QC_MUL) call.SetZeroPoint(*call.inputs[1], 0);
      break;
    case Fault::broadcast_stride:
      if (two && call.inputs[1]->rank > 0 && Count(*call.inputs[1]) != Count(call.y()))
        call.inputs[1]->stride[call.inputs[1]->rank - 1] = 0;
      break;
    case Fault::operands_swapped:
      if (two && call.kind == QC_SUB) std::swap(call.inputs[0], call.inputs[1]);
      call.attributes.scalar_first = 0;
      break;
    case Fault::no_relu_of_sums:
      call.attributes.activation = QC_ACTIVATION_NONE;
      break;
    default:
      break;
  }
}

void EditFunction(EditedCall& call) {
  qc_attributes& a = call.attributes;
  switch (kFault) {
    case Fault::stand_alone_relu_at_code_zero:
      if (call.kind != QC_RELU) break;
      call.SetZeroPoint(call.x(), 0);
      call.SetZeroPoint(call.y(), 0);
      break;
    case Fault::relu6_ends_at_code:
      // 6 / scale, without the zero point.
      if (call.kind != QC_RELU6 || call.y().scale == nullptr) break;
      call.kind = QC_CLAMP;
      a.minimum = 0;
      a.maximum = std::max(
          0.0f, 6.0f - static_cast<float>(ZeroPoint(call.y())) * *call.y().scale);
      break;
    case Fault::fixed_scale_of_255:
      if (call.kind == QC_SIGMOID || call.kind == QC_HARDSIGMOID ||
          call.kind == QC_SOFTMAX)
        call.SetScale(call.y(), 1.0f / 255.0f);
      break;
    case Fault::softmax_last_axis:
      if (call.kind == QC_SOFTMAX) a.axis = call.x().rank - 1;
      break;
    case Fault::elu_without_alpha:
      if (call.kind == QC_ELU) a.alpha = 1;
      break;
    case Fault::gelu_by_tanh:
      if (call.kind == QC_GELU) a.approximate_tanh = 1;
      break;
    case Fault::no_epsilon:
      if (IsNorm(call.kind)) a.epsilon = 0;
      break;
    case Fault::no_gamma:
      if (IsNorm(call.kind) && call.Has(1)) call.inputs[1] = nullptr;
      break;
    case Fault::scales_of_next_slice:
      if (call.kind == QC_QUANTIZE || call.kind == QC_DEQUANTIZE)
        for (qc_tensor* tensor : {&call.x(), &call.y()})
          call.PermuteQparams(*tensor,
                              [](int64_t i, int64_t count) { return (i + 1) % count; });
      break;
    case Fault::first_scale_of_later_axes:
      if (call.kind == QC_QUANTIZE && call.y().quantized_axis >= 2)
        call.PermuteQparams(call.y(), [](int64_t, int64_t) { return int64_t{0}; });
      break;
    default:
      break;
  }
}

// The gates of an LSTM are i f g o here and i o f g elsewhere, those of a GRU r z n and
// z r n.
void ReorderGates(EditedCall& call) {
  const bool lstm = call.kind == QC_LSTM;
  if (!lstm && call.kind != QC_GRU) return;
  const size_t gates = lstm ? 4 : 3;
  const size_t order[4] = {lstm ? 0u : 1u, lstm ? 3u : 0u, lstm ? 1u : 2u, 2u};
  for (size_t i = 3; i < call.inputs.size(); ++i) {
    if (!call.Has(i)) continue;
    qc_tensor& tensor = *call.inputs[i];
    const size_t bytes =
        static_cast<size_t>(Count(tensor)) * (tensor.dtype == QC_F32 ? 4 : 1) / gates;
    char* to = call.OwnData(tensor);
    const std::vector<char> from(to, to + bytes * gates);
    for (size_t g = 0; g < gates; ++g)
      std::memcpy(to + g * bytes, from.data() + order[g] * bytes, bytes);
  }
}

void MoveOffsets(EditedCall& call) {
  if (call.kind != QC_EMBEDDING_BAG || !call.Has(2)) return;
  std::vector<int64_t> offsets = call.Codes(*call.inputs[2]);
  for (size_t i = 1; i < offsets.size(); ++i)
    offsets[i] = std::min(offsets[i] + 1, Count(call.x()));
  call.SetCodes(*call.inputs[2], offsets);
}

void EditOther(EditedCall& call) {
  qc_attributes& a = call.attributes;
  switch (kFault) {
    case Fault::residual_of_other_scale:
      if (a.residual != 0 && call.Has(3)) call.SetScale(*call.inputs[3], *call.y().scale);
      break;
    case Fault::matmul_ignores_second_zero_point:
      if (call.kind == QC_MATMUL) call.SetZeroPoint(*call.inputs[1], 0);
      break;
    case Fault::concat_without_rescale:
      if (call.kind == QC_CONCAT)
        for (qc_tensor* input : call.inputs) call.CopyQparams(call.y(), *input);
      break;
    case Fault::concat_reversed:
      if (call.kind == QC_CONCAT) std::reverse(call.inputs.begin(), call.inputs.end());
      break;
    case Fault::mean_of_last_axis:
      if (call.kind == QC_MEAN && call.x().scale != nullptr && Count(call.y()) > 0) {
        const auto all = static_cast<float>(Count(call.x()) / Count(call.y()));
        const auto last = static_cast<float>(call.x().shape[call.x().rank - 1]);
        if (all > last) call.SetScale(call.x(), *call.x().scale * all / last);
      }
      break;
    case Fault::gates_reordered:
      ReorderGates(call);
      break;
    case Fault::offsets_off_by_one:
      MoveOffsets(call);
      break;
    case Fault::padding_index_counted:
      a.padding_index = 0;
      break;
    case Fault::table_scale_of_first_row:
      if (call.kind == QC_EMBEDDING || call.kind == QC_EMBEDDING_BAG)
        call.PermuteQparams(*call.inputs[1], [](int64_t, int64_t) { return int64_t{0}; });
      break;
    case Fault::corners_ignored:
      a.align_corners = 0;
      break;
    case Fault::full_range_at_run_time:
      a.reduce_range = 0;
      break;
    case Fault::transpose_forgotten:
      if (call.kind == QC_TRANSPOSE) call.kind = QC_RESHAPE;
      break;
    case Fault::slice_from_start:
      for (int d = 0; call.kind == QC_SLICE && d < call.x().rank; ++d) {
        a.stop[d] -= a.start[d];
        a.start[d] = 0;
      }
      break;
    case Fault::pad_with_code_zero:
      if (call.kind == QC_PAD && call.y().scale != nullptr)
        a.scalar = -static_cast<float>(ZeroPoint(call.y())) * *call.y().scale;
      break;
    default:
      break;
  }
}

}  // namespace

qc_status RunEdited(Plan& plan, const qc_tensor* const* inputs,
                    qc_tensor* const* outputs) {
  if (RunFaultyValues(plan, plan.call.WithConstants(inputs), *outputs[0])) return QC_OK;
  EditedCall call(plan, inputs, outputs);
  EditPool(call);
  EditBinary(call);
  EditFunction(call);
  EditOther(call);
  return call.Run();
}

}  // namespace saboteur
