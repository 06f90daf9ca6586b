#include "conformance/adapters/onnxruntime/operator_model.h"

#include <onnx/onnx_pb.h>

#include "conformance/adapters/peer_call/peer_call.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::onnxruntime {
namespace {

using Shape = std::vector<int64_t>;

class Builder {
 public:
  Builder() {
    model_.set_ir_version(8);
    for (const auto& [domain, version] :
         {std::pair<const char*, int>{"", 15}, {"com.microsoft", 1}}) {
      auto* import = model_.add_opset_import();
      import->set_domain(domain);
      import->set_version(version);
    }
    graph_ = model_.mutable_graph();
    graph_->set_name("operator");
  }

  template <typename T>
  void Constant(const std::string& name, int type, const Shape& shape,
                const std::vector<T>& values) {
    auto* tensor = graph_->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const int64_t size : shape) tensor->add_dims(size);
    tensor->set_raw_data(values.data(), values.size() * sizeof(T));
  }
  // `name`_scale and `name`_zero_point.
  void Qparams(const std::string& name, const qc_tensor& tensor, bool to_u8 = false) {
    std::vector<float> scale;
    std::vector<int8_t> zero_point;  // the low byte of either type
    const int64_t count = tensor.quantized_axis < 0 ? 1 : tensor.qparam_count;
    for (int64_t i = 0; i < count; ++i) {
      scale.push_back(ScaleAt(tensor, i));
      zero_point.push_back(
          static_cast<int8_t>(ZeroPointAt(tensor, i) + (to_u8 ? 128 : 0)));
    }
    const Shape shape = tensor.quantized_axis < 0 ? Shape{} : Shape{count};
    Constant(name + "_scale", onnx::TensorProto::FLOAT, shape, scale);
    Constant(name + "_zero_point",
             to_u8 ? static_cast<int>(onnx::TensorProto::UINT8) : CodeType(tensor), shape,
             zero_point);
  }

  void Value(bool input, const std::string& name, int type, const Shape& shape) {
    auto* value = input ? graph_->add_input() : graph_->add_output();
    value->set_name(name);
    auto* tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    for (const int64_t size : shape)
      tensor->mutable_shape()->add_dim()->set_dim_value(size);
  }

  onnx::NodeProto& Node(const std::string& kind, const std::string& domain,
                        const std::vector<std::string>& inputs,
                        const std::string& output) {
    auto* node = graph_->add_node();
    node->set_op_type(kind);
    node->set_domain(domain);
    for (const std::string& input : inputs) node->add_input(input);
    node->add_output(output);
    return *node;
  }

  std::string Serialize() const { return model_.SerializeAsString(); }

 private:
  onnx::ModelProto model_;
  onnx::GraphProto* graph_;
};

void Attribute(onnx::NodeProto& node, const std::string& name, int64_t value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void Attribute(onnx::NodeProto& node, const std::string& name, const Shape& values) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INTS);
  for (const int64_t value : values) attribute->add_ints(value);
}

Shape ChannelsLast(const qc_tensor& tensor) {
  Shape shape = ShapeOf(tensor);
  shape.push_back(shape[1]);
  shape.erase(shape.begin() + 1);
  return shape;
}

Shape Rows(const qc_tensor& tensor) {
  const int64_t columns = tensor.shape[tensor.rank - 1];
  return {columns == 0 ? 0 : ElementCount(tensor) / columns, columns};
}

int64_t OrOne(int64_t value) { return value == 0 ? 1 : value; }

void SetWindow(onnx::NodeProto& node, const qc_attributes& attributes,
               const qc_tensor& weight) {
  const int rank = weight.rank - 2;
  Shape kernel, stride, dilation, pads;
  for (int i = 0; i < rank; ++i) {
    kernel.push_back(weight.shape[2 + i]);
    stride.push_back(OrOne(attributes.stride[i]));
    dilation.push_back(OrOne(attributes.dilation[i]));
    pads.push_back(attributes.padding_before[i]);
  }
  for (int i = 0; i < rank; ++i) pads.push_back(attributes.padding_after[i]);
  Attribute(node, "kernel_shape", kernel);
  Attribute(node, "strides", stride);
  Attribute(node, "dilations", dilation);
  Attribute(node, "pads", pads);
  Attribute(node, "group", OrOne(attributes.groups));
  Attribute(node, "channels_last", 1);
}

Shape Flat(const qc_tensor& tensor) { return {ElementCount(tensor)}; }

// QLinearAdd, NhwcMaxPool or QLinearGlobalAveragePool.
OperatorModel MakeUnweightedModel(const qc_descriptor& descriptor) {
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  const bool add = descriptor.kind == QC_ADD;
  OperatorModel model;
  model.source = add ? Flat(x) : ChannelsLast(x);
  model.result = add ? Flat(y) : ChannelsLast(y);
  Builder builder;
  builder.Value(true, "x", CodeType(x), model.source);
  builder.Value(false, "y", CodeType(y), model.result);
  builder.Qparams("x", x);
  builder.Qparams("y", y);
  if (add) {
    model.second = model.source;
    builder.Value(true, "w", CodeType(x), model.second);
    builder.Qparams("w", *descriptor.inputs[1]);
    builder.Node("QLinearAdd", "com.microsoft",
                 {"x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point",
                  "y_scale", "y_zero_point"},
                 "y");
  } else if (descriptor.kind == QC_MAX_POOL) {
    onnx::NodeProto& node = builder.Node("NhwcMaxPool", "com.microsoft", {"x"}, "y");
    const PoolWindow window = PoolWindowOf(descriptor);
    Attribute(node, "kernel_shape", window.kernel);
    Attribute(node, "strides", window.stride);
    Attribute(node, "dilations", window.dilation);
    Shape pads = window.before;
    pads.insert(pads.end(), window.after.begin(), window.after.end());
    Attribute(node, "pads", pads);
  } else {
    onnx::NodeProto& node =
        builder.Node("QLinearGlobalAveragePool", "com.microsoft",
                     {"x", "x_scale", "x_zero_point", "y_scale", "y_zero_point"}, "y");
    Attribute(node, "channels_last", 1);
  }
  model.bytes = builder.Serialize();
  return model;
}

}  // namespace

int CodeType(const qc_tensor& tensor) {
  return tensor.dtype == QC_U8 ? onnx::TensorProto::UINT8 : onnx::TensorProto::INT8;
}

OperatorModel MakeOperatorModel(const qc_descriptor& descriptor,
                                const qc_tensor* const* constants, bool u8_weights) {
  if (descriptor.kind == QC_ADD || descriptor.kind == QC_MAX_POOL ||
      descriptor.kind == QC_ADAPTIVE_AVG_POOL) {
    return MakeUnweightedModel(descriptor);
  }
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& w = *descriptor.inputs[1];
  const qc_tensor& y = *descriptor.outputs[0];
  const bool conv = descriptor.kind == QC_CONV;
  const bool linear = descriptor.kind == QC_LINEAR;
  OperatorModel model;
  model.source = conv ? ChannelsLast(x) : linear ? Rows(x) : ShapeOf(x);
  model.result = conv ? ChannelsLast(y) : linear ? Rows(y) : ShapeOf(y);
  Builder builder;
  builder.Value(true, "x", CodeType(x), model.source);
  builder.Value(false, "y", CodeType(y), model.result);
  builder.Qparams("x", x);
  const bool to_u8 = u8_weights && (conv || linear) && x.dtype == QC_U8;
  builder.Qparams("w", w, to_u8);
  builder.Qparams("y", y);
  std::vector<std::string> inputs = {"x", "x_scale", "x_zero_point",
                                     "w", "w_scale", "w_zero_point"};
  if (conv || linear) {
    const auto* codes = static_cast<const uint8_t*>(constants[1]->data);
    std::vector<uint8_t> weight(codes, codes + ElementCount(w));
    if (to_u8) {
      for (uint8_t& code : weight) code ^= 0x80;
    }
    builder.Constant("w",
                     to_u8 ? static_cast<int>(onnx::TensorProto::UINT8) : CodeType(w),
                     ShapeOf(w), weight);
  } else {
    model.second = ShapeOf(w);
    builder.Value(true, "w", CodeType(w), model.second);
  }
  const bool has_bias = BiasOf(descriptor) != nullptr;
  if (has_bias) {
    const std::vector<int32_t> bias = BiasInProducts(descriptor, *constants[2]);
    builder.Constant("bias", onnx::TensorProto::INT32,
                     {static_cast<int64_t>(bias.size())}, bias);
  }
  if (linear) inputs.push_back(has_bias ? "bias" : "");
  inputs.insert(inputs.end(), {"y_scale", "y_zero_point"});
  if (conv && has_bias) inputs.push_back("bias");
  const ResultBounds bounds = ResultBoundsOf(descriptor);
  const std::string result = bounds.saturates ? "y" : "unclipped";
  onnx::NodeProto& node =
      builder.Node(conv     ? "QLinearConv"
                   : linear ? "QGemm"
                            : "QLinearMatMul",
                   conv || linear ? "com.microsoft" : "", inputs, result);
  if (conv) SetWindow(node, *descriptor.attributes, w);
  if (linear) Attribute(node, "transB", 1);
  if (!bounds.saturates) {
    const auto zero_point = static_cast<float>(ZeroPointAt(y));
    // The low byte of either type.
    builder.Constant("least", CodeType(y), {},
                     std::vector<int8_t>{static_cast<int8_t>(
                         static_cast<int32_t>(bounds.lower + zero_point))});
    builder.Constant("most", CodeType(y), {},
                     std::vector<int8_t>{static_cast<int8_t>(
                         static_cast<int32_t>(bounds.upper + zero_point))});
    builder.Node("Clip", "", {"unclipped", "least", "most"}, "y");
  }
  model.bytes = builder.Serialize();
  return model;
}

}  // namespace qconform::onnxruntime
