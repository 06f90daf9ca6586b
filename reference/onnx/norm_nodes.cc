// Normalizations: by stored statistics and by the input's own.
#include "reference/onnx/node_writer.h"

namespace qconform {
namespace {

// Parameter `i`, or as many of `otherwise`.
std::string Parameter(NodeWriter& writer, size_t i, const Shape& shape, float otherwise) {
  if (writer.HasInput(i)) return writer.Real(i);
  return writer.Floats(
      "parameter", std::vector<float>(static_cast<size_t>(NumElements(shape)), otherwise),
      shape);
}

// [C] against x [N, C, spatial].
std::string PerChannel(NodeWriter& writer, size_t i, const Shape& x) {
  std::vector<int64_t> shape(x.size() - 1, 1);
  shape[0] = x[1];
  return writer.Node("Reshape",
                     {writer.Real(i), writer.Integers("channels.shape", shape)});
}

// GroupNormalization is not in the opset: a group is an instance of its own.
void WriteGroupNorm(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const Shape& x = writer.Input(0).shape;
  if (NumElements(x) == 0) writer.Refuse("a group without elements");
  const int64_t groups = a.group_count;
  const std::string rows = writer.Node(
      "Reshape", {writer.Real(0), writer.Integers("groups.shape", {x[0], groups, -1})});
  const Shape parameters = {groups};
  const std::vector<float> ones(static_cast<size_t>(groups), 1.0f);
  const std::vector<float> zeros(static_cast<size_t>(groups), 0.0f);
  std::string y = writer.Node("InstanceNormalization",
                              {rows, writer.Floats("ones", ones, parameters),
                               writer.Floats("zeros", zeros, parameters)},
                              {{"epsilon", a.epsilon}});
  y = writer.Node("Reshape", {y, writer.Integers("shape", x)});
  if (writer.HasInput(1)) y = writer.Node("Mul", {y, PerChannel(writer, 1, x)});
  if (writer.HasInput(2)) y = writer.Node("Add", {y, PerChannel(writer, 2, x)});
  writer.StoreReal(writer.Activated(y));
}

}  // namespace

void WriteBatchNorm(NodeWriter& writer) {
  const Shape channels = {writer.Input(0).shape[1]};
  std::vector<std::string> inputs = {writer.Real(0)};
  for (size_t i = 1; i <= 4; ++i)
    inputs.push_back(Parameter(writer, i, channels, i == 1 || i == 4 ? 1.0f : 0.0f));
  writer.StoreReal(
      writer.Activated(writer.Node("BatchNormalization", std::move(inputs),
                                   {{"epsilon", writer.attributes().epsilon}})));
}

void WriteNorm(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const Shape& x = writer.Input(0).shape;
  if (writer.step().kind == QC_GROUP_NORM) return WriteGroupNorm(writer);
  if (writer.step().kind == QC_INSTANCE_NORM) {
    const Shape channels = {x[1]};
    const std::string y =
        writer.Node("InstanceNormalization",
                    {writer.Real(0), Parameter(writer, 1, channels, 1.0f),
                     Parameter(writer, 2, channels, 0.0f)},
                    {{"epsilon", a.epsilon}});
    return writer.StoreReal(writer.Activated(y));
  }
  const Shape normalized(x.begin() + a.axis, x.end());
  std::vector<std::string> inputs = {writer.Real(0),
                                     Parameter(writer, 1, normalized, 1.0f)};
  if (writer.HasInput(2)) inputs.push_back(writer.Real(2));
  writer.StoreReal(writer.Activated(
      writer.Node("LayerNormalization", std::move(inputs),
                  {{"axis", static_cast<int64_t>(a.axis)}, {"epsilon", a.epsilon}})));
}

}  // namespace qconform
