#include "cli/parity/abi_operand.h"

#include "reference/ir/error.h"
#include "reference/numerics/code_type.h"

namespace qconform::parity {
namespace {

qc_dtype AbiDType(DType dtype) {
  switch (CodeDType(dtype)) {
    case DType::kFloat32:
      return QC_F32;
    case DType::kUInt8:
      return QC_U8;
    case DType::kInt8:
      return QC_S8;
    case DType::kInt32:
      return QC_S32;
    default:
      throw InputError("record", "dtype " + std::string(DTypeName(dtype)),
                       "float32 or codes of 8 or 32 bits");
  }
}

}  // namespace

AbiOperand::AbiOperand(Tensor tensor) : tensor_(std::move(tensor)) {
  view_.size = sizeof view_;
  view_.dtype = AbiDType(tensor_.dtype());
  view_.rank = tensor_.rank();
  view_.quantized_axis = -1;
  view_.data = tensor_.bytes();
  int64_t step = static_cast<int64_t>(ItemSize(tensor_.dtype()));
  for (int i = tensor_.rank() - 1; i >= 0; --i) {
    view_.shape[i] = tensor_.dim(i);
    view_.stride[i] = step;
    step *= tensor_.dim(i);
  }
  if (!tensor_.quantization()) return;
  const QuantizationParameters& parameters = *tensor_.quantization();
  scales_.assign(parameters.scale.begin(), parameters.scale.end());
  zero_points_.assign(parameters.zero_point.begin(), parameters.zero_point.end());
  view_.scale = scales_.data();
  view_.zero_point = zero_points_.data();
  view_.qparam_count = static_cast<int64_t>(scales_.size());
  view_.quantized_axis = parameters.axis;
}

}  // namespace qconform::parity
