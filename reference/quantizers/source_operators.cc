#include "reference/quantizers/source_operators.h"

#include <unordered_map>

namespace qconform {

const std::vector<std::string>& OperatorsOfSource(const std::string& source) {
  using Targets = std::vector<std::string>;
  static const Targets none;
  static const Targets conv1d = {"aten.conv1d.default"};
  static const Targets conv2d = {"aten.conv2d.default"};
  static const Targets linear = {"aten.linear.default"};
  static const Targets relu = {"aten.relu.default", "aten.relu_.default"};
  static const Targets hardtanh = {"aten.hardtanh.default", "aten.hardtanh_.default"};
  static const Targets add = {"aten.add.Tensor", "aten.add_.Tensor"};
  static const Targets mul = {"aten.mul.Tensor", "aten.mul_.Tensor"};
  static const Targets batch_norm = {"aten.batch_norm.default"};
  static const Targets average = {"aten.adaptive_avg_pool2d.default"};
  static const Targets cat = {"aten.cat.default"};
  static const std::unordered_map<std::string, Targets> table = {
      {"torch.nn.Conv1d", conv1d},
      {"torch.nn.functional.conv1d", conv1d},
      {"torch.nn.Conv2d", conv2d},
      {"torch.nn.functional.conv2d", conv2d},
      {"torch.nn.Linear", linear},
      {"torch.nn.functional.linear", linear},
      {"torch.nn.ReLU", relu},
      {"torch.nn.functional.relu", relu},
      {"torch.nn.functional.relu_", relu},
      {"torch.nn.Hardtanh", hardtanh},
      {"torch.nn.functional.hardtanh", hardtanh},
      {"torch.nn.functional.hardtanh_", hardtanh},
      // Exported as hardtanh(0, 6), or under its own name.
      {"torch.nn.ReLU6",
       {"aten.hardtanh.default", "aten.hardtanh_.default", "aten.relu6.default",
        "aten.relu6_.default"}},
      {"torch.nn.Hardswish", {"aten.hardswish.default", "aten.hardswish_.default"}},
      {"torch.nn.SiLU", {"aten.silu.default", "aten.silu_.default"}},
      {"torch.nn.LeakyReLU", {"aten.leaky_relu.default", "aten.leaky_relu_.default"}},
      {"torch.nn.Tanh", {"aten.tanh.default", "aten.tanh_.default"}},
      {"torch.nn.GELU", {"aten.gelu.default", "aten.gelu_.default"}},
      {"torch.nn.BatchNorm2d", batch_norm},
      {"torch.nn.functional.batch_norm", batch_norm},
      {"torch.nn.AdaptiveAvgPool2d", average},
      {"torch.nn.functional.adaptive_avg_pool2d", average},
      {"torch.add", add},
      {"operator.add", add},
      {"operator.iadd", add},
      {"torch.mul", mul},
      {"operator.mul", mul},
      {"operator.imul", mul},
      {"torch.cat", cat},
      {"torch.nn.GRU", {"aten.gru.input"}},
  };
  const auto found = table.find(source);
  return found == table.end() ? none : found->second;
}

}  // namespace qconform
