#include "cli/parity/error_bound.h"

#include <algorithm>
#include <cmath>

#include "cli/parity/corpus_extension.h"
#include "cli/parity/error_rules.h"
#include "cli/parity/function_rounding.h"
#include "cli/parity/inner_observers.h"
#include "cli/parity/module_error.h"
#include "cli/parity/recurrent_error.h"
#include "reference/config/module_types.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/observer_module.h"

namespace qconform::parity {
namespace {

using Values = std::unordered_map<const Node*, Value>;

std::string LastPart(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

// The first input, by position or keyword; nullptr without one.
const Node* FirstInput(const Node& node) {
  const std::vector<Node*> inputs = node.InputNodes();
  return inputs.empty() ? nullptr : inputs[0];
}

Value Zeros(const Value& value) {
  return MapTensors(value, {}, [](const Tensor& tensor, const Tensor*) {
    return Tensor(DType::kFloat32, tensor.shape());
  });
}

int64_t LargestDimension(const Tensor& weight) {
  int64_t terms = 1;
  for (int axis = 0; axis < std::min(weight.rank(), 2); ++axis) {
    terms = std::max(terms, weight.numel() / std::max<int64_t>(weight.dim(axis), 1));
  }
  return terms;
}

}  // namespace

double LargestError(const Value& error) {
  double largest = 0;
  if (const Tensor* tensor = error.As<Tensor>()) {
    for (int64_t i = 0; i < tensor->numel(); ++i) {
      largest = std::max(largest, tensor->ValueAt(i));
    }
  } else if (const ValueSequence* sequence = error.As<ValueSequence>()) {
    for (const Value& item : sequence->items) {
      largest = std::max(largest, LargestError(item));
    }
  }
  return largest;
}

BoundedValues::BoundedValues(GraphModule& module, const Registry& registry,
                             TrainedErrors* trained)
    : module_(module),
      registry_(registry),
      interpreter_(module, registry),
      trained_(trained == nullptr ? own_trained_ : *trained) {
  interpreter_.set_module_hook(CallObserved);
}

void BoundedValues::Set(const Node& node, Value value, Value error) {
  values_[&node] = std::move(value);
  errors_[&node] = std::move(error);
}

void BoundedValues::Evaluate(const Node& node) {
  if (node.op() == Op::kCallModule) {
    const std::shared_ptr<Module> module = module_.FindModule(node.target());
    if (GraphModule* graph = module ? SubgraphOf(*module) : nullptr) {
      EvaluateSubgraph(node, *graph);
      return;
    }
    // A second run for the bound alone would move its statistics twice.
    if (module && ContainsBatchNorm(*module)) {
      auto [value, error] = RunChildren(*module, *FirstInput(node));
      Set(node, std::move(value), std::move(error));
      return;
    }
    if (sink_ && ObserverOf(module)) {
      sink_(*module, LargestError(errors_.at(FirstInput(node))));
    }
  }
  const std::shared_ptr<Module> before = BeforeForward(node);
  Value value = interpreter_.Evaluate(node, values_);
  Value error;
  if (before == nullptr) {
    error = ErrorFor(node, value);
  } else {
    const Node* x = FirstInput(node);
    error = TrainedForwardError(*before, *FloatTensor(values_.at(x)),
                                FloatTensor(errors_.at(x)), registry_,
                                trained_[module_.FindModule(node.target()).get()]);
  }
  Set(node, std::move(value), std::move(error));
}

void BoundedValues::EvaluateSubgraph(const Node& node, GraphModule& graph) {
  BoundedValues inner(graph, registry_, &trained_);
  inner.set_observer_sink(sink_);
  size_t input = 0;
  for (const Node& part : graph.graph.nodes()) {
    if (part.op() == Op::kPlaceholder && input < node.args().size()) {
      const Node* value = node.args()[input++].AsNode();
      inner.Set(part, values_.at(value), errors_.at(value));
      continue;
    }
    inner.Evaluate(part);
    if (part.op() != Op::kOutput) continue;
    Set(node, inner.ValueOf(part), inner.ErrorOfArgument(part.args()[0]));
  }
  without_rule_.insert(inner.without_rule().begin(), inner.without_rule().end());
}

Value BoundedValues::ErrorOfArgument(const Argument& argument) const {
  if (const Node* node = argument.AsNode()) return ErrorOf(*node);
  if (const Sequence* sequence = argument.As<Sequence>()) {
    ValueSequence errors{{}, sequence->is_tuple};
    for (const Argument& item : sequence->items) {
      errors.items.push_back(ErrorOfArgument(item));
    }
    return errors;
  }
  if (const Dictionary* dictionary = argument.As<Dictionary>()) {
    ValueDictionary errors;
    for (const auto& [key, item] : dictionary->items) {
      errors.items.emplace_back(key, ErrorOfArgument(item));
    }
    return errors;
  }
  return {};
}

std::shared_ptr<Module> BoundedValues::BeforeForward(const Node& node) const {
  if (node.op() != Op::kCallModule) return nullptr;
  const std::shared_ptr<Module> module = module_.FindModule(node.target());
  const Node* x = FirstInput(node);
  if (!module || !HasBatchNorm(*module) || x == nullptr) return nullptr;
  return FloatTensor(values_.at(x)) == nullptr ? nullptr : module->Clone();
}

Value BoundedValues::ObserverError(const Node& node, const Observer& observer,
                                   const Value& value) const {
  const Node* input = FirstInput(node);
  const Tensor* error = FloatTensor(errors_.at(input));
  const auto* fake_quantize = dynamic_cast<const FakeQuantizeObserver*>(&observer);
  if (error == nullptr || fake_quantize == nullptr ||
      fake_quantize->scale().numel() != 1) {
    return errors_.at(input);
  }
  const auto inner = fake_quantize->ActivationPostProcess();
  return FakeQuantizeError(
      *FloatTensor(values_.at(input)), *FloatTensor(value), *error,
      fake_quantize->scale().ValueAt(0),
      static_cast<double>(inner->quant_max.value_or(255) - inner->quant_min.value_or(0)));
}

std::pair<Value, Value> BoundedValues::RunChildren(const Module& module,
                                                   const Node& input) {
  GraphModule chain;
  Node* value = chain.graph.Append(Op::kPlaceholder, "x");
  Node* first = value;
  for (const auto& [name, child] : module.children) {
    chain.root->children.Set(name, child);
    value = chain.graph.Append(Op::kCallModule, name, {value});
  }
  BoundedValues values(chain, registry_, &trained_);
  values.Set(*first, values_.at(&input), errors_.at(&input));
  for (const Node& node : chain.graph.nodes()) {
    if (&node != first) values.Evaluate(node);
  }
  without_rule_.insert(values.without_rule().begin(), values.without_rule().end());
  return {values.ValueOf(*value), values.ErrorOf(*value)};
}

Value BoundedValues::ErrorFor(const Node& node, const Value& value) {
  if (node.op() == Op::kPlaceholder || node.op() == Op::kGetAttr) return {};
  const std::vector<Node*> inputs = node.InputNodes();
  bool exact = true;
  for (const Node* input : inputs) exact = exact && errors_.at(input).IsNone();
  if (node.op() == Op::kOutput) {
    const Node* result = node.args().empty() ? nullptr : node.args()[0].AsNode();
    return result == nullptr ? Value() : errors_.at(result);
  }
  std::shared_ptr<Module> module;
  std::string operation = node.target();
  if (node.op() == Op::kCallModule) {
    module = module_.FindModule(node.target());
    operation = module->type;
    if (const auto observer = ObserverOf(module))
      return ObserverError(node, *observer, value);
  }
  // The engines' operators work on codes: equal for equal inputs.
  if (IsNative(operation)) {
    if (!exact) without_rule_.insert(operation);
    if (exact && operation.find(".dynamic.Linear") != std::string::npos) {
      return DynamicLinearError(*module, value);
    }
    return {};
  }
  // A container of a weighted module and what follows it.
  std::shared_ptr<Module> first = module;
  double constant = 1;
  if (module && CorpusSequentialClasses().count(module->type) > 0) {
    return RunChildren(*module, *inputs[0]).second;
  }
  if (module && module->children.Contains("0") &&
      RuleOf(LastPart(operation)) == ErrorRule::kUnknown) {
    first = *module->children.Find("0");
    operation = first->type;
    if (const auto* second = module->children.Find("1")) {
      constant = LipschitzConstant(LastPart((*second)->type));
    }
  }
  operation = LastPart(operation);
  // A QAT module without a batch norm is its weighted module and perhaps a ReLU.
  if (module && IsQatModule(module->type) && !module->children.Contains("bn")) {
    operation = LastPart(std::string(FindModuleType(module->type)->weighted_module));
  }
  // Codes are kept with the bound of the real values that they stand for.
  if (operation.starts_with("quantize_per_tensor") && !exact && !inputs.empty()) {
    const Tensor* codes = value.As<Tensor>();
    const Tensor* real = FloatTensor(values_.at(inputs[0]));
    const Tensor* error = FloatTensor(errors_.at(inputs[0]));
    if (codes != nullptr && codes->quantization() && real != nullptr &&
        error != nullptr) {
      // The step itself is exact.
      constexpr double kNoRange = 1e300;
      return FakeQuantizeError(*real, *real, *error, codes->quantization()->scale[0],
                               kNoRange);
    }
  }
  if (operation.starts_with("dequantize") && !exact) return errors_.at(inputs[0]);
  const ErrorRule rule = RuleOf(operation);
  // Values that are no float tensors are the same on both sides.
  bool has_float = FloatTensor(value) != nullptr || value.As<ValueSequence>() != nullptr;
  if (!has_float) return {};
  if (exact && (rule == ErrorRule::kMove || operation.starts_with("dequantize"))) {
    return {};
  }
  const Tensor* y = FloatTensor(value);
  const Value* x_value = inputs.empty() ? nullptr : &values_.at(inputs[0]);
  const Tensor* x = x_value == nullptr ? nullptr : FloatTensor(*x_value);
  const Tensor* x_error = inputs.empty() ? nullptr : FloatTensor(errors_.at(inputs[0]));

  // The node evaluated on other values of its inputs, with another module.
  const auto evaluate = [&](bool with_error) -> Value {
    Values changed;
    for (const Node* input : inputs) {
      changed[input] =
          MapTensors(values_.at(input), with_error ? errors_.at(input) : Value(),
                     [](const Tensor& tensor, const Tensor* error) {
                       return AbsoluteWithError(tensor, error);
                     });
    }
    if (!first) return interpreter_.Evaluate(node, changed);
    std::vector<Value> args;
    if (const Node* input = FirstInput(node)) args.push_back(changed.at(input));
    return CallModule(*LargestModule(*first), Call("error bound", std::move(args)),
                      registry_);
  };

  switch (rule) {
    case ErrorRule::kMove: {
      Values moved;
      for (const Node* input : inputs) {
        const Value& error = errors_.at(input);
        moved[input] = error.IsNone() ? Zeros(values_.at(input)) : error;
      }
      return interpreter_.Evaluate(node, moved);
    }
    case ErrorRule::kLipschitz: {
      if (y == nullptr || x == nullptr) break;
      if (exact && IsExactFunction(operation)) return {};
      const double range = SoftmaxRange(operation, *x);
      Tensor error(DType::kFloat32, y->shape());
      for (int64_t i = 0; i < y->numel(); ++i) {
        const double own = x_error == nullptr ? 0 : x_error->ValueAt(i);
        error.data<float>()[i] = static_cast<float>(
            ((own == 0 ? 0 : SlopeAt(operation, *x, *y, i, own) * own) +
             kFunctionRounding * RoundedSize(operation, *x, *y, i) * (1 + range)) *
            (1 + 0x1p-22));
      }
      return error;
    }
    case ErrorRule::kMonotone: {
      const bool elementwise = operation.find("add") != std::string::npos ||
                               operation.find("mul") != std::string::npos;
      const bool product = operation == "matmul" || operation == "addmm";
      // One correctly rounded operation on equal inputs is the same everywhere.
      if (exact && elementwise && !product) return {};
      if (y == nullptr || x == nullptr) break;
      double terms = 2;
      if (first && first->FindTensor("weight") != nullptr) {
        terms += static_cast<double>(LargestDimension(*first->FindTensor("weight")));
      } else if (product) {
        terms += static_cast<double>(x->dim(x->rank() - 1));
      } else if (inputs.size() > 1 && !elementwise) {
        const Tensor* weight = FloatTensor(values_.at(inputs[1]));
        if (weight != nullptr) terms += static_cast<double>(LargestDimension(*weight));
      } else if (!elementwise && y->numel() > 0) {
        terms += static_cast<double>(x->numel() / y->numel());
      }
      const Value with_error = evaluate(true);
      const Value without = evaluate(false);
      Tensor error = GapWithRounding(*FloatTensor(with_error), *FloatTensor(without),
                                     4 * Gamma(terms));
      // ConvAdd2d adds its second argument to the convolution.
      if (first != module && inputs.size() == 2) {
        const Tensor* other = FloatTensor(errors_.at(inputs[1]));
        for (int64_t i = 0; i < error.numel(); ++i) {
          error.data<float>()[i] +=
              (other == nullptr ? 0 : other->data<float>()[i]) +
              static_cast<float>(kFunctionRounding * std::fabs(y->ValueAt(i)));
        }
      }
      if (constant != 1 || (module && module->type.find("Tanh") != std::string::npos)) {
        for (int64_t i = 0; i < error.numel(); ++i) {
          error.data<float>()[i] =
              static_cast<float>(constant) * error.data<float>()[i] +
              static_cast<float>(kFunctionRounding * std::fabs(y->ValueAt(i)));
        }
      }
      return error;
    }
    case ErrorRule::kNormalize: {
      if (x == nullptr || y == nullptr) break;
      double weight = 1, bias = 0;
      int64_t group = x->numel() / std::max<int64_t>(x->dim(0) * x->dim(1), 1);
      double eps = 1e-5;
      if (first) {
        if (const Tensor* w = first->FindTensor("weight"))
          weight = LargestError(Absolute(*w));
        if (const Tensor* b = first->FindTensor("bias"))
          bias = LargestError(Absolute(*b));
        eps = first->Real("eps", eps);
        if (operation == "LayerNorm") {
          const Tensor* w = first->FindTensor("weight");
          group = w != nullptr ? w->numel() : x->dim(x->rank() - 1);
        }
        if (operation == "GroupNorm") {
          group = x->numel() / (x->dim(0) * first->Integer("num_groups", 1));
        }
      } else {
        for (size_t i = 1; i < inputs.size(); ++i) {
          const Tensor* tensor = FloatTensor(values_.at(inputs[i]));
          if (tensor == nullptr) continue;
          // Weight and bias are not told apart: either may be the larger factor.
          weight = std::max(weight, LargestError(Absolute(*tensor)));
          bias = std::max(bias, LargestError(Absolute(*tensor)));
          if (operation == "layer_norm") group = tensor->numel();
        }
        if (operation == "group_norm") {
          const int64_t* groups =
              node.args().size() > 1 ? node.args()[1].As<int64_t>() : nullptr;
          if (groups == nullptr) break;
          group = x->numel() / (x->dim(0) * *groups);
        }
      }
      return NormalizeError(*x, *y, x_error, weight, bias, {group, eps});
    }
    case ErrorRule::kUnitVector:
      if (x == nullptr || y == nullptr) break;
      return UnitVectorError(*x, *y, x_error);
    case ErrorRule::kDifference: {
      if (exact) return {};
      if (y == nullptr || node.kwargs().Find("alpha") != nullptr) break;
      // An operand that is no float tensor is a number, known exactly.
      const auto operand = [&](size_t index, bool error) -> const Tensor* {
        const Node* input =
            index < node.args().size() ? node.args()[index].AsNode() : nullptr;
        if (input == nullptr) return nullptr;
        return FloatTensor(error ? errors_.at(input) : values_.at(input));
      };
      if (operation.find("div") == std::string::npos) {
        return DifferenceError(operand(0, true), operand(1, true), *y);
      }
      const Tensor* divisor = operand(1, false);
      Tensor number(DType::kFloat32, {});
      if (divisor == nullptr) {
        const Argument& other = node.args().size() > 1 ? node.args()[1] : Argument();
        number.data<float>()[0] = 1;
        if (const double* real = other.As<double>()) {
          number.data<float>()[0] = static_cast<float>(*real);
        }
        if (const int64_t* whole = other.As<int64_t>()) {
          number.data<float>()[0] = static_cast<float>(*whole);
        }
        divisor = &number;
      }
      return QuotientError(operand(0, true), *divisor, operand(1, true), *y);
    }
    case ErrorRule::kRecurrent: {
      if (x == nullptr || !first) break;
      double largest_state = 1;
      for (size_t i = 1; i < inputs.size(); ++i) {
        largest_state = std::max(largest_state, LargestSize(values_.at(inputs[i])));
      }
      const double bound =
          RecurrentError(*first, *x, LargestError(errors_.at(inputs[0])), largest_state);
      if (sink_) {
        ForEachInnerObserver(*first,
                             [&](const Module& observer) { sink_(observer, bound); });
      }
      return MapTensors(value, {}, [&](const Tensor& tensor, const Tensor*) {
        Tensor error(DType::kFloat32, tensor.shape());
        std::fill_n(error.data<float>(), error.numel(), static_cast<float>(bound));
        return error;
      });
    }
    case ErrorRule::kUnknown:
      break;
  }
  // Exact integers and quantized values come here, too; they have no float tensor.
  without_rule_.insert(operation);
  return {};
}

}  // namespace qconform::parity
