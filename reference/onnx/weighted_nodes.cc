// Convolutions, linear layers and matrix products in float: DequantizeLinear in front,
// QuantizeLinear behind. The integer forms are in integer_nodes.cc.
#include "reference/onnx/weighted_nodes.h"

#include "reference/onnx/dynamic_nodes.h"

namespace qconform {
namespace {

int64_t OneIfZero(int64_t value) { return value == 0 ? 1 : value; }

// Of the bias of an accumulator: in * w, in float32 as the schemes take it.
std::vector<float> ProductScales(const NodeWriter& writer) {
  const auto in = static_cast<float>(writer.Input(0).quantization->scale[0]);
  std::vector<float> scales;
  for (const double w : writer.Input(1).quantization->scale)
    scales.push_back(in * static_cast<float>(w));
  return scales;
}

}  // namespace

std::vector<OnnxAttribute> ConvolutionAttributes(const NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const int rank = a.spatial_rank;
  std::vector<int64_t> stride = Spatial(a.stride, rank);
  std::vector<int64_t> dilation = Spatial(a.dilation, rank);
  for (int64_t& value : stride) value = OneIfZero(value);
  for (int64_t& value : dilation) value = OneIfZero(value);
  // Another border than zero has a node of its own.
  std::vector<int64_t> pads(static_cast<size_t>(2 * rank), 0);
  if (a.padding_mode == QC_PADDING_ZEROS) {
    pads = Spatial(a.padding_before, rank);
    for (const int64_t after : Spatial(a.padding_after, rank)) pads.push_back(after);
  }
  const Shape& w = writer.Input(1).shape;
  return {{"kernel_shape", std::vector<int64_t>(w.begin() + 2, w.end())},
          {"strides", stride},
          {"pads", pads},
          {"dilations", dilation},
          {"group", OneIfZero(a.groups)}};
}

std::string PaddedInput(NodeWriter& writer, const std::string& x) {
  const qc_attributes& a = writer.attributes();
  if (a.padding_mode == QC_PADDING_ZEROS) return x;
  std::vector<int64_t> before = {0, 0};
  std::vector<int64_t> after = {0, 0};
  for (int i = 0; i < a.spatial_rank; ++i) {
    before.push_back(a.padding_before[i]);
    after.push_back(a.padding_after[i]);
  }
  return WritePadding(writer, x, static_cast<qc_padding_mode>(a.padding_mode), before,
                      after, "");
}

std::string RealBias(NodeWriter& writer) {
  if (!writer.HasInput(2)) return "";
  const ProgramValue& bias = writer.Input(2);
  if (bias.dtype == DType::kFloat32) return bias.name;
  // s32 counts in units of in * w.
  if (!IsQuantized(writer.Input(0)) || !IsQuantized(writer.Input(1)))
    writer.Refuse("a bias of codes beside an input without a scale");
  const std::vector<float> scales = ProductScales(writer);
  if (scales.size() == 1) {
    return writer.Node("DequantizeLinear",
                       {bias.name, writer.Floats("bias.scale", scales)});
  }
  const auto count = static_cast<int64_t>(scales.size());
  // A transposed convolution has its scales once a group.
  std::vector<float> all;
  for (int64_t o = 0; o < NumElements(bias.shape); ++o)
    all.push_back(scales[static_cast<size_t>(o % count)]);
  return writer.Node("DequantizeLinear",
                     {bias.name, writer.Floats("bias.scale", all, bias.shape)},
                     {{"axis", int64_t{0}}});
}

void WriteConvolution(NodeWriter& writer) {
  const ProgramValue& x = writer.Input(0);
  const qc_attributes& a = writer.attributes();
  if (x.shape.size() != static_cast<size_t>(a.spatial_rank) + 2)
    writer.Refuse("its input is not [N, C, spatial]");
  const bool transposed = writer.step().kind == QC_CONV_TRANSPOSE;
  if (!transposed && WriteIntegerConvolution(writer)) return;
  std::vector<OnnxAttribute> attributes = ConvolutionAttributes(writer);
  if (transposed) {
    attributes.push_back({"output_padding", Spatial(a.output_padding, a.spatial_rank)});
  }
  std::vector<std::string> inputs = {PaddedInput(writer, writer.Real(0)), writer.Real(1)};
  if (const std::string bias = RealBias(writer); !bias.empty()) inputs.push_back(bias);
  std::string y = writer.Node(transposed ? "ConvTranspose" : "Conv", std::move(inputs),
                              std::move(attributes));
  if (a.residual != 0) y = writer.Node("Add", {y, writer.Real(3)});
  writer.StoreReal(writer.Activated(y));
}

void WriteLinear(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  if (WriteIntegerLinear(writer)) return;
  std::string x;
  if (a.dynamic != 0) {
    const DynamicNames names = WriteDynamicCodes(writer);
    x = writer.Node("DequantizeLinear", {names.codes, names.scale, names.zero_point});
  } else {
    x = writer.Real(0);
  }
  const std::string w = writer.Real(1);
  const std::string bias = RealBias(writer);
  std::string y;
  if (writer.Input(0).shape.size() == 2) {
    std::vector<std::string> inputs = {x, w};
    if (!bias.empty()) inputs.push_back(bias);
    y = writer.Node("Gemm", std::move(inputs), {{"transB", int64_t{1}}});
  } else {
    const std::string turned =
        writer.Node("Transpose", {w}, {{"perm", std::vector<int64_t>{1, 0}}});
    y = writer.Node("MatMul", {x, turned});
    if (!bias.empty()) y = writer.Node("Add", {y, bias});
  }
  if (a.residual != 0) y = writer.Node("Add", {y, writer.Real(3)});
  writer.StoreReal(writer.Activated(y));
}

void WriteMatmul(NodeWriter& writer) {
  if (writer.form() == OnnxForm::kOperator && WriteQLinearMatmul(writer)) return;
  const std::string a = writer.Real(0);
  const std::string b = writer.Real(1);
  writer.StoreReal(writer.Node("MatMul", {a, b}));
}

}  // namespace qconform
