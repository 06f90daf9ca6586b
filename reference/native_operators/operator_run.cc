#include "reference/native_operators/operator_run.h"

#include <list>

#include "reference/numerics/code_type.h"
#include "reference/numerics/describe.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform {
namespace {

// A tensor as the ABI sees it; owns the parameters.
struct Operand {
  qc_tensor view{};
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
};

void Describe(const Tensor& tensor, const Call& call, Operand& operand) {
  qc_tensor& view = operand.view;
  view.size = sizeof view;
  switch (CodeDType(tensor.dtype())) {
    case DType::kFloat32:
      view.dtype = QC_F32;
      break;
    case DType::kUInt8:
      view.dtype = QC_U8;
      break;
    case DType::kInt8:
      view.dtype = QC_S8;
      break;
    case DType::kInt32:
      view.dtype = QC_S32;
      break;
    default:
      call.Fail("dtype " + std::string(DTypeName(tensor.dtype())),
                "float32 or codes of 8 or 32 bits");
  }
  view.rank = tensor.rank();
  view.quantized_axis = -1;
  view.data = const_cast<std::byte*>(tensor.bytes());
  int64_t step = static_cast<int64_t>(ItemSize(tensor.dtype()));
  for (int i = tensor.rank() - 1; i >= 0; --i) {
    view.shape[i] = tensor.dim(i);
    view.stride[i] = step;
    step *= tensor.dim(i);
  }
  if (!tensor.quantization()) return;
  const QuantizationParameters& parameters = *tensor.quantization();
  operand.scales.assign(parameters.scale.begin(), parameters.scale.end());
  operand.zero_points.assign(parameters.zero_point.begin(), parameters.zero_point.end());
  view.scale = operand.scales.data();
  view.zero_point = operand.zero_points.data();
  view.qparam_count = static_cast<int64_t>(operand.scales.size());
  view.quantized_axis = parameters.axis;
}

}  // namespace

Tensor RunOperator(const OperatorRun& run, DType dtype, const Shape& shape,
                   const std::optional<QuantizationParameters>& parameters,
                   const Call& call) {
  Tensor result(dtype, shape);
  if (parameters) result.set_quantization(*parameters);
  std::list<Operand> operands;
  std::vector<const qc_tensor*> inputs;
  for (const Tensor* input : run.inputs) {
    if (input == nullptr) {
      inputs.push_back(nullptr);
      continue;
    }
    Describe(*input, call, operands.emplace_back());
    inputs.push_back(&operands.back().view);
  }
  Describe(result, call, operands.emplace_back());
  qc_tensor* output = &operands.back().view;
  const qc_tensor* described = output;
  qc_attributes attributes = run.attributes;
  attributes.size = sizeof attributes;
  qc_descriptor descriptor = Descriptor(run.kind, attributes, inputs, {&described, 1});
  descriptor.scheme = run.scheme.empty() ? nullptr : run.scheme.c_str();
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) call.Fail(reason);
  std::vector<qc_tensor*> outputs = {output};
  RunScalarOperator(descriptor, inputs, outputs);
  return result;
}

QuantizationParameters PerTensor(double scale, int64_t zero_point) {
  return {{scale}, {static_cast<double>(zero_point)}, -1};
}

}  // namespace qconform
