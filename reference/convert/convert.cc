#include "reference/convert/convert.h"

#include <algorithm>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/convert/quantize_nodes.h"
#include "reference/convert/reference_module.h"
#include "reference/convert/weight_observers.h"
#include "reference/convert/weighted_module.h"
#include "reference/ir/error.h"
#include "reference/observe/observer_module.h"
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
        module_(prepared.module.Clone()),
        writer_(module_),
        weighted_(prepared, options.is_decomposed, options.mode, module_) {
    qconfigs_ = ConvertedQConfigs(prepared, options);
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
    return std::move(module_);
  }

 private:
  static bool Contains(const std::vector<int64_t>& indexes, int64_t index) {
    return std::find(indexes.begin(), indexes.end(), index) != indexes.end();
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
    } else if (ConversionOf(*module) != nullptr) {
      ConvertCustomModule(node, *module);
    } else {
      weighted_.Convert(*node, HasNoneQConfig(node));
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

  // nullptr for a class that nobody converts.
  const CustomConversion* ConversionOf(const Module& module) const {
    const CustomConversion* given = options_.custom_conversions.Find(module.type);
    return given != nullptr ? given : UserConversions().Find(module.type);
  }

  // (convert_custom_module)
  void ConvertCustomModule(Node* node, const Module& observed) {
    const auto qconfig = qconfigs_.find(node->name());
    std::shared_ptr<Observer> output;
    if (qconfig != qconfigs_.end() && IsStaticallyQuantized(qconfig->second)) {
      quantized_custom_nodes_.insert(node);
      Node* input = node->args().empty() ? nullptr : node->args()[0].AsNode();
      if (input == nullptr) {
        throw PipelineError("AssertionError", "Expected arg to be a Node");
      }
      if (input->op() == Op::kCallMethod && input->target() == "dequantize") {
        node->ReplaceInput(input, input->args()[0].AsNode());
        if (input->users().empty()) module_.graph.Erase(input);
      }
      for (const Node* user : node->users()) {
        if (user->op() != Op::kCallModule) continue;
        output = ObserverOf(module_.FindModule(user->target()));
        if (output) break;
      }
      if (!output) {
        throw PipelineError("AssertionError",
                            "an observed custom module has no observer on its output");
      }
    }
    module_.SetModule(node->target(), (*ConversionOf(observed))(observed, output));
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
  if (prepared.options.is_qat) UpdateForQat(*prepared.backend_config, mapping);
  UpdateForFusion(prepared.module, mapping);
  CheckConvertMapping(prepared.mapping, mapping);
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
