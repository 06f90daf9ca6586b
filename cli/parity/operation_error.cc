// The bound of a node's value: what it computes, and by which rule that is bounded.
#include "cli/parity/corpus_extension.h"
#include "cli/parity/function_rounding.h"
#include "cli/parity/module_error.h"
#include "cli/parity/operation.h"
#include "reference/config/module_types.h"
#include "reference/observe/observer_module.h"

namespace qconform::parity {
namespace {

// An overload of ATen by the name before it: "aten.conv2d.default" is a "conv2d".
std::string LastPart(const std::string& name) {
  const std::string aten = "aten.";
  if (name.starts_with(aten)) {
    return name.substr(aten.size(), name.find('.', aten.size()) - aten.size());
  }
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

}  // namespace

Value BoundedValues::ErrorFor(const Node& node, const Value& value) {
  if (node.op() == Op::kGetAttr) return AttributeError(node);
  if (node.op() == Op::kPlaceholder) return {};
  if (node.op() == Op::kOutput) {
    const Node* result = node.args().empty() ? nullptr : node.args()[0].AsNode();
    return result == nullptr ? Value() : errors_.at(result);
  }
  Operation operation{node, node.target(), node.InputNodes(), true, value, {}, {}};
  const std::vector<Node*>& inputs = operation.inputs;
  for (const Node* input : inputs) {
    operation.exact = operation.exact && errors_.at(input).IsNone();
  }
  const bool exact = operation.exact;
  if (node.op() == Op::kCallModule) {
    operation.module = module_.FindModule(node.target());
    operation.name = operation.module->type;
    if (const auto observer = ObserverOf(operation.module)) {
      return ObserverError(node, *observer, value);
    }
  }
  const std::shared_ptr<Module>& module = operation.module;
  // The engines' operators work on codes: equal for inputs of equal codes.
  if (IsNative(operation.name)) {
    const bool is_dynamic = operation.name.find(".dynamic.Linear") != std::string::npos;
    return is_dynamic ? DynamicLinearError(*module, value) : Value();
  }
  if (module && CorpusSequentialClasses().count(module->type) > 0) {
    return RunChildren(*module, *inputs[0]).error;
  }
  // A container of a weighted module and what follows it.
  operation.weighted = module;
  if (module && module->children.Contains("0") &&
      RuleOf(LastPart(operation.name)) == ErrorRule::kUnknown) {
    operation.weighted = *module->children.Find("0");
    operation.name = operation.weighted->type;
    if (const auto* second = module->children.Find("1")) {
      operation.stretch = LipschitzConstant(LastPart((*second)->type));
    }
  }
  operation.name = LastPart(operation.name);
  // A QAT module without a batch norm is its weighted module and perhaps a ReLU.
  if (module && IsQatModule(module->type) && !module->children.Contains("bn")) {
    operation.name = LastPart(std::string(FindModuleType(module->type)->weighted_module));
  }
  if (!inputs.empty()) {
    operation.x = FloatTensor(values_.at(inputs[0]));
    operation.x_error = FloatTensor(errors_.at(inputs[0]));
  }
  operation.y = FloatTensor(value);
  // Codes are kept with the bound of the real values that they stand for.
  if (operation.name.starts_with("quantize_per_tensor") && !exact) {
    const Tensor* codes = value.As<Tensor>();
    if (codes != nullptr && codes->quantization() && operation.x != nullptr &&
        operation.x_error != nullptr) {
      // The step itself is exact.
      constexpr double kNoRange = 1e300;
      return FakeQuantizeError(*operation.x, *operation.x, *operation.x_error,
                               codes->quantization()->scale[0], kNoRange);
    }
  }
  const bool dequantizes = operation.name.starts_with("dequantize");
  if (dequantizes && !exact) return errors_.at(inputs[0]);
  // Values that are no float tensors are the same on both sides.
  if (operation.y == nullptr && value.As<ValueSequence>() == nullptr) return {};
  const ErrorRule rule = RuleOf(operation.name);
  if (exact && (rule == ErrorRule::kMove || dequantizes)) return {};
  Value error = ErrorByRule(rule, operation);
  if (!IsUnbounded(error) && (exact || !error.IsNone())) return error;
  if (unbounded_sink_) unbounded_sink_(operation.name);
  return Unbounded(value);
}

Value BoundedValues::ErrorByRule(ErrorRule rule, const Operation& operation) {
  const bool has_tensors = operation.x != nullptr && operation.y != nullptr;
  switch (rule) {
    case ErrorRule::kMove:
      return MoveError(operation);
    case ErrorRule::kLipschitz:
      return has_tensors ? LipschitzError(operation) : Value();
    case ErrorRule::kMonotone:
      return has_tensors ? MonotoneError(operation) : Value();
    case ErrorRule::kNormalize:
      return has_tensors ? NormError(operation) : Value();
    case ErrorRule::kUnitVector:
      if (!has_tensors) return {};
      return UnitVectorError(*operation.x, *operation.y, operation.x_error);
    case ErrorRule::kExtreme:
      return ExtremeError(operation);
    case ErrorRule::kGate:
      return has_tensors ? GatedError(operation) : Value();
    case ErrorRule::kDifference:
      return DifferenceOrQuotientError(operation);
    case ErrorRule::kRecurrent:
      return RecurrentModuleError(operation);
    case ErrorRule::kUnknown:
      break;
  }
  return {};
}

}  // namespace qconform::parity
