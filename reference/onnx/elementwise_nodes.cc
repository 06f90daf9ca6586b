// Sums, products and functions of one number.
#include <algorithm>

#include "reference/onnx/node_writer.h"

namespace qconform {
namespace {

// x * min(max(x + 3, 0), 6) / 6 and so on in the steps of torch, where ONNX has one
// operator with another rounding.
std::string ShiftedRelu6(NodeWriter& writer, const std::string& x) {
  const std::string shifted = writer.Node("Add", {x, writer.Scalar("three", 3.0f)});
  return writer.Node("Clip",
                     {shifted, writer.Scalar("zero", 0.0f), writer.Scalar("six", 6.0f)});
}

std::string Gelu(NodeWriter& writer, const std::string& x) {
  std::string inner;
  if (writer.attributes().approximate_tanh != 0) {
    const std::string cube = writer.Node("Mul", {x, writer.Node("Mul", {x, x})});
    const std::string part =
        writer.Node("Mul", {cube, writer.Scalar("cubic", 0.044715f)});
    const std::string sum = writer.Node("Add", {x, part});
    inner = writer.Node(
        "Tanh", {writer.Node("Mul", {sum, writer.Scalar("root", 0.7978845608028654f)})});
  } else {
    inner = writer.Node(
        "Erf", {writer.Node("Mul", {x, writer.Scalar("root", 0.7071067811865475f)})});
  }
  const std::string one = writer.Node("Add", {inner, writer.Scalar("one", 1.0f)});
  const std::string half = writer.Node("Mul", {x, writer.Scalar("half", 0.5f)});
  return writer.Node("Mul", {half, one});
}

}  // namespace

std::string WriteRealActivation(NodeWriter& writer, qc_operator_kind kind,
                                const std::string& x, float alpha, float minimum,
                                float maximum) {
  const auto clip = [&](float low, float high) {
    return writer.Node(
        "Clip", {x, writer.Scalar("minimum", low), writer.Scalar("maximum", high)});
  };
  switch (kind) {
    case QC_RELU:
      return writer.Node("Relu", {x});
    case QC_RELU6:
      return clip(0.0f, 6.0f);
    case QC_CLAMP:
      return clip(minimum, maximum);
    case QC_LEAKY_RELU:
      return writer.Node("LeakyRelu", {x}, {{"alpha", alpha}});
    case QC_ELU:
      return writer.Node("Elu", {x}, {{"alpha", alpha}});
    case QC_HARDSWISH:
      return writer.Node("Div", {writer.Node("Mul", {x, ShiftedRelu6(writer, x)}),
                                 writer.Scalar("divisor", 6.0f)});
    case QC_HARDSIGMOID:
      return writer.Node("Div",
                         {ShiftedRelu6(writer, x), writer.Scalar("divisor", 6.0f)});
    case QC_SIGMOID:
      return writer.Node("Sigmoid", {x});
    case QC_TANH:
      return writer.Node("Tanh", {x});
    case QC_GELU:
      return Gelu(writer, x);
    default:
      writer.Refuse("activation of kind " + std::to_string(kind));
  }
}

void WriteActivation(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const qc_operator_kind kind = writer.step().kind;
  const bool bound = kind == QC_RELU || kind == QC_RELU6 || kind == QC_CLAMP;
  if (bound && writer.form() != OnnxForm::kQdq && writer.MovesCodes()) {
    qc_attributes fused = a;
    fused.activation = kind == QC_RELU    ? QC_ACTIVATION_RELU
                       : kind == QC_RELU6 ? QC_ACTIVATION_RELU6
                                          : QC_ACTIVATION_CLAMP;
    fused.activation_min = a.minimum;
    fused.activation_max = a.maximum;
    return writer.StoreCodes(writer.Codes(0), FusedCodes(fused, writer.Output()));
  }
  writer.StoreReal(
      WriteRealActivation(writer, kind, writer.Real(0), a.alpha, a.minimum, a.maximum));
}

void WriteBinary(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const qc_operator_kind kind = writer.step().kind;
  std::string left = writer.Real(0);
  std::string right =
      writer.HasInput(1) ? writer.Real(1) : writer.Scalar("scalar", a.scalar);
  if (!writer.HasInput(1) && a.scalar_first != 0) std::swap(left, right);
  // 0 stands for a field that nobody set.
  if (kind != QC_MUL && a.alpha != 0.0f && a.alpha != 1.0f)
    right = writer.Node("Mul", {right, writer.Scalar("alpha", a.alpha)});
  const char* op_type = kind == QC_MUL ? "Mul" : kind == QC_SUB ? "Sub" : "Add";
  writer.StoreReal(writer.Activated(writer.Node(op_type, {left, right})));
}

void WriteSoftmax(NodeWriter& writer) {
  writer.StoreReal(
      writer.Node("Softmax", {writer.Real(0)},
                  {{"axis", static_cast<int64_t>(writer.attributes().axis)}}));
}

void WritePrelu(NodeWriter& writer) {
  const Shape& x = writer.Input(0).shape;
  std::string slope = writer.Real(1);
  // One a channel, which is dimension 1.
  const int64_t slopes = NumElements(writer.Input(1).shape);
  if (slopes != 1 && x.size() > 2) {
    std::vector<int64_t> shape(x.size() - 1, 1);
    shape[0] = slopes;
    slope = writer.Node("Reshape", {slope, writer.Integers("slope.shape", shape)});
  }
  writer.StoreReal(writer.Node("PRelu", {writer.Real(0), slope}));
}

}  // namespace qconform
