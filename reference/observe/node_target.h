// What prepare wants of every node before it inserts observers: which observer would
// see each of its inputs and its output. (torch.ao's node.meta["target_dtype_info"])
#ifndef QCONFORM_REFERENCE_OBSERVE_NODE_TARGET_H_
#define QCONFORM_REFERENCE_OBSERVE_NODE_TARGET_H_

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode_difference.h"
#include "reference/match/find_matches.h"
#include "reference/match/no_tensor.h"
#include "reference/qconfig/constraint_check.h"
#include "reference/qconfig/observer_settings.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// A null input or output says that the value is no tensor; a null weight or bias that
// nothing was said about it. The constructors belong to
// qconfigs that outlive the target, or are the static placeholders below.
struct NodeTarget {
  const ObserverConstructor* input = nullptr;
  const ObserverConstructor* output = nullptr;
  const ObserverConstructor* weight = nullptr;
  const ObserverConstructor* bias = nullptr;
  std::optional<int> weight_index;
  std::optional<int> bias_index;
  bool reuse_input = false;
  bool share_with_input = false;
  bool is_standalone = false;
};

using NodeTargets = std::unordered_map<const Node*, NodeTarget>;

// The qconfig of what stays float: both sides FloatPlaceholder().
const QConfig& FloatQConfig();

// PlaceholderObserver(dtype=float32), (quint8) and (float16).
const ObserverConstructor& FloatPlaceholder();
const ObserverConstructor& QuantizedPlaceholder();
const ObserverConstructor& HalfPlaceholder();

// The dtypes that prepare inserts observers for.
bool IsObservableDType(std::optional<DType> dtype);

// Whether the argument is the node's weight or bias: at the index that the backend
// config declares, or under that keyword. (node_arg_is_weight, node_arg_is_bias)
bool IsWeightArgument(const Node& node, const NodeTarget& target, const Node* argument);
bool IsBiasArgument(const Node& node, const NodeTarget& target, const Node* argument);

// Settings of constructors, described once each. A constructor whose values torch
// refuses throws PipelineError when it is first asked for.
class SettingsTable {
 public:
  explicit SettingsTable(Mode mode = Mode::kTorch) : mode_(mode) {}

  const ObserverSettings& Of(const ObserverConstructor& constructor);
  // nullopt and false for no constructor.
  std::optional<DType> DTypeOf(const ObserverConstructor* constructor);
  bool IsDynamic(const ObserverConstructor* constructor);

  // SatisfiesConstraints, asked once. Both must outlive the table.
  const ConstraintVerdict& Satisfies(const QConfigPointer& qconfig,
                                     const DTypeWithConstraints& constraints,
                                     bool is_activation, Mode mode);

  // What was refused in the table's own mode, each time that it was: torch warns of each.
  void AddRefusal(const ConstraintVerdict& refusal, Mode mode);
  std::vector<ConstraintVerdict> TakeRefusals() { return std::move(refusals_); }

  // Of the constructors asked for: bounds that torch ignores.
  ModeDifferences TakeDifferences() { return std::move(differences_); }

 private:
  Mode mode_;
  ModeDifferences differences_;
  std::unordered_map<const ObserverConstructor*, ObserverSettings> settings_;
  using Question = std::tuple<const QConfig*, const DTypeWithConstraints*, bool, Mode>;
  std::map<Question, ConstraintVerdict> verdicts_;
  std::vector<ConstraintVerdict> refusals_;
};

// The target that a qconfig gives a node of a match (nullptr: as a node of none).
// (_get_target_activation_dtype_for_node)
NodeTarget TargetFromQConfig(const Node& node, const QConfig& qconfig,
                             const QuantizationMatch* match, const BackendConfig& config,
                             NoTensorRule& no_tensor, SettingsTable& settings);

// The target of a value that stays float, resp. that arrives as quint8.
NodeTarget FloatTarget();
NodeTarget QuantizedTarget();

// Arguments that are indexes, masks or sizes are not observed: their nodes get no
// observers, back through operators that share their input's. (propagate_dtypes_for_
// known_nodes)
void ClearNonObservableArguments(Graph& graph, const MatchMap& matches,
                                 NodeTargets& targets);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_NODE_TARGET_H_
