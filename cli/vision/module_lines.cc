// Modules, observers and matches.
#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "cli/vision/graph_lines.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_value.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/moving_average_min_max_observer.h"
#include "reference/observe/moving_average_per_channel_min_max_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/share_observers.h"
#include "reference/ops/weight_quantization.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform::vision {
namespace {

using Fields = std::map<std::string, std::string>;

std::string FieldsText(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) text += " " + name + "=" + value;
  return text;
}

void AddTensors(const OrderedMap<std::optional<Tensor>>& tensors, Fields& fields) {
  for (const auto& [name, tensor] : tensors) {
    if (tensor) fields[name] = TensorText(*tensor);
  }
}

// The integers as a tensor of their storage dtype.
std::string CodesText(const Tensor& codes) {
  switch (ItemSize(codes.dtype())) {
    case 1:
      return TensorText(
          codes.ViewedAs(codes.dtype() == DType::kQUInt8 ? DType::kUInt8 : DType::kInt8));
    default:
      return TensorText(codes.ViewedAs(DType::kInt32));
  }
}

void AddWeight(const Tensor& weight, Fields& fields) {
  fields["codes"] = CodesText(weight);
  const QuantizationParameters& parameters = *weight.quantization();
  const auto count = static_cast<int64_t>(parameters.scale.size());
  Tensor scales(DType::kFloat32, {count});
  Tensor zero_points(DType::kInt64, {count});
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<size_t>(i);
    scales.data<float>()[i] = static_cast<float>(parameters.scale[index]);
    zero_points.data<int64_t>()[i] = static_cast<int64_t>(parameters.zero_point[index]);
  }
  fields["scales"] = TensorText(scales);
  fields["zero_points"] = TensorText(zero_points);
}

// Module trees are a few modules deep.
void AppendModule(const std::string& path, const Module& module, Lines& lines) {
  Fields settings;
  Fields tensors;
  for (const auto& [name, value] : module.attributes) {
    if (name != "is_decomposed") settings[name] = ArgumentText(value);
  }
  AddTensors(module.parameters, tensors);
  AddTensors(module.buffers, tensors);
  if (module.type.starts_with("torch.ao.nn.quantized.reference.")) {
    tensors["codes"] = CodesText(QuantizedWeight(module, "weight", Call("weight", {})));
  }
  lines.push_back(path + ": " + module.type + (module.training ? " train" : " eval") +
                  FieldsText(settings) + FieldsText(tensors));
  for (const auto& [name, child] : module.children) {
    if (!child) continue;
    if (const auto observer = ObserverOf(child)) {
      lines.push_back(path + "." + name + ": " + ObserverText(*observer));
    } else {
      AppendModule(path + "." + name, *child, lines);
    }
  }
}

std::string OptionalText(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "null";
}

std::string BooleanText(bool value) { return value ? "true" : "false"; }

// Python's text of a constructor argument: integers stay integers.
std::string ConstantText(double value) {
  if (value == static_cast<int64_t>(value)) {
    return std::to_string(static_cast<int64_t>(value));
  }
  return RealText(value);
}

void AddObserver(const Observer& observer, const std::string& prefix, Fields& settings,
                 Fields& values) {
  const OrderedMap<Tensor> buffers = observer.Buffers();
  if (const auto* fake = dynamic_cast<const FakeQuantizeObserver*>(&observer)) {
    settings["fake_quant_enabled"] = fake->fake_quant_enabled ? "1" : "0";
    settings["observer_enabled"] = fake->observer_enabled ? "1" : "0";
    settings["ch_axis"] = std::to_string(fake->ch_axis);
    settings["observer.class"] = fake->ActivationPostProcess()->class_name;
    values["scale"] = TensorText(fake->scale());
    values["zero_point"] = TensorText(fake->zero_point());
    AddObserver(*fake->ActivationPostProcess(), "observer.", settings, values);
    return;
  }
  settings[prefix + "dtype"] = "torch." + std::string(DTypeName(observer.dtype));
  settings[prefix + "qscheme"] = "torch." + std::string(QSchemeName(observer.qscheme));
  settings[prefix + "quant_min"] = OptionalText(observer.quant_min);
  settings[prefix + "quant_max"] = OptionalText(observer.quant_max);
  settings[prefix + "is_dynamic"] = BooleanText(observer.is_dynamic);
  for (const char* name : {"scale", "zero_point", "min_val", "max_val", "histogram"}) {
    const Tensor* tensor = buffers.Find(name);
    if (tensor != nullptr) values[prefix + name] = TensorText(*tensor);
  }
  if (observer.class_name == "FixedQParamsObserver") return;
  settings[prefix + "eps"] = RealText(static_cast<double>(observer.eps));
  settings[prefix + "reduce_range"] = BooleanText(observer.reduce_range);
  settings[prefix + "has_customized_qrange"] =
      BooleanText(observer.has_customized_qrange);
  if (IsPerChannel(observer.qscheme)) {
    settings[prefix + "ch_axis"] = std::to_string(observer.ch_axis);
  }
  if (const auto* moving = dynamic_cast<const MovingAverageMinMaxObserver*>(&observer)) {
    settings[prefix + "averaging_constant"] = ConstantText(moving->averaging_constant());
  }
  if (const auto* moving =
          dynamic_cast<const MovingAveragePerChannelMinMaxObserver*>(&observer)) {
    settings[prefix + "averaging_constant"] = ConstantText(moving->averaging_constant());
  }
  if (const auto* histogram = dynamic_cast<const HistogramObserver*>(&observer)) {
    settings[prefix + "bins"] = std::to_string(histogram->bins());
  }
}

std::string PatternText(const ordered_json& pattern) {
  if (pattern.is_string()) return pattern.get<std::string>();
  if (!pattern.is_array()) return pattern.dump();
  std::string text;
  for (const ordered_json& item : pattern) {
    text += (text.empty() ? "(" : ", ") + PatternText(item);
  }
  return text + ")";
}

// What call_module nodes name, in order of first call.
std::vector<std::string> CalledPaths(const GraphModule& module) {
  std::vector<std::string> paths;
  std::unordered_set<std::string> seen;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() == Op::kCallModule && seen.insert(node.target()).second) {
      paths.push_back(node.target());
    }
  }
  return paths;
}

}  // namespace

Lines ModuleLines(const GraphModule& module) {
  Lines lines;
  for (const std::string& path : CalledPaths(module)) {
    const std::shared_ptr<Module> called = module.FindModule(path);
    if (!called) {
      lines.push_back(path + ": absent");
    } else if (!ObserverOf(called)) {
      AppendModule(path, *called, lines);
    }
  }
  return lines;
}

Lines LoweredModuleLines(const GraphModule& module) {
  Lines lines;
  for (const std::string& path : CalledPaths(module)) {
    const Module& called = *module.ModuleAt(path);
    Fields fields;
    for (const char* name : {"scale", "zero_point"}) {
      if (const Argument* value = called.attributes.Find(name)) {
        fields[name] = ArgumentText(*value);
      } else if (const Tensor* tensor = called.FindTensor(name)) {
        fields[name] = IsFloatingDType(tensor->dtype())
                           ? RealText(tensor->ValueAt(0))
                           : std::to_string(tensor->IntegerAt(0));
      }
    }
    const auto* child = called.children.Find("_packed_params");
    const Module& packed = child == nullptr ? called : **child;
    const Tensor* weight = packed.FindTensor("weight");
    if (weight != nullptr && weight->quantization()) {
      AddWeight(*weight, fields);
      const Tensor* bias = packed.FindTensor("bias");
      if (bias != nullptr) fields["bias"] = TensorText(*bias);
    }
    lines.push_back(path + ": " + called.type + FieldsText(fields));
  }
  return lines;
}

std::string ObserverText(const Observer& observer) {
  Fields settings;
  Fields values;
  AddObserver(observer, "", settings, values);
  const Qparams qparams = observer.CalculateQparams();
  values["qparams"] = TensorText(qparams.scale) + "," + TensorText(qparams.zero_point);
  return observer.class_name + FieldsText(settings) + FieldsText(values);
}

ObserverLines LinesOfObservers(const GraphModule& module) {
  ObserverLines lines;
  std::unordered_map<const Module*, std::string> names;
  for (const Node& node : module.graph.nodes()) {
    if (!IsObserverNode(module, &node)) continue;
    const std::shared_ptr<Module> called = module.FindModule(node.target());
    std::string& name = names[called.get()];
    if (name.empty()) {
      name = "observer" + std::to_string(names.size() - 1);
      lines.observers.push_back(name + ": " + ObserverText(*ObserverOf(called)));
    }
    std::string text =
        node.name() + ": " + name + " of " + node.args()[0].AsNode()->name() + " to";
    for (const Node* user : node.users()) text += " " + user->name();
    lines.nodes.push_back(text);
  }
  return lines;
}

Lines MatchLines(const Prepared& prepared) {
  Lines lines;
  std::map<std::string, size_t> numbers;
  for (const auto& [name, resolved] : prepared.node_qconfigs) {
    std::string text = name + ": -";
    if (resolved.qconfig != nullptr) {
      const size_t number =
          numbers.emplace(QConfigToJson(resolved.qconfig).dump(), numbers.size())
              .first->second;
      text = fmt::format("{}: q{}", name, number);
    }
    if (const auto* found = prepared.matches.Find(name)) {
      const QuantizationMatch& match = **found;
      text +=
          fmt::format(" last={} root={} pattern={} tensors={}", match.last->name(),
                      match.root->name(), PatternText(PatternToJson(match.entry->key)),
                      match.num_tensor_args);
    }
    lines.push_back(text);
  }
  return lines;
}

}  // namespace qconform::vision
