#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "reference/formats/onnx_model.h"
#include "reference/formats/onnx_proto.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Of opset 17 (onnx/onnx.proto, VERSION in onnx 1.12).
constexpr int64_t kIrVersion = 8;

struct AttributeWriter {
  onnx::AttributeProto& proto;

  void operator()(int64_t value) const {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(value);
  }
  void operator()(float value) const {
    proto.set_type(onnx::AttributeProto::FLOAT);
    proto.set_f(value);
  }
  void operator()(const std::string& value) const {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(value);
  }
  void operator()(const std::vector<int64_t>& values) const {
    proto.set_type(onnx::AttributeProto::INTS);
    for (const int64_t value : values) proto.add_ints(value);
  }
  void operator()(const std::vector<float>& values) const {
    proto.set_type(onnx::AttributeProto::FLOATS);
    for (const float value : values) proto.add_floats(value);
  }
};

void FillNode(const OnnxNode& node, onnx::NodeProto& proto) {
  for (const std::string& input : node.inputs) proto.add_input(input);
  for (const std::string& output : node.outputs) proto.add_output(output);
  proto.set_name(node.name);
  proto.set_op_type(node.op_type);
  for (const OnnxAttribute& attribute : node.attributes) {
    onnx::AttributeProto& added = *proto.add_attribute();
    added.set_name(attribute.name);
    std::visit(AttributeWriter{added}, attribute.value);
  }
}

void FillValue(const OnnxValue& value, onnx::ValueInfoProto& proto) {
  proto.set_name(value.name);
  onnx::TypeProto_Tensor& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(OnnxDType(value.dtype));
  onnx::TensorShapeProto& shape = *type.mutable_shape();
  for (const int64_t size : value.shape) shape.add_dim()->set_dim_value(size);
}

}  // namespace

std::string OnnxModelBytes(const OnnxModel& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(kIrVersion);
  proto.set_producer_name(model.producer);
  proto.add_opset_import()->set_version(model.opset);
  onnx::GraphProto& graph = *proto.mutable_graph();
  graph.set_name(model.name);
  uint64_t data = 0;
  for (const auto& [name, tensor] : model.initializers) data += tensor.byte_size();
  if (data > static_cast<uint64_t>(INT32_MAX))
    throw InputError(model.name, "is larger than protobuf's 2 GiB");
  for (const OnnxNode& node : model.nodes) FillNode(node, *graph.add_node());
  for (const auto& [name, tensor] : model.initializers)
    FillTensorProto(name, tensor, *graph.add_initializer());
  for (const OnnxValue& value : model.inputs) FillValue(value, *graph.add_input());
  for (const OnnxValue& value : model.outputs) FillValue(value, *graph.add_output());
  if (proto.ByteSizeLong() > static_cast<size_t>(INT32_MAX))
    throw InputError(model.name, "is larger than protobuf's 2 GiB");
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  proto.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace qconform
