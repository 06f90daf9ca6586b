#include "reference/quantizers/inductor_operators.h"

namespace qconform {
namespace {

InductorOperators X86Operators(Mode mode) {
  InductorOperators x86;
  x86.class_name = "X86InductorQuantizer";
  x86.propagated = {"aten.max_pool2d.default", "aten.cat.default",
                    "aten.avg_pool2d.default", "aten.adaptive_avg_pool2d.default",
                    "aten.flatten.using_ints"};
  x86.quantized_by_default = x86.propagated;
  x86.quantized_by_default.insert({"aten.conv1d.default", "aten.conv2d.default",
                                   "aten.linear.default", "aten.mul.Tensor"});
  x86.quantizable = x86.quantized_by_default;
  x86.quantizable.insert("aten.matmul.default");
  x86.operator_of_type = {
      {"torch.nn.Conv2d", "aten.conv2d.default"},
      {"torch.nn.functional.conv1d", "aten.conv1d.default"},
      {"torch.nn.functional.conv2d", "aten.conv2d.default"},
      {"torch.nn.Linear", "aten.linear.default"},
      {"torch.nn.functional.linear", "aten.linear.default"},
      {"torch.nn.MaxPool2d", "aten.max_pool2d.default"},
      {"torch.nn.functional.max_pool2d", "aten.max_pool2d.default"},
      {"torch.cat", "aten.cat.default"},
      {"torch.nn.AvgPool2d", "aten.avg_pool2d.default"},
      {"torch.nn.functional.avg_pool2d", "aten.avg_pool2d.default"},
      {"torch.nn.AdaptiveAvgPool2d", "aten.adaptive_avg_pool2d.default"},
      {"torch.nn.functional.adaptive_avg_pool2d", "aten.adaptive_avg_pool2d.default"},
      {"torch.flatten", "aten.flatten.using_ints"},
      {"torch.matmul", "aten.matmul.default"},
      {"torch.mul", "aten.mul.Tensor"},
  };
  if (mode == Mode::kStrict) {
    x86.operator_of_type["torch.nn.Conv1d"] = "aten.conv1d.default";
  }
  return x86;
}

InductorOperators ArmOperators() {
  InductorOperators arm;
  arm.class_name = "ArmInductorQuantizer";
  arm.quantized_by_default = {"aten.conv2d.default", "aten.linear.default"};
  arm.quantizable = arm.quantized_by_default;
  arm.quantizable.insert("aten.matmul.default");
  arm.operator_of_type = {
      {"torch.nn.Conv2d", "aten.conv2d.default"},
      {"torch.nn.functional.conv2d", "aten.conv2d.default"},
      {"torch.nn.Linear", "aten.linear.default"},
      {"torch.nn.functional.linear", "aten.linear.default"},
      {"torch.matmul", "aten.matmul.default"},
  };
  return arm;
}

}  // namespace

const InductorOperators& OperatorsOf(InductorTarget target, Mode mode) {
  static const InductorOperators x86 = X86Operators(Mode::kTorch);
  static const InductorOperators strict_x86 = X86Operators(Mode::kStrict);
  static const InductorOperators arm = ArmOperators();
  if (target == InductorTarget::kArm) return arm;
  return mode == Mode::kStrict ? strict_x86 : x86;
}

}  // namespace qconform
