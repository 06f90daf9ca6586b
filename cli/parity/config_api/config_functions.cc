// torch.ao.quantization.backend_config.utils and Python's len.
#include <set>

#include "cli/parity/config_api/config_value.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/backend_config_maps.h"
#include "reference/config/human_readable.h"

namespace qconform::parity {
namespace {

ConfigValue List(std::vector<ConfigValue> items) {
  return {std::make_shared<ConfigList>(ConfigList{false, std::move(items)})};
}

const ordered_json& Plain(const ConfigValue& value) {
  const ordered_json* json = value.As<ordered_json>();
  if (json == nullptr) throw UnreadStep("a plain value was expected");
  return *json;
}

template <typename T>
const T& Require(const ConfigValue& value, const char* what) {
  const T* object = value.Object<T>();
  if (object == nullptr) throw UnreadStep(std::string(what) + " was expected");
  return *object;
}

ConfigValue FuserMapping(const BackendConfig& config) {
  ConfigList pairs;
  const OrderedMap<FuserMethod> methods = FuserMethods(config);
  for (const BackendConfig::Entry& entry : config.entries()) {
    const FuserMethod* method = methods.Find(entry.key.Text());
    if (method == nullptr) continue;
    const std::string text =
        method->reversed == 0
            ? method->name
            : "_reverse" + std::to_string(method->reversed) + "(" + method->name + ")";
    pairs.items.push_back(List({{entry.key}, {ordered_json(text)}}));
  }
  return List(std::move(pairs.items));
}

}  // namespace

ConfigValue CallFunction(const std::string& name, const ConfigValue& value) {
  if (name == "len") {
    if (const auto* list = value.Object<ConfigList>()) {
      return {ordered_json(list->items.size())};
    }
    const ordered_json& json = Plain(value);
    return {
        ordered_json(json.is_string() ? json.get<std::string>().size() : json.size())};
  }
  if (name == "pattern_to_human_readable") {
    return {PatternToHumanReadable(PatternOf(value))};
  }
  if (name == "remove_boolean_dispatch_from_name") {
    return {RemoveBooleanDispatch(PatternOf(value))};
  }
  if (name == "entry_to_pretty_str") {
    const BackendPatternConfig entry =
        BackendPatternConfigFromJson(Plain(value), "entry_to_pretty_str");
    return {ordered_json(EntryToPrettyText(entry))};
  }
  if (name == "_get_pattern_in_reversed_nested_tuple_format") {
    return {Require<BackendPatternConfig>(value, "a BackendPatternConfig").InternalKey()};
  }
  const BackendConfig& config = Require<BackendConfig>(value, "a BackendConfig");
  if (name == "get_fuser_method_mapping") return FuserMapping(config);
  ConfigList items;
  const auto add = [&items](const OrderedMap<std::string>& map, bool is_pattern) {
    for (const auto& [key, text] : map) {
      items.items.push_back(List({{is_pattern ? ConfigValue{Pattern::FromName(key)}
                                              : ConfigValue{ordered_json(key)}},
                                  {ordered_json(text)}}));
    }
  };
  const auto add_classes = [&items](const std::set<std::string>& classes) {
    for (const std::string& text : classes) items.items.push_back({ordered_json(text)});
  };
  if (name == "get_root_module_to_quantized_reference_module") {
    add(RootModuleToReferenceModule(config), false);
  } else if (name == "get_module_to_qat_module") {
    add(ModuleToQatModule(config), true);
  } else if (name == "get_qat_module_classes") {
    add_classes(QatModuleClasses(config));
  } else if (name == "get_fused_module_classes") {
    add_classes(FusedModuleClasses(config));
  } else {
    throw UnreadStep("unknown function " + name);
  }
  return List(std::move(items.items));
}

}  // namespace qconform::parity
