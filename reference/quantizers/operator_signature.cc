#include "reference/quantizers/operator_signature.h"

#include <unordered_map>

#include "reference/formats/json_file.h"

namespace qconform {
namespace {

// Name and parameters of an operator; what stands behind "=" is JSON, a star marks a
// parameter that is given by its name only.
constexpr const char* kSignatures[] = {
    "aten.conv1d.default(input, weight, bias=null, stride=[1], padding=[0], "
    "dilation=[1], groups=1)",
    "aten.conv1d.padding(input, weight, bias=null, stride=[1], padding=\"valid\", "
    "dilation=[1], groups=1)",
    "aten.conv2d.default(input, weight, bias=null, stride=[1,1], padding=[0,0], "
    "dilation=[1,1], groups=1)",
    "aten.conv2d.padding(input, weight, bias=null, stride=[1,1], padding=\"valid\", "
    "dilation=[1,1], groups=1)",
    "aten.conv3d.default(input, weight, bias=null, stride=[1,1,1], padding=[0,0,0], "
    "dilation=[1,1,1], groups=1)",
    "aten.conv3d.padding(input, weight, bias=null, stride=[1,1,1], padding=\"valid\", "
    "dilation=[1,1,1], groups=1)",
    "aten.conv_transpose1d.default(input, weight, bias=null, stride=[1], padding=[0], "
    "output_padding=[0], groups=1, dilation=[1])",
    "aten.conv_transpose2d.input(input, weight, bias=null, stride=[1,1], padding=[0,0], "
    "output_padding=[0,0], groups=1, dilation=[1,1])",
    "aten.conv_transpose3d.input(input, weight, bias=null, stride=[1,1,1], "
    "padding=[0,0,0], output_padding=[0,0,0], groups=1, dilation=[1,1,1])",
    "aten.linear.default(input, weight, bias=null)",
    "aten.batch_norm.default(input, weight, bias, running_mean, running_var, training, "
    "momentum, eps, cudnn_enabled)",
    "aten.relu.default(self)",
    "aten.relu_.default(self)",
    "aten.relu6.default(self)",
    "aten.hardtanh.default(self, min_val=-1, max_val=1)",
    "aten.hardtanh_.default(self, min_val=-1, max_val=1)",
    "aten.hardswish.default(self)",
    "aten.hardswish_.default(self)",
    "aten.hardsigmoid.default(self)",
    "aten.silu.default(self)",
    "aten.silu_.default(self)",
    "aten.leaky_relu.default(self, negative_slope=0.01)",
    "aten.leaky_relu_.default(self, negative_slope=0.01)",
    "aten.elu.default(self, alpha=1, scale=1, input_scale=1)",
    "aten.clamp.default(self, min=null, max=null)",
    "aten.tanh.default(self)",
    "aten.sigmoid.default(self)",
    "aten.gelu.default(self, *approximate=\"none\")",
    "aten.softmax.int(self, dim, dtype=null)",
    "aten.layer_norm.default(input, normalized_shape, weight=null, bias=null, eps=1e-05, "
    "cudnn_enable=true)",
    "aten.add.Tensor(self, other, *alpha=1)",
    "aten.add_.Tensor(self, other, *alpha=1)",
    "aten.sub.Tensor(self, other, *alpha=1)",
    "aten.mul.Tensor(self, other)",
    "aten.mul_.Tensor(self, other)",
    "aten.div.Tensor(self, other)",
    "aten.matmul.default(self, other)",
    "aten.bmm.default(self, mat2)",
    "aten.mm.default(self, mat2)",
    "aten.addmm.default(self, mat1, mat2, *beta=1, *alpha=1)",
    "aten.max_pool2d.default(self, kernel_size, stride=[], padding=[0,0], "
    "dilation=[1,1], ceil_mode=false)",
    "aten.avg_pool2d.default(self, kernel_size, stride=[], padding=[0,0], "
    "ceil_mode=false, count_include_pad=true, divisor_override=null)",
    "aten.adaptive_avg_pool2d.default(self, output_size)",
    "aten.mean.dim(self, dim, keepdim=false, *dtype=null)",
    "aten.cat.default(tensors, dim=0)",
    "aten.flatten.using_ints(self, start_dim=0, end_dim=-1)",
    "aten.view.default(self, size)",
    "aten.reshape.default(self, shape)",
    "aten.permute.default(self, dims)",
    "aten.transpose.int(self, dim0, dim1)",
    "aten.embedding.default(weight, indices, padding_idx=-1, scale_grad_by_freq=false, "
    "sparse=false)",
    "aten.dropout.default(input, p, train)",
};

Argument FromJson(const ordered_json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return {};
  std::vector<Argument> items;
  for (const ordered_json& item : json) items.push_back(FromJson(item));
  return Argument::List(std::move(items));
}

OperatorParameter ParameterOf(std::string text) {
  OperatorParameter parameter;
  parameter.keyword_only = text.starts_with('*');
  if (parameter.keyword_only) text.erase(0, 1);
  const size_t equals = text.find('=');
  parameter.name = text.substr(0, equals);
  if (equals != std::string::npos) {
    parameter.fallback = FromJson(ordered_json::parse(text.substr(equals + 1)));
  }
  return parameter;
}

using Signatures = std::unordered_map<std::string, std::vector<OperatorParameter>>;

Signatures ReadSignatures() {
  Signatures signatures;
  for (const std::string text : kSignatures) {
    const size_t open = text.find('(');
    std::vector<OperatorParameter>& parameters = signatures[text.substr(0, open)];
    for (size_t at = open + 1; at < text.size();) {
      size_t end = text.find(", ", at);
      if (end == std::string::npos) end = text.size() - 1;
      parameters.push_back(ParameterOf(text.substr(at, end - at)));
      at = end + 2;
    }
  }
  return signatures;
}

}  // namespace

const std::vector<OperatorParameter>* SignatureOf(const std::string& target) {
  static const Signatures signatures = ReadSignatures();
  const auto found = signatures.find(target);
  return found == signatures.end() ? nullptr : &found->second;
}

std::optional<std::vector<Argument>> AllArguments(const Node& node) {
  const std::vector<OperatorParameter>* parameters = SignatureOf(node.target());
  if (parameters == nullptr) return std::nullopt;
  std::vector<Argument> all;
  for (size_t i = 0; i < parameters->size(); ++i) {
    const OperatorParameter& parameter = (*parameters)[i];
    if (const Argument* given = node.kwargs().Find(parameter.name)) {
      all.push_back(*given);
    } else if (!parameter.keyword_only && i < node.args().size()) {
      all.push_back(node.args()[i]);
    } else {
      all.push_back(parameter.fallback.value_or(Argument()));
    }
  }
  return all;
}

}  // namespace qconform
