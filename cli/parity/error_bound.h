// How far a float32 value may lie from the same value computed in another order.
//
// Both torch and the reference interpreter round every operation once; they differ in
// the order of sums. For an operator that is monotone in the sizes of its inputs
// (convolution, linear, matmul, mean, add, mul) with n terms a sum, inputs x known up to
// E(x), weights w and bias b:
//
//   A = op(|x| + E(x), |w|, |b|),  B = op(|x|, |w|, |b|)
//   E(y) = (A - B) + 4 gamma(n) A,   gamma(n) = n u / (1 - n u),  u = 2^-24
//
// gamma(n) bounds the forward error of a sum in any order (Higham, Accuracy and Stability
// of Numerical Algorithms, 3.1); two of the four are the two implementations', two cover
// A and B themselves. Functions with Lipschitz constant L give L E(x) and the rounding of
// their own; operators that only move or select values move their bounds.
#ifndef QCONFORM_CLI_PARITY_ERROR_BOUND_H_
#define QCONFORM_CLI_PARITY_ERROR_BOUND_H_

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cli/parity/error_rules.h"
#include "cli/parity/train_bound.h"
#include "reference/ir/module.h"
#include "reference/observe/observer.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/value.h"

namespace qconform::parity {

// A value and what it is known up to: None if exactly.
struct BoundedValue {
  Value value;
  Value error;
};

// The values of a graph's nodes and their bounds, filled in graph order.
class BoundedValues {
 public:
  // Observers and QAT modules run, too. `trained` holds what the state of modules in
  // training is known up to, from one forward to the next.
  BoundedValues(GraphModule& module, const Registry& registry,
                TrainedErrors* trained = nullptr);

  // Called for every observer that ran, with the bound of what it saw; also inside
  // modules with a graph of their own.
  using ObserverSink = std::function<void(const Module& observer, double error)>;
  void set_observer_sink(ObserverSink sink) { sink_ = std::move(sink); }

  // Called for every operator that no rule bounds and that ran on inexact values.
  using UnboundedSink = std::function<void(const std::string& operation)>;
  void set_unbounded_sink(UnboundedSink sink) { unbounded_sink_ = std::move(sink); }

  // Sets a value that is exact, or known up to `error`.
  void Set(const Node& node, Value value, Value error = {});
  // Evaluates the node from its inputs. An operator without a rule gives exact values of
  // exact inputs: it must agree to the bit. Of inexact ones it gives values without a
  // bound, and so does everything behind it.
  void Evaluate(const Node& node);

  // Sets the first graph inputs and evaluates the other nodes in order, to the output
  // node. After each of these visit(node) may set another value; false ends the run.
  // What the output node returns; nothing if the run did not come to it.
  template <typename Visit>
  std::optional<BoundedValue> Run(const std::vector<Value>& inputs, const Visit& visit) {
    size_t input = 0;
    for (const Node& node : module_.graph.nodes()) {
      if (node.op() == Op::kPlaceholder && input < inputs.size()) {
        Set(node, inputs[input++]);
        continue;
      }
      Evaluate(node);
      if (node.op() == Op::kOutput) {
        return BoundedValue{ValueOf(node), ErrorOfArgument(node.args().at(0))};
      }
      if (!visit(node)) break;
    }
    return std::nullopt;
  }
  std::optional<BoundedValue> Run(const std::vector<Value>& inputs) {
    return Run(inputs, [](const Node&) { return true; });
  }

  const Value& ValueOf(const Node& node) const { return values_.at(&node); }
  // None if the value is exact; else a float32 tensor of the value's shape, or a
  // sequence of such; infinite without a bound.
  const Value& ErrorOf(const Node& node) const { return errors_.at(&node); }
  // The same of an argument, put together from the nodes in it.
  Value ErrorOfArgument(const Argument& argument) const;

 private:
  // What a rule asks of the node that was evaluated; defined beside the rules.
  struct Operation;

  Value ErrorFor(const Node& node, const Value& value);
  // By rule; None where it does not apply.
  Value ErrorByRule(ErrorRule rule, const Operation& operation);
  Value MoveError(const Operation& operation);
  Value ExtremeError(const Operation& operation);
  Value GatedError(const Operation& operation) const;
  Value LipschitzError(const Operation& operation) const;
  Value MonotoneError(const Operation& operation);
  Value NormError(const Operation& operation) const;
  Value DifferenceOrQuotientError(const Operation& operation) const;
  Value RecurrentModuleError(const Operation& operation);
  // The operation on the sizes of its inputs, which may grow by their bounds.
  Value OnSizes(const Operation& operation, bool with_error);
  void EvaluateSubgraph(const Node& node, GraphModule& graph);
  // The copy of a module with batch norm from before its forward; else nullptr. ATen's
  // operator is a module by itself, known by the one that its statistics stand in.
  std::shared_ptr<Module> BeforeForward(const Node& node) const;
  const Module* TrainedModule(const Node& node) const;
  // Of running statistics that training has moved; None for other attributes.
  Value AttributeError(const Node& node) const;
  Value ObserverError(const Node& node, const Observer& observer,
                      const Value& value) const;
  // A module that runs its children one after the other.
  BoundedValue RunChildren(const Module& module, const Node& input);

  GraphModule& module_;
  const Registry& registry_;
  Interpreter interpreter_;
  std::unordered_map<const Node*, Value> values_;
  std::unordered_map<const Node*, Value> errors_;
  ObserverSink sink_;
  UnboundedSink unbounded_sink_;
  TrainedErrors own_trained_;
  TrainedErrors& trained_;
};

// The largest element of a bound; 0 for None.
double LargestError(const Value& error);

// Whether a value is known to no bound.
bool IsUnbounded(const Value& error);

// gamma(n) of the comment above.
double Gamma(double terms);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_ERROR_BOUND_H_
