#include "reference/onnx/node_writer.h"

#include <algorithm>

#include "reference/numerics/quantize_value.h"

namespace qconform {
namespace {

bool IsPerTensor(const QuantizationParameters& quantization) {
  return quantization.axis < 0;
}

}  // namespace

std::string OnnxModelBuilder::Fresh(const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; !names_.insert(name).second; ++i)
    name = wanted + "." + std::to_string(i);
  return name;
}

std::string OnnxModelBuilder::Node(const std::string& step, const std::string& op_type,
                                   std::vector<std::string> inputs,
                                   std::vector<OnnxAttribute> attributes) {
  const std::string output = Fresh(step + "/" + op_type);
  result_.model.nodes.push_back(
      {output, op_type, std::move(inputs), {output}, std::move(attributes)});
  return output;
}

std::string OnnxModelBuilder::Constant(const std::string& wanted, Tensor tensor) {
  const std::string name = Fresh(wanted);
  result_.model.initializers.Set(name, std::move(tensor));
  return name;
}

void OnnxModelBuilder::Rename(const std::string& step, const std::string& name,
                              const std::string& wanted) {
  auto& nodes = result_.model.nodes;
  if (!nodes.empty() && nodes.back().outputs == std::vector<std::string>{name}) {
    nodes.back().outputs[0] = wanted;
    return;
  }
  // A value that others read too, or an input as it is.
  const std::string node = Fresh(step + "/Identity");
  nodes.push_back({node, "Identity", {name}, {wanted}, {}});
}

void NodeWriter::Refuse(const std::string& reason) const {
  throw OnnxRefusal(step_.node, reason);
}

void NodeWriter::Follow(const std::string& scheme) {
  if (scheme != step_.scheme) builder_.result().schemes[step_.node] = scheme;
}

bool NodeWriter::HasInput(size_t i) const {
  return i < step_.inputs.size() && step_.inputs[i] >= 0;
}

const ProgramValue& NodeWriter::Input(size_t i) const {
  if (!HasInput(i)) Refuse("input " + std::to_string(i) + " is missing");
  return program_.values[static_cast<size_t>(step_.inputs[i])];
}

const ProgramValue& NodeWriter::Output(size_t i) const {
  return program_.values[static_cast<size_t>(step_.outputs.at(i))];
}

const Tensor& NodeWriter::ConstantInput(size_t i, const char* what) const {
  const ProgramValue& value = Input(i);
  if (!value.constant) Refuse(std::string(what) + " is no constant");
  return *value.constant;
}

std::string NodeWriter::Codes(size_t i) const { return Input(i).name; }

std::string NodeWriter::Node(const std::string& op_type, std::vector<std::string> inputs,
                             std::vector<OnnxAttribute> attributes) {
  return builder_.Node(step_.node, op_type, std::move(inputs), std::move(attributes));
}

std::string NodeWriter::Constant(const std::string& what, Tensor tensor) {
  return builder_.Constant(step_.node + "/" + what, std::move(tensor));
}

std::string NodeWriter::Scalar(const std::string& what, float value) {
  return Floats(what, {value}, {});
}

std::string NodeWriter::Integers(const std::string& what,
                                 const std::vector<int64_t>& values) {
  return Constant(
      what,
      Tensor::FromVector(DType::kInt64, {static_cast<int64_t>(values.size())}, values));
}

std::string NodeWriter::Floats(const std::string& what, const std::vector<float>& values,
                               Shape shape) {
  if (values.size() != 1 && shape.empty()) shape = {static_cast<int64_t>(values.size())};
  return Constant(what, Tensor::FromVector(DType::kFloat32, std::move(shape), values));
}

std::string NodeWriter::Code(const std::string& what, int64_t code, DType like) {
  Tensor tensor(like, {});
  if (ItemSize(like) == 1) {
    *tensor.data<uint8_t>() = static_cast<uint8_t>(code);
  } else {
    *tensor.data<int32_t>() = static_cast<int32_t>(code);
  }
  return Constant(what, std::move(tensor));
}

std::string NodeWriter::QuantizationScale(const ProgramValue& value,
                                          const std::string& what) {
  const QuantizationParameters& quantization = *value.quantization;
  const std::vector<float> scale(quantization.scale.begin(), quantization.scale.end());
  Shape shape;
  if (!IsPerTensor(quantization)) shape = {static_cast<int64_t>(scale.size())};
  return Floats(what + ".scale", scale, shape);
}

std::string NodeWriter::QuantizationZeroPoint(const ProgramValue& value,
                                              const std::string& what) {
  const QuantizationParameters& quantization = *value.quantization;
  if (value.float_zero_point) Refuse(value.name + " has a float zero point");
  if (value.dtype != DType::kUInt8 && value.dtype != DType::kInt8)
    Refuse("zero points of " + std::string(DTypeName(value.dtype)) + " codes");
  Shape shape;
  if (!IsPerTensor(quantization))
    shape = {static_cast<int64_t>(quantization.scale.size())};
  Tensor tensor(value.dtype, shape);
  for (size_t i = 0; i < quantization.zero_point.size(); ++i)
    tensor.data<uint8_t>()[i] =
        static_cast<uint8_t>(static_cast<int64_t>(quantization.zero_point[i]));
  return Constant(what + ".zero_point", std::move(tensor));
}

std::string NodeWriter::Real(size_t i) {
  const ProgramValue& value = Input(i);
  if (!IsQuantized(value)) {
    if (value.dtype == DType::kFloat32) return value.name;
    if (value.dtype == DType::kInt32)
      return Node("Cast", {value.name}, {{"to", int64_t{1}}});
    Refuse(value.name + " is " + std::string(DTypeName(value.dtype)));
  }
  const QuantizationParameters& quantization = *value.quantization;
  std::vector<std::string> inputs = {value.name, QuantizationScale(value, value.name)};
  if (value.dtype == DType::kInt32) {
    const bool shifted =
        std::any_of(quantization.zero_point.begin(), quantization.zero_point.end(),
                    [](double zero) { return zero != 0; });
    if (shifted) Refuse("DequantizeLinear takes no zero point for int32 codes");
  } else {
    inputs.push_back(QuantizationZeroPoint(value, value.name));
  }
  std::vector<OnnxAttribute> attributes;
  if (!IsPerTensor(quantization))
    attributes.push_back({"axis", static_cast<int64_t>(quantization.axis)});
  return Node("DequantizeLinear", std::move(inputs), std::move(attributes));
}

std::string NodeWriter::Activated(std::string real) {
  const qc_attributes& a = attributes();
  const auto apply = [&](qc_operator_kind kind, float minimum = 0, float maximum = 0) {
    return WriteRealActivation(*this, kind, real, a.activation_alpha, minimum, maximum);
  };
  switch (a.activation) {
    case QC_ACTIVATION_NONE:
      return real;
    case QC_ACTIVATION_RELU:
      return apply(QC_RELU);
    case QC_ACTIVATION_RELU6:
      return apply(QC_RELU6);
    case QC_ACTIVATION_CLAMP:
      return apply(QC_CLAMP, a.activation_min, a.activation_max);
    case QC_ACTIVATION_LEAKY_RELU:
      return apply(QC_LEAKY_RELU);
    case QC_ACTIVATION_TANH:
      return apply(QC_TANH);
    case QC_ACTIVATION_GELU:
      return apply(QC_GELU);
    case QC_ACTIVATION_HARDSWISH:
      return apply(QC_HARDSWISH);
    case QC_ACTIVATION_SILU:
      return Node("Mul", {real, Node("Sigmoid", {real})});
    default:
      Refuse("fused activation " + std::to_string(a.activation));
  }
}

void NodeWriter::StoreReal(const std::string& real) {
  const ProgramValue& output = Output();
  if (!IsQuantized(output)) {
    if (output.dtype != DType::kFloat32)
      Refuse("its result is " + std::string(DTypeName(output.dtype)) +
             " without a scale");
    return Store(real);
  }
  if (output.dtype != DType::kUInt8 && output.dtype != DType::kInt8)
    Refuse("QuantizeLinear gives no " + std::string(DTypeName(output.dtype)) + " codes");
  std::vector<OnnxAttribute> attributes;
  if (!IsPerTensor(*output.quantization))
    attributes.push_back({"axis", static_cast<int64_t>(output.quantization->axis)});
  StoreCodes(Node("QuantizeLinear",
                  {real, QuantizationScale(output, output.name),
                   QuantizationZeroPoint(output, output.name)},
                  std::move(attributes)),
             CodesOf(output));
}

void NodeWriter::StoreCodes(const std::string& codes, IntegerRange bounds) {
  const DType dtype = Output().dtype;
  const IntegerRange whole = CodeRange(dtype);
  if (bounds.min <= whole.min && bounds.max >= whole.max) return Store(codes);
  Store(Node("Clip", {codes, Code("least_code", bounds.min, dtype),
                      Code("greatest_code", bounds.max, dtype)}));
}

void NodeWriter::Store(const std::string& value, size_t output) {
  builder_.Rename(step_.node, value, Output(output).name);
}

bool NodeWriter::MovesCodes() const {
  const ProgramValue& in = Input(0);
  const ProgramValue& out = Output();
  if (!IsQuantized(in) || !IsQuantized(out)) return false;
  const IntegerRange a = CodesOf(in);
  const IntegerRange b = CodesOf(out);
  return in.dtype == out.dtype && a.min == b.min && a.max == b.max &&
         *in.quantization == *out.quantization && in.quantization->axis < 0;
}

std::string NodeWriter::Moved(size_t i) {
  return form_ != OnnxForm::kQdq && MovesCodes() ? Codes(i) : Real(i);
}

void NodeWriter::StoreMoved(const std::string& value) {
  if (form_ != OnnxForm::kQdq && MovesCodes()) return Store(value);
  StoreReal(value);
}

IntegerRange CodesOf(const ProgramValue& value) {
  if (value.quant_min != value.quant_max) return {value.quant_min, value.quant_max};
  return CodeRange(value.dtype);
}

bool IsBoundActivation(const qc_attributes& attributes) {
  return attributes.activation >= QC_ACTIVATION_NONE &&
         attributes.activation <= QC_ACTIVATION_CLAMP;
}

IntegerRange FusedCodes(const qc_attributes& a, const ProgramValue& output) {
  const IntegerRange bounds = CodesOf(output);
  const auto scale = static_cast<float>(output.quantization->scale[0]);
  const auto code_of = [&](float bound) -> int64_t {
    return QuantizeSaturating(bound, ReciprocalScale(scale),
                              static_cast<int32_t>(output.quantization->zero_point[0]),
                              static_cast<int32_t>(bounds.min),
                              static_cast<int32_t>(bounds.max));
  };
  switch (a.activation) {
    case QC_ACTIVATION_CLAMP:
      return {code_of(a.activation_min), code_of(a.activation_max)};
    case QC_ACTIVATION_RELU:
      return {code_of(0.0f), bounds.max};
    case QC_ACTIVATION_RELU6:
      return {code_of(0.0f), code_of(6.0f)};
    default:
      return bounds;
  }
}

std::vector<int64_t> Spatial(const int64_t (&values)[3], int rank) {
  return {values, values + rank};
}

}  // namespace qconform
