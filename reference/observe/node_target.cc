#include "reference/observe/node_target.h"

#include <array>

#include "reference/ir/error.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/quantization_dtypes.h"

namespace qconform {
namespace {

ObserverConstructor Placeholder(DType dtype) {
  return ObserverConstructor("PlaceholderObserver", {{"dtype", dtype}});
}

bool StandsAt(const Node& node, std::optional<int> index, const char* keyword,
              const Node* argument) {
  if (index && static_cast<size_t>(*index) < node.args().size() &&
      node.args()[static_cast<size_t>(*index)].AsNode() == argument) {
    return true;
  }
  const Argument* given = node.kwargs().Find(keyword);
  return given != nullptr && given->AsNode() == argument;
}

// Indexes of the positional arguments of a method that hold no values to quantize.
// (NON_OBSERVABLE_ARG_DICT)
std::vector<size_t> NonObservableArguments(const Node& node) {
  if (node.op() != Op::kCallMethod) return {};
  struct Method {
    std::string_view name;
    size_t first;
    size_t last;
  };
  constexpr size_t kAll = ~size_t{0};
  static constexpr std::array<Method, 9> kMethods = {{{"masked_fill", 1, 2},
                                                      {"permute", 1, kAll},
                                                      {"repeat", 1, kAll},
                                                      {"reshape", 1, kAll},
                                                      {"size", 1, 1},
                                                      {"transpose", 1, kAll},
                                                      {"unsqueeze", 1, 1},
                                                      {"unsqueeze_", 1, 1},
                                                      {"view", 1, kAll}}};
  std::vector<size_t> indexes;
  for (const Method& method : kMethods) {
    if (method.name != node.target()) continue;
    for (size_t i = method.first; i < node.args().size() && i <= method.last; ++i) {
      indexes.push_back(i);
    }
  }
  return indexes;
}

void ClearBackwards(const Node* node, const MatchMap& matches, NodeTargets& targets) {
  while (node != nullptr) {
    NodeTarget& target = targets[node];
    target.input = nullptr;
    target.output = nullptr;
    const auto* match = matches.Find(node->name());
    const bool shares =
        match != nullptr &&
        (*match)->observation_type == ObservationType::kOutputShareObserverWithInput;
    if (!shares) return;
    // An operator that shares has an input; with keywords only, torch fails here.
    if (node->args().empty())
      throw PipelineError("IndexError", "tuple index out of range");
    node = node->args()[0].AsNode();
  }
}

}  // namespace

const QConfig& FloatQConfig() {
  static const auto* qconfig =
      new QConfig{Placeholder(DType::kFloat32), Placeholder(DType::kFloat32)};
  return *qconfig;
}

const ObserverConstructor& FloatPlaceholder() {
  static const auto* constructor = new ObserverConstructor(Placeholder(DType::kFloat32));
  return *constructor;
}

const ObserverConstructor& QuantizedPlaceholder() {
  static const auto* constructor = new ObserverConstructor(Placeholder(DType::kQUInt8));
  return *constructor;
}

const ObserverConstructor& HalfPlaceholder() {
  static const auto* constructor = new ObserverConstructor(Placeholder(DType::kFloat16));
  return *constructor;
}

bool IsObservableDType(std::optional<DType> dtype) {
  if (!dtype) return false;
  return IsInEveryQuantizationList(*dtype) || dtype == DType::kQInt32 ||
         dtype == DType::kFloat16;
}

bool IsWeightArgument(const Node& node, const NodeTarget& target, const Node* argument) {
  return StandsAt(node, target.weight_index, "weight", argument);
}

bool IsBiasArgument(const Node& node, const NodeTarget& target, const Node* argument) {
  return StandsAt(node, target.bias_index, "bias", argument);
}

const ObserverSettings& SettingsTable::Of(const ObserverConstructor& constructor) {
  const auto found = settings_.find(&constructor);
  if (found != settings_.end()) return found->second;
  MakeObserver(constructor, mode_);
  const ObserverSettings torch = DescribeObserver(constructor);
  const ObserverSettings strict = DescribeObserver(constructor, Mode::kStrict);
  if (torch.quant_min != strict.quant_min || torch.quant_max != strict.quant_max) {
    const auto range = [](const ObserverSettings& settings) {
      return std::to_string(*settings.quant_min) + " to " +
             std::to_string(*settings.quant_max);
    };
    differences_.push_back({"lone_observer_bound", ToText(constructor),
                            "ignores the lone bound: " + range(torch),
                            "uses " + range(strict)});
  }
  if (torch.class_name.ends_with("FusedMovingAvgObsFakeQuantize")) {
    differences_.push_back({"trains_otherwise", ToText(constructor),
                            "trains with other parameters than it converts to (least "
                            "scale 6.1e-5, eps ignored, other rounding of the ends)",
                            "trains with those that it converts to"});
  }
  return settings_.emplace(&constructor, DescribeObserver(constructor, mode_))
      .first->second;
}

const ConstraintVerdict& SettingsTable::Satisfies(const QConfigPointer& qconfig,
                                                  const DTypeWithConstraints& constraints,
                                                  bool is_activation, Mode mode) {
  const Question question{qconfig.get(), &constraints, is_activation, mode};
  const auto found = verdicts_.find(question);
  if (found != verdicts_.end()) return found->second;
  return verdicts_
      .emplace(question, SatisfiesConstraints(qconfig, constraints, is_activation, mode))
      .first->second;
}

void SettingsTable::AddRefusal(const ConstraintVerdict& refusal, Mode mode) {
  if (mode == mode_) refusals_.push_back(refusal);
}

std::optional<DType> SettingsTable::DTypeOf(const ObserverConstructor* constructor) {
  return constructor == nullptr ? std::nullopt : Of(*constructor).dtype;
}

bool SettingsTable::IsDynamic(const ObserverConstructor* constructor) {
  return constructor != nullptr && Of(*constructor).is_dynamic;
}

NodeTarget FloatTarget() {
  NodeTarget target;
  target.input = target.output = &FloatPlaceholder();
  return target;
}

NodeTarget QuantizedTarget() {
  NodeTarget target;
  target.input = target.output = &QuantizedPlaceholder();
  return target;
}

NodeTarget TargetFromQConfig(const Node& node, const QConfig& qconfig,
                             const QuantizationMatch* match, const BackendConfig& config,
                             NoTensorRule& no_tensor, SettingsTable& settings) {
  if (no_tensor.HasNoTensors(const_cast<Node*>(&node))) return NodeTarget{};
  NodeTarget target;
  const ObserverConstructor* activation =
      qconfig.activation ? &*qconfig.activation : nullptr;
  const ObserverConstructor* weight = qconfig.weight ? &*qconfig.weight : nullptr;
  // torch calls both constructors here, so a missing one is an error of Python's.
  if (activation == nullptr || weight == nullptr) {
    throw PipelineError("TypeError",
                        "a qconfig lacks its " +
                            std::string(activation == nullptr ? "activation" : "weight"));
  }
  const std::optional<DType> activation_dtype = settings.DTypeOf(activation);
  const std::optional<DType> weight_dtype = settings.DTypeOf(weight);
  const bool is_half = activation_dtype == DType::kFloat16 &&
                       weight_dtype == DType::kFloat16 && !settings.IsDynamic(activation);
  target.input = activation;
  target.output = activation;
  target.weight = weight;
  target.bias = is_half ? &HalfPlaceholder() : &FloatPlaceholder();
  if (node.op() == Op::kCallFunction) {
    const BackendPatternConfig* entry = config.FindSingle(node.target());
    if (entry != nullptr) {
      for (const auto& [type, index] : entry->input_type_to_index) {
        if (type == "weight") target.weight_index = index;
        if (type == "bias") target.bias_index = index;
      }
    }
  }
  target.reuse_input = activation->class_name == "ReuseInputObserver" &&
                       weight->class_name == "NoopObserver";
  if (match != nullptr) {
    target.share_with_input =
        match->observation_type == ObservationType::kOutputShareObserverWithInput;
    target.is_standalone = match->is_standalone_module;
  }
  return target;
}

void ClearNonObservableArguments(Graph& graph, const MatchMap& matches,
                                 NodeTargets& targets) {
  for (const Node& node : graph.nodes()) {
    for (size_t index : NonObservableArguments(node)) {
      const Argument& argument = node.args()[index];
      const Sequence* sequence = argument.As<Sequence>();
      if (sequence == nullptr) {
        ClearBackwards(argument.AsNode(), matches, targets);
        continue;
      }
      for (const Argument& item : sequence->items) {
        ClearBackwards(item.AsNode(), matches, targets);
      }
    }
  }
}

}  // namespace qconform
