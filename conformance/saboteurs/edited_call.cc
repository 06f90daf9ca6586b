#include "conformance/saboteurs/edited_call.h"

#include <cstring>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace saboteur {
namespace {

void SetDenseStrides(qc_tensor& tensor, int64_t item) {
  for (int i = tensor.rank; i-- > 0;) {
    tensor.stride[i] = item;
    item *= tensor.shape[i];
  }
}

}  // namespace

EditedCall::EditedCall(const Plan& plan, const qc_tensor* const* run_inputs,
                       qc_tensor* const* run_outputs)
    : kind(plan.kind),
      attributes(plan.attributes),
      plan_(plan),
      run_inputs_(plan.call.WithConstants(run_inputs)),
      run_outputs_(run_outputs, run_outputs + plan.call.output_count()) {
  for (const qc_tensor* input : run_inputs_)
    inputs.push_back(input == nullptr ? nullptr : &tensors_.emplace_back(*input));
  for (const qc_tensor* output : run_outputs_)
    outputs.push_back(&tensors_.emplace_back(*output));
}

void EditedCall::SetScale(qc_tensor& tensor, float scale) {
  if (tensor.scale == nullptr) return;
  tensor.scale = scales_.emplace_back(std::vector<float>{scale}).data();
  SetZeroPoint(tensor, ZeroPoint(tensor));
}

void EditedCall::SetZeroPoint(qc_tensor& tensor, int32_t zero_point) {
  if (tensor.scale == nullptr) return;
  tensor.zero_point = zero_points_.emplace_back(std::vector<int32_t>{zero_point}).data();
  tensor.quantized_axis = -1;
  tensor.qparam_count = 1;
}

void EditedCall::CopyQparams(const qc_tensor& from, qc_tensor& to) {
  to.scale = from.scale;
  to.zero_point = from.zero_point;
  to.quantized_axis = from.quantized_axis;
  to.qparam_count = from.qparam_count;
}

void EditedCall::PermuteQparams(qc_tensor& tensor,
                                int64_t (*source)(int64_t i, int64_t count)) {
  if (tensor.quantized_axis < 0 || tensor.scale == nullptr) return;
  std::vector<float> scale, zero_f32;
  std::vector<int32_t> zero;
  for (int64_t i = 0; i < tensor.qparam_count; ++i) {
    const int64_t from = source(i, tensor.qparam_count);
    scale.push_back(tensor.scale[from]);
    if (tensor.zero_point != nullptr) zero.push_back(tensor.zero_point[from]);
    if (tensor.zero_point_f32 != nullptr) zero_f32.push_back(tensor.zero_point_f32[from]);
  }
  tensor.scale = scales_.emplace_back(scale).data();
  if (tensor.zero_point != nullptr)
    tensor.zero_point = zero_points_.emplace_back(zero).data();
  if (tensor.zero_point_f32 != nullptr)
    tensor.zero_point_f32 = scales_.emplace_back(zero_f32).data();
}

std::vector<int64_t> EditedCall::Codes(const qc_tensor& tensor) const {
  if (tensor.dtype == QC_S64 || tensor.dtype == QC_S32)
    return qconform::ReadIndices(tensor);
  const std::vector<int32_t> codes = qconform::ReadIntegers(tensor);
  return {codes.begin(), codes.end()};
}

void EditedCall::SetCodes(qc_tensor& tensor, const std::vector<int64_t>& codes) {
  const auto item = static_cast<size_t>(qconform::ElementBytes(tensor.dtype));
  std::vector<char>& data = data_.emplace_back(codes.size() * item);
  // Little-endian: the low bytes come first.
  for (size_t i = 0; i < codes.size(); ++i) std::memcpy(&data[i * item], &codes[i], item);
  tensor.data = data.data();
  SetDenseStrides(tensor, static_cast<int64_t>(item));
}

char* EditedCall::OwnData(qc_tensor& tensor) {
  const auto bytes = static_cast<size_t>(Count(tensor)) *
                     static_cast<size_t>(qconform::ElementBytes(tensor.dtype));
  // Constants are contiguous, and so is what is f32 here.
  const auto* from = static_cast<const char*>(tensor.data);
  tensor.data = data_.emplace_back(from, from + bytes).data();
  return static_cast<char*>(tensor.data);
}

void EditedCall::PadInput(int64_t code) {
  qc_tensor& in = x();
  const std::vector<int64_t> codes = Codes(in);
  qc_tensor padded = in;
  const int first = in.rank - attributes.spatial_rank;
  for (int d = 0; d < attributes.spatial_rank; ++d)
    padded.shape[first + d] += attributes.padding_before[d] + attributes.padding_after[d];
  std::vector<int64_t> wide(static_cast<size_t>(Count(padded)), code);
  for (size_t i = 0; i < codes.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t at = 0, step = 1;
    for (int d = in.rank - 1; d >= 0; --d) {
      const int64_t before = d < first ? 0 : attributes.padding_before[d - first];
      at += (rest % in.shape[d] + before) * step;
      rest /= in.shape[d];
      step *= padded.shape[d];
    }
    wide[static_cast<size_t>(at)] = codes[i];
  }
  SetCodes(padded, wide);
  in = padded;
  for (int d = 0; d < attributes.spatial_rank; ++d)
    attributes.padding_before[d] = attributes.padding_after[d] = 0;
}

qc_status EditedCall::Run() {
  const std::vector<const qc_tensor*> described(outputs.begin(), outputs.end());
  const std::vector<const qc_tensor*> in(inputs.begin(), inputs.end());
  qc_descriptor descriptor = plan_.call.get();
  descriptor.kind = kind;
  descriptor.attributes = &attributes;
  descriptor.inputs = in.data();
  descriptor.input_count = static_cast<int32_t>(in.size());
  descriptor.outputs = described.data();
  for (const char* scheme : {descriptor.scheme, static_cast<const char*>(nullptr)}) {
    descriptor.scheme = scheme;
    if (qconform::DefinesOperator(descriptor))
      return qconform::RunScalarOperator(descriptor, in, outputs);
  }
  return qconform::RunScalarOperator(plan_.call.get(), run_inputs_, run_outputs_);
}

}  // namespace saboteur
