#include <unordered_set>

#include "reference/formats/onnx_model.h"
#include "reference/formats/onnx_proto.h"
#include "reference/formats/tensor_size.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

OnnxAttribute ReadAttribute(const onnx::AttributeProto& proto, const std::string& where) {
  OnnxAttribute attribute{proto.name(), int64_t{0}};
  switch (proto.type()) {
    case onnx::AttributeProto::INT:
      attribute.value = static_cast<int64_t>(proto.i());
      break;
    case onnx::AttributeProto::FLOAT:
      attribute.value = proto.f();
      break;
    case onnx::AttributeProto::STRING:
      attribute.value = proto.s();
      break;
    case onnx::AttributeProto::INTS:
      attribute.value = std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
      break;
    case onnx::AttributeProto::FLOATS:
      attribute.value = std::vector<float>(proto.floats().begin(), proto.floats().end());
      break;
    default:
      throw InputError(where,
                       "attribute '" + Printable(proto.name()) + "' is of another kind",
                       "a number, a text or a list of numbers");
  }
  return attribute;
}

OnnxNode ReadNode(const onnx::NodeProto& proto, const std::string& file) {
  OnnxNode node;
  node.name = proto.name();
  node.op_type = proto.op_type();
  const std::string where = file + ": node '" + Printable(node.name) + "'";
  if (!proto.domain().empty() && proto.domain() != "ai.onnx") {
    throw InputError(where, "domain '" + Printable(proto.domain()) + "'",
                     "an operator of the standard domain");
  }
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  for (const onnx::AttributeProto& attribute : proto.attribute())
    node.attributes.push_back(ReadAttribute(attribute, where));
  return node;
}

OnnxValue ReadValue(const onnx::ValueInfoProto& proto, const std::string& file) {
  OnnxValue value;
  value.name = proto.name();
  const std::string where = file + ": value '" + Printable(value.name) + "'";
  if (!proto.type().has_tensor_type()) throw InputError(where, "is no tensor", "one");
  const auto& type = proto.type().tensor_type();
  const auto dtype = DTypeOfOnnx(type.elem_type());
  if (!dtype || !type.has_shape())
    throw InputError(where, "has no plain dtype or no shape", "both");
  value.dtype = *dtype;
  for (const auto& dim : type.shape().dim()) {
    if (!dim.has_dim_value())
      throw InputError(where, "has a size that is open", "a number");
    value.shape.push_back(dim.dim_value());
  }
  if (!CheckedByteSize(value.shape, value.dtype))
    throw InputError(where, "absurd shape " + ShapeText(value.shape));
  return value;
}

// Every input is there before it is read, and nothing is made twice.
void CheckNames(const OnnxModel& model, const std::string& file) {
  std::unordered_set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (name.empty() || !known.insert(name).second) {
      throw InputError(file,
                       "the value '" + Printable(name) + "' is made twice or has no name",
                       "one node, input or initializer for each");
    }
  };
  const auto require = [&](const std::string& name, const std::string& reader) {
    if (!known.contains(name)) {
      throw InputError(file, Printable(reader) + " reads '" + Printable(name) +
                                 "', which nothing before it makes");
    }
  };
  for (const auto& [name, tensor] : model.initializers) add(name);
  for (const OnnxValue& input : model.inputs) add(input.name);
  for (const OnnxNode& node : model.nodes) {
    for (const std::string& input : node.inputs)
      if (!input.empty()) require(input, "node '" + node.name + "'");
    for (const std::string& output : node.outputs)
      if (!output.empty()) add(output);
  }
  for (const OnnxValue& output : model.outputs) require(output.name, "the output");
}

}  // namespace

OnnxModel ParseOnnxModel(std::string_view bytes, const std::string& name) {
  onnx::ModelProto proto;
  if (bytes.size() > static_cast<size_t>(INT32_MAX) ||
      !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InputError(name, "is no protobuf of a ModelProto", "a model of ONNX");
  }
  OnnxModel model;
  model.producer = proto.producer_name();
  model.name = proto.graph().name();
  model.opset = 0;
  for (const auto& opset : proto.opset_import())
    if (opset.domain().empty() || opset.domain() == "ai.onnx")
      model.opset = opset.version();
  if (model.opset != kOnnxOpset) {
    throw InputError(name, "opset " + std::to_string(model.opset),
                     std::to_string(kOnnxOpset));
  }
  if (proto.functions_size() > 0 || proto.graph().sparse_initializer_size() > 0)
    throw InputError(name, "has functions or sparse tensors", "none");
  for (const onnx::TensorProto& tensor : proto.graph().initializer()) {
    const std::string where = name + ": tensor '" + Printable(tensor.name()) + "'";
    if (model.initializers.Find(tensor.name()) != nullptr)
      throw InputError(where, "is there twice", "once");
    model.initializers.Set(tensor.name(), TensorOfProto(tensor, where));
  }
  for (const onnx::ValueInfoProto& value : proto.graph().input())
    if (model.initializers.Find(value.name()) == nullptr)
      model.inputs.push_back(ReadValue(value, name));
  for (const onnx::ValueInfoProto& value : proto.graph().output())
    model.outputs.push_back(ReadValue(value, name));
  for (const onnx::NodeProto& node : proto.graph().node())
    model.nodes.push_back(ReadNode(node, name));
  CheckNames(model, name);
  return model;
}

}  // namespace qconform
