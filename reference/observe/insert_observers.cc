#include "reference/observe/insert_observers.h"

#include <algorithm>
#include <memory>

#include "reference/ir/error.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/inserted_observers.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/quantizable/quantizable_modules.h"
#include "reference/observe/share_observers.h"
#include "reference/observe/standalone_module.h"
#include "reference/observe/weight_constructor.h"

namespace qconform {
namespace {

class Insertion {
 public:
  Insertion(GraphModule& module, const InsertionInputs& inputs)
      : module_(module), inputs_(inputs), observers_(module, inputs) {}

  std::unordered_set<std::string> Run() {
    // Insertion changes the list; nodes that it adds are not visited.
    for (Node* node : module_.graph.NodePointers()) {
      if (node->op() == Op::kOutput) {
        ObserveGraphOutput(*node);
      } else if (node->op() != Op::kPlaceholder && node->op() != Op::kGetAttr) {
        Visit(*node);
      }
    }
    return std::move(observed_);
  }

 private:
  void Visit(Node& node) {
    const auto* found = inputs_.matches.Find(node.name());
    const NodeQConfig* resolved = inputs_.node_qconfigs.Find(node.name());
    if (found == nullptr || resolved == nullptr || resolved->qconfig == nullptr) return;
    const QuantizationMatch& match = **found;
    if (!CheckPatternSupport(match, resolved->qconfig, inputs_.targets, inputs_.settings,
                             inputs_.mode)
             .supported) {
      return;
    }
    ForEachNode(match.nodes, [&](Node* part) { observed_.insert(part->name()); });
    if (&node == match.last && IsDeclaredNotObserved(match) &&
        TargetOf(&node).output != nullptr) {
      inputs_.Report("not_observed_ignored", node.name(),
                     "observes it although " + match.entry->key.HumanText() +
                         " is declared INPUT_OUTPUT_NOT_OBSERVED",
                     "does not");
    }
    if (&node == match.root && !IsNotObserved(match)) {
      ObserveInputs(node, match, *resolved->qconfig);
    }
    if (&node == match.last) ObserveOutput(node, match, *resolved->qconfig);
  }

  const NodeTarget& TargetOf(const Node* node) const {
    const auto found = inputs_.targets.find(node);
    static const NodeTarget* float_target = new NodeTarget(FloatTarget());
    return found == inputs_.targets.end() ? *float_target : found->second;
  }

  // The dtype that the value has as the output of its producer, looking through an
  // observer. (_get_arg_target_dtype_as_output)
  std::optional<DType> ProducedDType(const Node* value) {
    if (const Node* lstm = CustomLstmBehind(module_, value, lstms_)) {
      value = lstm;
    } else if (IsObserverNode(module_, value)) {
      value = value->args()[0].AsNode();
    }
    const auto* match = inputs_.matches.Find(value->name());
    if (match != nullptr && IsNotObserved(**match)) return DType::kFloat32;
    return inputs_.settings.DTypeOf(TargetOf(value).output);
  }

  // The observer that `node` wants on `argument`, or nullptr.
  const ObserverConstructor* WantedInput(const Node& node, const Node* argument) {
    static const std::unordered_set<std::string> float_weights = {
        "torch.nn.functional.layer_norm", "torch.nn.functional.group_norm",
        "torch.nn.functional.instance_norm"};
    const NodeTarget& target = TargetOf(&node);
    if (IsWeightArgument(node, target, argument)) {
      if (float_weights.count(node.target()) > 0) return nullptr;
      return target.weight != nullptr ? &WeightOf(node, *target.weight)
                                      : &FloatPlaceholder();
    }
    if (IsBiasArgument(node, target, argument)) {
      return target.bias != nullptr ? target.bias : &FloatPlaceholder();
    }
    return target.input;
  }

  // As WeightConstructor says; the same object for the same functions.
  const ObserverConstructor& WeightOf(const Node& node,
                                      const ObserverConstructor& given) {
    if (!IsTransposedConvolution(node.target())) return given;
    if (!(WeightConstructor(given, node.target(), Mode::kStrict) == given)) {
      inputs_.Report("transposed_weight_axis", node.name(),
                     "takes a scale for each input channel of the weight, axis 0",
                     "for each output channel, axis 1");
    }
    if (inputs_.mode == Mode::kTorch) return given;
    std::unique_ptr<ObserverConstructor>& made = transposed_weights_[&given];
    if (made == nullptr) {
      made = std::make_unique<ObserverConstructor>(
          WeightConstructor(given, node.target(), inputs_.mode));
    }
    return *made;
  }

  // (_needs_obs_or_fq)
  bool NeedsObserver(std::optional<DType> produced, const ObserverConstructor* wanted,
                     bool reuse_input, bool is_first) {
    const std::optional<DType> dtype = inputs_.settings.DTypeOf(wanted);
    if (inputs_.settings.IsDynamic(wanted)) {
      if (!IsObservableDType(dtype)) {
        throw PipelineError("AssertionError",
                            "a dynamic observer has a dtype that is not quantized");
      }
      if (!produced) {
        throw PipelineError("AssertionError",
                            "a dynamic observer would see a value that is no tensor");
      }
      return is_first;
    }
    if (reuse_input || !IsObservableDType(dtype)) return false;
    return (IsObservableDType(produced) || produced == DType::kFloat32) &&
           produced != dtype;
  }

  Argument ObservedArgument(const Node& node, const Argument& argument,
                            const QuantizationMatch& match, const QConfig& qconfig) {
    if (const Sequence* sequence = argument.As<Sequence>()) {
      Sequence observed{{}, sequence->is_tuple};
      for (const Argument& item : sequence->items) {
        observed.items.push_back(ObservedArgument(node, item, match, qconfig));
      }
      return observed;
    }
    Node* value = argument.AsNode();
    if (value == nullptr) return argument;
    const ObserverConstructor* wanted = nullptr;
    if (match.is_standalone_module) {
      wanted = WantedByStandalone(node, value, qconfig);
    } else {
      const ObserverConstructor* input = WantedInput(node, value);
      const bool is_first = !node.args().empty() && node.args()[0].AsNode() == value;
      if (NeedsObserver(ProducedDType(value), input, TargetOf(&node).reuse_input,
                        is_first)) {
        wanted = input;
      }
    }
    if (wanted == nullptr) return argument;
    if (Node* existing = observers_.Find(value, *wanted)) return existing;
    return observers_.Insert(value, *wanted);
  }

  // A standalone module takes its quantized inputs as quint8.
  const ObserverConstructor* WantedByStandalone(const Node& node, const Node* value,
                                                const QConfig& qconfig) {
    const StandaloneModule* settings =
        FindStandalone(inputs_.custom_config, module_, node);
    if (settings == nullptr || settings->prepare_custom_config == nullptr) return nullptr;
    const auto& indexes = settings->prepare_custom_config->input_quantized_indexes;
    for (size_t i = 0; i < node.args().size(); ++i) {
      if (node.args()[i].AsNode() != value) continue;
      const bool quantized =
          std::count(indexes.begin(), indexes.end(), static_cast<int64_t>(i)) > 0;
      if (!quantized || ProducedDType(value) == DType::kQUInt8) return nullptr;
      return &*qconfig.activation;
    }
    return nullptr;
  }

  void ObserveInputs(Node& node, const QuantizationMatch& match, const QConfig& qconfig) {
    // The node keeps its arguments until all are ready, as torch's does: which
    // argument is the weight is looked up among the unobserved ones.
    std::vector<Argument> args;
    for (const Argument& argument : node.args()) {
      args.push_back(ObservedArgument(node, argument, match, qconfig));
    }
    OrderedMap<Argument> kwargs;
    for (const auto& [name, argument] : node.kwargs()) {
      kwargs.Set(name, ObservedArgument(node, argument, match, qconfig));
    }
    node.set_args(std::move(args));
    node.set_kwargs(std::move(kwargs));
  }

  void ObserveOutput(Node& node, const QuantizationMatch& match, const QConfig& qconfig) {
    if (IsCustomLstm(module_, match, qconfig)) {
      InsertDequantStubs(module_, node);
      lstms_.insert(&node);
      SwapCustomModule(node, qconfig);
      return;
    }
    const NodeTarget& target = TargetOf(&node);
    const bool needs = !target.is_standalone &&
                       !inputs_.settings.IsDynamic(target.output) &&
                       NeedsObserver(DType::kFloat32, target.output, false, false);
    if (needs && !IsNotObserved(match)) {
      Node* observer = observers_.Insert(&node, *target.output);
      module_.graph.ReplaceAllUses(&node, observer, /*keep_in_replacement=*/true);
      const bool shares = target.share_with_input && IsInputInSameGraph(node);
      const auto rebind = [this](const std::string& name, const auto& shared) {
        observers_.Rebind(name, shared);
      };
      if ((shares || target.reuse_input) && !ShareObservers(module_, node, rebind)) {
        observers_.RemoveBehind(node);
      }
      if (match.is_custom_module) SwapCustomModule(node, qconfig);
    }
  }

  // Strict mode does what INPUT_OUTPUT_NOT_OBSERVED says; in torch it has no effect.
  bool IsNotObserved(const QuantizationMatch& match) const {
    return inputs_.mode == Mode::kStrict && IsDeclaredNotObserved(match);
  }
  static bool IsDeclaredNotObserved(const QuantizationMatch& match) {
    return match.observation_type == ObservationType::kInputOutputNotObserved;
  }

  // False if the input is a graph input that arrives quantized. (_is_observer_in_same_
  // graph)
  bool IsInputInSameGraph(const Node& node) {
    const Node* input = node.args().empty() ? nullptr : node.args()[0].AsNode();
    if (input == nullptr || input->op() != Op::kPlaceholder) return true;
    const std::optional<DType> dtype = ProducedDType(&node);
    return dtype != DType::kQUInt8 && dtype != DType::kUInt8;
  }

  void SwapCustomModule(const Node& node, const QConfig& qconfig) {
    if (!swapped_.insert(node.target()).second) return;
    const std::shared_ptr<Module> module = module_.FindModule(node.target());
    const std::string& observed =
        ObservedClassOf(inputs_.custom_config, module->type, qconfig);
    if (const auto* observation = inputs_.custom_observations.Find(observed)) {
      module_.SetModule(node.target(), (*observation)(*module, qconfig));
      return;
    }
    if (const CustomObservation observation = QuantizableObservation(observed)) {
      module_.SetModule(node.target(), observation(*module, qconfig));
      return;
    }
    const std::shared_ptr<Module> swapped = module->Clone();
    swapped->type = observed;
    module_.SetModule(node.target(), swapped);
  }

  // An observer before the graph's output where the value wants one and has none.
  Argument ObservedResult(const Argument& argument) {
    if (const Sequence* sequence = argument.As<Sequence>()) {
      Sequence observed{{}, sequence->is_tuple};
      for (const Argument& item : sequence->items) {
        observed.items.push_back(ObservedResult(item));
      }
      return observed;
    }
    if (const Dictionary* dictionary = argument.As<Dictionary>()) {
      Dictionary observed;
      for (const auto& [key, item] : dictionary->items) {
        observed.items.emplace_back(key, ObservedResult(item));
      }
      return observed;
    }
    if (argument.IsNone()) return argument;
    Node* value = argument.AsNode();
    if (value == nullptr) {
      throw PipelineError("Exception", "the graph returns a value that is no node");
    }
    const ObserverConstructor* wanted = nullptr;
    const auto target = inputs_.targets.find(value);
    if (target != inputs_.targets.end()) wanted = target->second.input;
    const std::optional<DType> dtype =
        wanted == nullptr ? DType::kFloat32 : inputs_.settings.DTypeOf(wanted);
    if (dtype == DType::kFloat32 || ProducedDType(value) == dtype) return argument;
    return observers_.Insert(value, *wanted);
  }

  void ObserveGraphOutput(Node& output) {
    std::vector<Argument> args;
    for (const Argument& argument : output.args()) {
      args.push_back(ObservedResult(argument));
    }
    output.set_args(std::move(args));
  }

  GraphModule& module_;
  const InsertionInputs& inputs_;
  InsertedObservers observers_;
  std::unordered_set<std::string> observed_;
  std::unordered_set<std::string> swapped_;
  std::unordered_set<const Node*> lstms_;
  std::unordered_map<const ObserverConstructor*, std::unique_ptr<ObserverConstructor>>
      transposed_weights_;
};

}  // namespace

std::unordered_set<std::string> InsertObservers(GraphModule& module,
                                                const InsertionInputs& inputs) {
  return Insertion(module, inputs).Run();
}

}  // namespace qconform
