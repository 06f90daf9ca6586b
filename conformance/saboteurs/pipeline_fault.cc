#include "conformance/saboteurs/pipeline_fault.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "reference/observe/observer.h"

namespace qconform {
namespace {

// --- rows of the config, as the pipeline reads them ---

// Every side of every dtype config.
template <typename Edit>
void EditSides(BackendPatternConfig& entry, const Edit& edit) {
  for (DTypeConfig& config : entry.dtype_configs) {
    edit(config.input_dtype);
    edit(config.output_dtype);
    edit(config.weight_dtype);
  }
}

void ignore_range(BackendPatternConfig& entry) {
  EditSides(entry, [](DTypeWithConstraints& side) {
    side.quant_min_lower_bound.reset();
    side.quant_max_upper_bound.reset();
  });
}

void one_sided_range(BackendPatternConfig& entry) {
  EditSides(entry, [](DTypeWithConstraints& side) {
    constexpr int64_t kFar = std::numeric_limits<int32_t>::max();
    if (side.quant_min_lower_bound && !side.quant_max_upper_bound) {
      side.quant_max_upper_bound = kFar;
    } else if (side.quant_max_upper_bound && !side.quant_min_lower_bound) {
      side.quant_min_lower_bound = -kFar;
    }
  });
}

void range_one_wide(BackendPatternConfig& entry) {
  EditSides(entry, [](DTypeWithConstraints& side) {
    if (side.quant_max_upper_bound) ++*side.quant_max_upper_bound;
  });
}

void ignore_scale_min(BackendPatternConfig& entry) {
  EditSides(entry,
            [](DTypeWithConstraints& side) { side.scale_min_lower_bound.reset(); });
}

void MoveScaleMin(BackendPatternConfig& entry, float towards) {
  EditSides(entry, [&](DTypeWithConstraints& side) {
    if (!side.scale_min_lower_bound) return;
    side.scale_min_lower_bound =
        std::nextafter(static_cast<float>(*side.scale_min_lower_bound), towards);
  });
}

void scale_min_rounded(BackendPatternConfig& entry) { MoveScaleMin(entry, 0.F); }

void scale_min_strict(BackendPatternConfig& entry) { MoveScaleMin(entry, 1e30F); }

void ignore_exact_match(BackendPatternConfig& entry) {
  EditSides(entry, [](DTypeWithConstraints& side) {
    side.scale_exact_match.reset();
    side.zero_point_exact_match.reset();
  });
}

void ignore_exact_scale(BackendPatternConfig& entry) {
  // As torch ignores an exact value that stands alone.
  EditSides(entry, [](DTypeWithConstraints& side) { side.scale_exact_match.reset(); });
}

void ignore_input_dtype(BackendPatternConfig& entry) {
  for (DTypeConfig& config : entry.dtype_configs) config.input_dtype = {};
}

void ignore_output_dtype(BackendPatternConfig& entry) {
  for (DTypeConfig& config : entry.dtype_configs) config.output_dtype = {};
}

void ignore_weight_dtype(BackendPatternConfig& entry) {
  for (DTypeConfig& config : entry.dtype_configs) config.weight_dtype = {};
}

void ignore_bias_dtype(BackendPatternConfig& entry) {
  for (DTypeConfig& config : entry.dtype_configs) config.bias_dtype.reset();
}

void ignore_dynamic(BackendPatternConfig& entry) {
  std::vector<DTypeConfig> both;
  for (const DTypeConfig& config : entry.dtype_configs) {
    both.push_back(config);
    both.push_back(config);
    both.back().is_dynamic = !config.IsDynamic();
  }
  entry.dtype_configs = both;
}

void first_dtype_config(BackendPatternConfig& entry) {
  if (entry.dtype_configs.size() > 1) entry.dtype_configs = {entry.dtype_configs.front()};
}

void never_share(BackendPatternConfig& entry) {
  if (entry.observation_type == ObservationType::kOutputShareObserverWithInput) {
    entry.observation_type = ObservationType::kOutputUseDifferentObserverAsInput;
  }
}

void always_share(BackendPatternConfig& entry) {
  entry.observation_type = ObservationType::kOutputShareObserverWithInput;
}

void ignore_tensor_count(BackendPatternConfig& entry) {
  entry.num_tensor_args_to_observation_type.clear();
}

void ignore_argument_index(BackendPatternConfig& entry) {
  entry.input_type_to_index.clear();
}

void no_fusion(BackendPatternConfig& entry) { entry.fuser_method.clear(); }

void no_qat_swap(BackendPatternConfig& entry) { entry.qat_module.clear(); }

void no_reference_module(BackendPatternConfig& entry) {
  entry.reference_quantized_module.clear();
  entry.root_module.clear();
}

void no_extra_inputs(BackendPatternConfig& entry) { entry.extra_inputs_getter.clear(); }

void pattern_order_reversed(std::vector<BackendPatternConfig>& rows) {
  std::reverse(rows.begin(), rows.end());
}

void drop_last_row(std::vector<BackendPatternConfig>& rows) {
  if (!rows.empty()) rows.pop_back();
}

// --- what the pipeline is asked ---

void type_before_name(PipelineRequest& request) {
  if (request.mapping.object_type.size() == 0) return;
  request.mapping.module_name_regex = {};
  request.mapping.module_name = {};
  request.mapping.module_name_object_type_order = {};
}

void ignore_order_rules(PipelineRequest& request) {
  request.mapping.module_name_object_type_order = {};
}

void last_regex_wins(PipelineRequest& request) {
  std::vector<std::pair<std::string, QConfigPointer>> rules(
      request.mapping.module_name_regex.begin(), request.mapping.module_name_regex.end());
  request.mapping.module_name_regex = {};
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    request.mapping.module_name_regex.Set(rule->first, rule->second);
  }
}

void none_is_no_rule(PipelineRequest& request) {
  const auto drop = [](OrderedMap<QConfigPointer>& rules) {
    OrderedMap<QConfigPointer> kept;
    for (const auto& [key, qconfig] : rules) {
      if (qconfig != nullptr) kept.Set(key, qconfig);
    }
    rules = kept;
  };
  drop(request.mapping.object_type);
  drop(request.mapping.module_name_regex);
  drop(request.mapping.module_name);
}

void evaluation_only(PipelineRequest& request) { request.is_qat = false; }

void first_batch_only(PipelineRequest& request) {
  if (request.calibration.size() > 1) request.calibration.resize(1);
}

void reuse_unshared(PipelineRequest& request) {
  std::unordered_map<std::string, int> calls;
  for (Node& node : request.graph.graph.nodes()) {
    if (node.op() != Op::kCallModule || ++calls[node.target()] == 1) continue;
    const std::string path = node.target() + "_again";
    request.graph.SetModule(path, request.graph.FindModule(node.target())->Clone());
    node.set_target(path);
  }
}

void always_strict(PipelineRequest& request) { request.mode = Mode::kStrict; }

// --- the graph with observers ---

const Observer* ObserverAt(const GraphModule& module, const Node& node) {
  if (node.op() != Op::kCallModule) return nullptr;
  const Module* called = module.ModuleAt(node.target());
  return called == nullptr ? nullptr : dynamic_cast<const Observer*>(called->state.get());
}

void observer_unshared(Prepared& prepared) {
  std::unordered_map<const Module*, int> seen;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (ObserverAt(prepared.module, node) == nullptr) continue;
    const std::shared_ptr<Module> called = prepared.module.FindModule(node.target());
    if (++seen[called.get()] > 1) {
      prepared.module.SetModule(node.target(), called->Clone());
    }
  }
}

void output_unobserved(Prepared& prepared) {
  for (Node* node : prepared.module.graph.NodePointers()) {
    if (ObserverAt(prepared.module, *node) == nullptr || node->users().size() != 1 ||
        node->users()[0]->op() != Op::kOutput) {
      continue;
    }
    prepared.module.graph.ReplaceAllUses(node, node->args()[0].AsNode());
    prepared.module.graph.Erase(node);
  }
}

void fixed_qparams_off(Prepared& prepared) {
  for (const Node& node : prepared.module.graph.nodes()) {
    const Observer* observer = ObserverAt(prepared.module, node);
    if (observer == nullptr || observer->class_name != "FixedQParamsObserver") continue;
    Tensor zero_point = observer->CalculateQparams().zero_point.Clone();
    ++zero_point.data<int32_t>()[0];
    const std::shared_ptr<Module> called = prepared.module.FindModule(node.target());
    dynamic_cast<Observer&>(*called->state).SetBuffer("zero_point", zero_point);
  }
}

// --- the converted graph ---

bool IsQuantize(const Node& node) {
  return node.op() == Op::kCallFunction && node.target() == "torch.quantize_per_tensor";
}

// The parameters of quantize nodes by the end of their names.
template <typename Edit>
void EditQparams(GraphModule& module, const char* kind, const Edit& edit) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kGetAttr || node.target().find(kind) == std::string::npos) {
      continue;
    }
    Tensor tensor = module.FindTensor(node.target())->Clone();
    edit(tensor);
    module.SetBuffer(node.target(), tensor);
  }
}

void zero_point_off(GraphModule& module) {
  EditQparams(module, "_zero_point_", [](Tensor& tensor) {
    if (tensor.dtype() == DType::kInt32) ++tensor.data<int32_t>()[0];
    if (tensor.dtype() == DType::kInt64) ++tensor.data<int64_t>()[0];
  });
}

void scale_one_ulp(GraphModule& module) {
  EditQparams(module, "_scale_", [](Tensor& tensor) {
    float& scale = tensor.data<float>()[0];
    scale = std::nextafter(scale, std::numeric_limits<float>::infinity());
  });
}

void dequantize_per_user(GraphModule& module) {
  for (Node* node : module.graph.NodePointers()) {
    if (node->op() != Op::kCallMethod || node->target() != "dequantize") continue;
    const std::vector<Node*> users = node->users();
    for (size_t i = 1; i < users.size(); ++i) {
      Node* copy = module.graph.InsertAfter(node, Op::kCallMethod, "dequantize",
                                            {node->args()[0]});
      users[i]->ReplaceInput(node, copy);
    }
  }
}

void quantize_missing(GraphModule& module) {
  std::vector<Node*> nodes = module.graph.NodePointers();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if ((*node)->op() != Op::kCallMethod || (*node)->target() != "dequantize") continue;
    Node* quantize = (*node)->args()[0].AsNode();
    if (quantize == nullptr || !IsQuantize(*quantize)) continue;
    module.graph.ReplaceAllUses(*node, quantize->args()[0].AsNode());
    module.graph.EliminateDeadCode();
    return;
  }
}

void operands_swapped(GraphModule& module) {
  for (Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallFunction || IsQuantize(node) || node.args().size() != 2 ||
        node.args()[0].AsNode() == nullptr || node.args()[1].AsNode() == nullptr) {
      continue;
    }
    node.set_args({node.args()[1], node.args()[0]});
  }
}

// Reference modules, at any depth.
template <typename Edit>
void EditReferenceModules(Module& module, const Edit& edit) {
  for (auto& [name, child] : module.children) {
    if (child->attributes.Contains("weight_qscheme")) edit(*child);
    EditReferenceModules(*child, edit);
  }
}

void channel_axis_off(GraphModule& module) {
  EditReferenceModules(*module.root, [](Module& child) {
    if (child.Text("weight_qscheme", "").starts_with("torch.per_channel")) {
      child.attributes.Set("weight_axis_int",
                           Argument(1 - child.Integer("weight_axis_int", 0)));
    }
  });
}

void weight_range_full(GraphModule& module) {
  EditReferenceModules(*module.root, [](Module& child) {
    if (child.Integer("weight_quant_min", 0) == -127) {
      child.attributes.Set("weight_quant_min", Argument(-128));
    }
  });
}

void bias_dropped(GraphModule& module) {
  EditReferenceModules(*module.root, [](Module& child) {
    if (child.parameters.Contains("bias")) child.parameters.Set("bias", std::nullopt);
  });
}

void DropRelu(Module& module) {
  for (auto& [name, child] : module.children) {
    if (child->type == "torch.nn.ReLU" && module.children.size() > 1 &&
        !module.type.empty()) {
      child->type = "torch.nn.Identity";
      child->attributes = {};
    }
    DropRelu(*child);
  }
}

void relu_dropped(GraphModule& module) { DropRelu(*module.root); }

std::vector<PipelineFault> MakeFaults() {
  std::vector<PipelineFault> faults(1);
  faults[0].name = "none";
  faults[0].text = "nothing: the reference itself";
#define PIPELINE_FAULT(planted, what, does) \
  faults.emplace_back();                    \
  faults.back().name = #planted;            \
  faults.back().text = does;                \
  faults.back().what = planted;
#include "conformance/saboteurs/pipeline_faults.inc"
#undef PIPELINE_FAULT
  return faults;
}

}  // namespace

std::span<const PipelineFault> PipelineFaults() {
  static const auto* const faults = new std::vector<PipelineFault>(MakeFaults());
  return *faults;
}

const PipelineFault* FindPipelineFault(const std::string& name) {
  for (const PipelineFault& fault : PipelineFaults()) {
    if (fault.name == name) return &fault;
  }
  return nullptr;
}

std::shared_ptr<const BackendConfig> FaultyConfig(const PipelineFault& fault,
                                                  const BackendConfig& config) {
  std::vector<BackendPatternConfig> rows;
  for (const BackendConfig::Entry& entry : config.entries()) {
    rows.push_back(entry.config);
    if (fault.entry != nullptr) fault.entry(rows.back());
  }
  if (fault.config != nullptr) fault.config(rows);
  auto faulty = std::make_shared<BackendConfig>(config.name());
  for (BackendPatternConfig& row : rows) faulty->Set(std::move(row));
  return faulty;
}

PipelineAnswer AnswerWithFault(const PipelineFault& fault, PipelineRequest request) {
  if (fault.request != nullptr) fault.request(request);
  AnswerHooks hooks;
  if (fault.prepared != nullptr) hooks.prepared = fault.prepared;
  if (fault.reference != nullptr) hooks.reference = fault.reference;
  return AnswerByReference(request, hooks);
}

}  // namespace qconform
