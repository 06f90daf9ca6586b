#include "reference/convert/convert.h"

#include <algorithm>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/convert/calibrated_scale.h"
#include "reference/convert/quantize_nodes.h"
#include "reference/convert/reference_module.h"
#include "reference/convert/weight_observers.h"
#include "reference/convert/weighted_module.h"
#include "reference/fuse/preserved_attributes.h"
#include "reference/ir/error.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/custom_module.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/standalone_module.h"
#include "reference/observe/used_modules.h"
#include "reference/qconfig/dtype_support.h"
#include "reference/qconfig/mapping_rewrite.h"

namespace qconform {
namespace {

class Conversion {
 public:
  Conversion(const Prepared& prepared, const ConvertOptions& options)
      : prepared_(prepared),
        options_(options),
        module_(prepared.module.CloneSharingParameters()),
        writer_(module_),
        backend_config_(options.backend_config ? options.backend_config
                                               : prepared.backend_config),
        weighted_(prepared, *backend_config_, options.is_decomposed, options.mode,
                  module_) {
    qconfigs_ = ConvertedQConfigs(prepared, options);
    if (options.mode == Mode::kStrict) LeaveScalesOutOfBoundsFloat();
  }

  GraphModule Run() {
    std::unordered_map<std::string, NodeTarget> targets;
    for (const auto& [node, target] : prepared_.targets) targets[node->name()] = target;
    RunWeightObservers(module_, targets);
    int64_t inputs = 0;
    for (Node* node : module_.graph.NodePointers()) {
      switch (node->op()) {
        case Op::kPlaceholder:
          if (Contains(prepared_.options.custom_config.input_quantized_indexes,
                       inputs++)) {
            InsertDequantize(module_.graph, node);
          }
          break;
        case Op::kOutput:
          KeepOutputsQuantized(*node);
          break;
        case Op::kCallModule:
          VisitModule(node);
          break;
        default:
          break;
      }
    }
    module_.graph.EliminateDeadCode();
    KeepUsedModules(module_);
    CopyPreserved(*prepared_.module.root, options_.custom_config.preserved_attributes,
                  *module_.root);
    return std::move(module_);
  }

 private:
  static bool Contains(const std::vector<int64_t>& indexes, int64_t index) {
    return std::find(indexes.begin(), indexes.end(), index) != indexes.end();
  }

  // As convert's own mapping switches patterns off.
  void LeaveScalesOutOfBoundsFloat() {
    for (const auto& [name, reason] : ScalesOutOfBounds(prepared_)) {
      ForEachNode((*prepared_.matches.Find(name))->nodes,
                  [this](const Node* node) { qconfigs_[node->name()] = nullptr; });
    }
  }

  // Whether the user asked to leave the node alone. (_has_none_qconfig)
  bool HasNoneQConfig(const Node* node) const {
    if (node == nullptr) return false;
    const auto found = qconfigs_.find(node->name());
    return found != qconfigs_.end() && found->second == nullptr;
  }

  void VisitModule(Node* node) {
    const std::shared_ptr<Module> module = module_.FindModule(node->target());
    if (const std::shared_ptr<Observer> observer = ObserverOf(module)) {
      ConvertObserver(node, *observer);
    } else if (module->type == kDequantStubType) {
      Node* value = node->args()[0].AsNode();
      ReplaceObserver(module_.graph, node, value);
      InsertDequantize(module_.graph, value);
    } else if (const Prepared* standalone = ObservedStandaloneOf(*module)) {
      ConvertStandalone(node, *standalone);
    } else if (!weighted_.Convert(*node, HasNoneQConfig(node)) &&
               (IsObservedCustomClass(options_.custom_config, module->type) ||
                ConversionOf(*module) != nullptr)) {
      ConvertCustomModule(node, *module);
    }
  }

  void ConvertObserver(Node* node, const Observer& observer) {
    Node* observed = node->args()[0].AsNode();
    if (quantized_custom_nodes_.count(observed) > 0) {
      // The module's output is quantized already.
      ReplaceObserver(module_.graph, node, observed);
      InsertDequantize(module_.graph, observed);
      return;
    }
    bool skip = HasNoneQConfig(observed);
    for (const Node* user : node->users()) skip = skip && HasNoneQConfig(user);
    // An observer without users has only its producer to ask.
    if (skip || !IsConvertible(observer)) {
      ReplaceObserver(module_.graph, node, observed);
    } else if (options_.is_decomposed) {
      WriteDecomposedNodes(module_, node, observer, PrefixOf(*node), writer_);
    } else {
      WriteQuantizeNodes(module_, node, observer, PrefixOf(*node), options_.engine,
                         options_.mode, writer_);
    }
  }

  // (_get_module_path_and_prefix)
  ParameterPrefix PrefixOf(const Node& observer_node) const {
    const Node* source = observer_node.args()[0].AsNode();
    ParameterPrefix prefix;
    if (HasNoneQConfig(source)) {
      prefix.suffix = "_input";
      source = observer_node.users().empty() ? nullptr : observer_node.users()[0];
      for (const Node* user : observer_node.users()) {
        if (user->op() == Op::kCallFunction &&
            user->target() == "torch.nn.functional.linear") {
          source = user;
          break;
        }
      }
    }
    if (source != nullptr) {
      const auto scope = module_.scopes.find(source->name());
      if (scope != module_.scopes.end()) prefix.path = scope->second.path;
    }
    return prefix;
  }

  // The returned values that are to stay quantized are read before their dequantize.
  void KeepOutputsQuantized(Node& output) {
    const auto& indexes = prepared_.options.custom_config.output_quantized_indexes;
    if (indexes.empty() || output.args().empty()) return;
    const Argument result = output.args()[0];
    if (const Sequence* sequence = result.As<Sequence>()) {
      for (int64_t index : indexes) {
        const auto size = static_cast<int64_t>(sequence->items.size());
        const int64_t position = index < 0 ? index + size : index;
        if (position < 0 || position >= size) {
          throw PipelineError("IndexError", "an output_quantized_index is out of range");
        }
        BypassDequantize(sequence->items[static_cast<size_t>(position)], output);
      }
    } else if (Contains(indexes, 0)) {
      BypassDequantize(result, output);
    }
  }

  // (_maybe_recursive_remove_dequantize)
  void BypassDequantize(const Argument& argument, Node& user) {
    ForEachNode(argument, [&](Node* node) {
      if (node->op() == Op::kCallMethod && node->target() == "dequantize") {
        user.ReplaceInput(node, node->args()[0].AsNode());
      }
    });
  }

  // torch gives the inner graph neither the representation, which strict mode does, nor
  // the mapping and custom settings of convert. (convert_standalone_module)
  void ConvertStandalone(Node* node, const Prepared& standalone) {
    const PrepareCustomConfig& config = standalone.options.custom_config;
    for (size_t i = 0; i < node->args().size(); ++i) {
      Node* input = node->args()[i].AsNode();
      if (!Contains(config.input_quantized_indexes, static_cast<int64_t>(i)) ||
          input == nullptr) {
        continue;
      }
      BypassPreviousDequantize(node, input);
    }
    if (!config.output_quantized_indexes.empty()) {
      if (config.output_quantized_indexes[0] != 0) {
        throw PipelineError("AssertionError",
                            "Currently only quantized output idxs = [0] is supported");
      }
      InsertDequantize(module_.graph, node);
    }
    ConvertOptions options;
    options.mode = options_.mode;
    options.is_decomposed = options_.is_decomposed && options_.mode == Mode::kStrict;
    options.engine = options_.engine;
    options.backend_config = backend_config_;
    options.finish_standalone = options_.finish_standalone;
    GraphModule graph = ConvertToReference(standalone, options);
    if (options.finish_standalone) {
      graph = options.finish_standalone(std::move(graph), standalone, options);
    }
    auto converted = std::make_shared<Module>();
    converted->type = kGraphModuleType;
    converted->training = module_.FindModule(node->target())->training;
    converted->state = std::make_shared<OwnedGraph>(std::move(graph));
    module_.SetModule(node->target(), converted);
  }

  // The node reads what its input dequantizes.
  void BypassPreviousDequantize(Node* node, Node* input) {
    if (input->op() != Op::kCallMethod || input->target() != "dequantize") return;
    node->ReplaceInput(input, input->args()[0].AsNode());
    if (input->users().empty()) module_.graph.Erase(input);
  }

  // nullptr for a class that nobody converts.
  const CustomConversion* ConversionOf(const Module& module) const {
    const CustomConversion* given = options_.custom_conversions.Find(module.type);
    if (given == nullptr) {
      given = options_.custom_conversions.Find(QuantizableAlias(module.type));
    }
    return given != nullptr ? given : UserConversions().Find(module.type);
  }

  // (convert_custom_module)
  void ConvertCustomModule(Node* node, const Module& observed) {
    // torch reads the module's own qconfig, which is prepare's.
    const NodeQConfig* resolved = prepared_.node_qconfigs.Find(node->name());
    const QConfigPointer qconfig = resolved == nullptr ? nullptr : resolved->qconfig;
    if (qconfig == nullptr) {
      throw PipelineError("AssertionError",
                          "qconfig must be provided to determine quant type");
    }
    std::shared_ptr<Observer> output;
    if (IsStaticallyQuantized(qconfig)) {
      quantized_custom_nodes_.insert(node);
      if (IsQuantizableLstm(observed.type) || IsQuantizableAttention(observed.type)) {
        ReadQuantizedInputs(node, IsQuantizableLstm(observed.type));
      } else {
        output = AbsorbObservers(node);
      }
    }
    std::string type = observed.type;
    if (IsObservedCustomClass(options_.custom_config, type)) {
      type = QuantizedClassOf(options_.custom_config, type, *qconfig);
    }
    if (const CustomConversion* conversion = ConversionOf(observed)) {
      module_.SetModule(node->target(), (*conversion)(observed, *qconfig, output));
      return;
    }
    const std::shared_ptr<Module> converted = observed.Clone();
    converted->type = type;
    if (output) {
      const Qparams qparams = output->CalculateQparams();
      converted->attributes.Set("scale", ScaleValue(qparams));
      converted->attributes.Set("zero_point", ZeroPointValue(qparams));
    }
    module_.SetModule(node->target(), converted);
  }

  // (input, (hidden, cell)) resp. (query, key, value)
  void ReadQuantizedInputs(Node* node, bool is_lstm) {
    std::vector<Argument> inputs = node->args();
    if (is_lstm && inputs.size() == 2) {
      const Sequence* states = inputs[1].As<Sequence>();
      if (states != nullptr && states->is_tuple && states->items.size() == 2) {
        inputs = {inputs[0], states->items[0], states->items[1]};
      }
    }
    constexpr size_t kInputs = 3;
    if (inputs.size() != kInputs) {
      throw PipelineError("AssertionError",
                          is_lstm
                              ? "Expected LSTM custom module inputs to be (input, "
                                "(hidden0, hidden1))"
                              : "Expected MHA custom module inputs to be (query, key, "
                                "value)");
    }
    for (const Argument& argument : inputs) {
      if (argument.AsNode() == nullptr) {
        throw PipelineError("AssertionError", "Expected inputs to be a Node");
      }
    }
    // Self-attention gives the same input three times; it is bypassed, and gone, once.
    std::unordered_set<const Node*> bypassed;
    for (const Argument& argument : inputs) {
      if (bypassed.insert(argument.AsNode()).second) {
        BypassPreviousDequantize(node, argument.AsNode());
      }
    }
  }

  // The node reads its quantized input; the observer of its output goes to it.
  std::shared_ptr<Observer> AbsorbObservers(Node* node) {
    Node* input = node->args().empty() ? nullptr : node->args()[0].AsNode();
    if (input == nullptr) {
      throw PipelineError("AssertionError", "Expected arg to be a Node");
    }
    BypassPreviousDequantize(node, input);
    for (const Node* user : node->users()) {
      if (user->op() != Op::kCallModule) continue;
      if (auto output = ObserverOf(module_.FindModule(user->target()))) return output;
    }
    throw PipelineError("AssertionError",
                        "Expected activation_post_process to be present for observed "
                        "custom module");
  }

  // (activation_is_statically_quantized)
  static bool IsStaticallyQuantized(const QConfigPointer& qconfig) {
    if (qconfig == nullptr) return false;
    const QConfigDTypes dtypes = DTypesOf(*qconfig);
    return !dtypes.is_dynamic && IsObservableDType(dtypes.activation);
  }

  const Prepared& prepared_;
  const ConvertOptions& options_;
  GraphModule module_;
  ParameterWriter writer_;
  const std::shared_ptr<const BackendConfig> backend_config_;
  WeightedModuleConverter weighted_;
  std::unordered_map<std::string, QConfigPointer> qconfigs_;
  std::unordered_set<const Node*> quantized_custom_nodes_;
};

}  // namespace

std::unordered_map<std::string, QConfigPointer> ConvertedQConfigs(
    const Prepared& prepared, const ConvertOptions& options) {
  std::unordered_map<std::string, QConfigPointer> qconfigs;
  if (!options.qconfig_mapping) {
    for (const auto& [name, resolved] : prepared.node_qconfigs) {
      qconfigs[name] = resolved.qconfig;
    }
    return qconfigs;
  }
  QConfigMapping mapping = *options.qconfig_mapping;
  const BackendConfig& config =
      options.backend_config ? *options.backend_config : *prepared.backend_config;
  if (prepared.options.is_qat) UpdateForQat(config, mapping);
  UpdateForFusion(prepared.module, mapping);
  CheckConvertMapping(prepared.mapping, mapping, options.mode);
  const OrderedMap<NodeQConfig> resolved = NodeQConfigs(prepared.module, mapping);
  for (const auto& [name, prepared_qconfig] : prepared.node_qconfigs) {
    const NodeQConfig* found = resolved.Find(name);
    if (found == nullptr) {
      throw PipelineError("AssertionError", "convert's mapping lacks node " + name);
    }
    // It may only switch single nodes back to float.
    if (found->qconfig != nullptr &&
        !QConfigEquals(prepared_qconfig.qconfig, found->qconfig)) {
      throw PipelineError("AssertionError",
                          "convert's mapping changes the qconfig of node " + name);
    }
  }
  for (const auto& [name, node_qconfig] : resolved) qconfigs[name] = node_qconfig.qconfig;
  return qconfigs;
}

GraphModule ConvertToReference(const Prepared& prepared, const ConvertOptions& options) {
  return Conversion(prepared, options).Run();
}

}  // namespace qconform
