#include "cli/parity/error_bound.h"

#include <algorithm>
#include <cmath>

#include "cli/parity/module_error.h"
#include "cli/parity/scale_error.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/observer_module.h"

namespace qconform::parity {
namespace {

// The first input, by position or keyword; nullptr without one.
const Node* FirstInput(const Node& node) {
  const std::vector<Node*> inputs = node.InputNodes();
  return inputs.empty() ? nullptr : inputs[0];
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

bool IsUnbounded(const Value& error) { return std::isinf(LargestError(error)); }

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
      BoundedValue result = RunChildren(*module, *FirstInput(node));
      Set(node, std::move(result.value), std::move(result.error));
      return;
    }
    if (sink_ && ObserverOf(module)) {
      sink_(*module, LargestError(errors_.at(FirstInput(node))));
    }
  }
  const std::shared_ptr<Module> before = BeforeForward(node);
  Value value = interpreter_.Evaluate(node, values_);
  Value error;
  const std::vector<Node*> inputs = node.InputNodes();
  if (node.op() != Op::kOutput &&
      std::any_of(inputs.begin(), inputs.end(),
                  [this](const Node* input) { return IsUnbounded(errors_.at(input)); })) {
    error = Unbounded(value);
  } else if (before == nullptr) {
    error = ErrorFor(node, value);
  } else {
    const Node* x = FirstInput(node);
    error = TrainedForwardError(*before, *FloatTensor(values_.at(x)),
                                FloatTensor(errors_.at(x)), registry_,
                                trained_[TrainedModule(node)]);
  }
  Set(node, std::move(value), std::move(error));
}

void BoundedValues::EvaluateSubgraph(const Node& node, GraphModule& graph) {
  BoundedValues inner(graph, registry_, &trained_);
  inner.set_observer_sink(sink_);
  inner.set_unbounded_sink(unbounded_sink_);
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

namespace {

const char* const kAtenBatchNorm = "aten.batch_norm.default";

Argument ArgumentOf(const Node& node, size_t position) {
  return position < node.args().size() ? node.args()[position] : Argument();
}

}  // namespace

const Module* BoundedValues::TrainedModule(const Node& node) const {
  if (node.op() == Op::kCallModule) return module_.ModuleAt(node.target());
  const Node* statistics =
      node.op() == Op::kGetAttr ? &node : ArgumentOf(node, 3).AsNode();
  return statistics == nullptr
             ? nullptr
             : module_.ModuleAt(SplitParent(statistics->target()).first);
}

Value BoundedValues::AttributeError(const Node& node) const {
  const auto found = trained_.find(TrainedModule(node));
  if (found == trained_.end()) return {};
  const std::string name = SplitParent(node.target()).second;
  const std::vector<double>* known = name == "running_mean"  ? &found->second.running_mean
                                     : name == "running_var" ? &found->second.running_var
                                                             : nullptr;
  if (known == nullptr || known->empty()) return {};
  Tensor error(DType::kFloat32, {static_cast<int64_t>(known->size())});
  for (size_t c = 0; c < known->size(); ++c) {
    error.data<float>()[c] = RoundedUp((*known)[c]);
  }
  return error;
}

std::shared_ptr<Module> BoundedValues::BeforeForward(const Node& node) const {
  if (node.op() == Op::kCallFunction && node.target() == kAtenBatchNorm) {
    auto norm = std::make_shared<Module>();
    norm->type = "torch.nn.BatchNorm2d";
    const Argument training = ArgumentOf(node, 5);
    norm->training = training.As<bool>() != nullptr && *training.As<bool>();
    norm->attributes.Set("momentum", ArgumentOf(node, 6));
    norm->attributes.Set("eps", ArgumentOf(node, 7));
    size_t position = 1;
    for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
      const Node* input = ArgumentOf(node, position++).AsNode();
      const Tensor* value = input == nullptr ? nullptr : FloatTensor(values_.at(input));
      if (value != nullptr) norm->buffers.Set(name, value->Clone());
    }
    return norm;
  }
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
  return FakeQuantizeError(*FloatTensor(values_.at(input)), *FloatTensor(value), *error,
                           fake_quantize->scale().ValueAt(0), StepsOf(*inner));
}

BoundedValue BoundedValues::RunChildren(const Module& module, const Node& input) {
  GraphModule chain;
  Node* value = chain.graph.Append(Op::kPlaceholder, "x");
  Node* first = value;
  for (const auto& [name, child] : module.children) {
    chain.root->children.Set(name, child);
    value = chain.graph.Append(Op::kCallModule, name, {value});
  }
  BoundedValues values(chain, registry_, &trained_);
  values.set_unbounded_sink(unbounded_sink_);
  values.Set(*first, values_.at(&input), errors_.at(&input));
  for (const Node& node : chain.graph.nodes()) {
    if (&node != first) values.Evaluate(node);
  }
  return {values.ValueOf(*value), values.ErrorOf(*value)};
}

}  // namespace qconform::parity
