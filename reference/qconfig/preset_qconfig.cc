#include "reference/qconfig/preset_qconfig.h"

#include <vector>

#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform {
namespace {

constexpr const char* kAttribute = "qconfig";

// An argument as the JSON of qconfig_json.h, where dictionaries are plain objects.
ordered_json PlainJson(const Argument& argument) {
  if (argument.IsNone()) return nullptr;
  if (const bool* flag = argument.As<bool>()) return *flag;
  if (const int64_t* integer = argument.As<int64_t>()) return *integer;
  if (const double* real = argument.As<double>()) return *real;
  if (const std::string* text = argument.As<std::string>()) return *text;
  if (const DType* dtype = argument.As<DType>()) {
    return "torch." + std::string(DTypeName(*dtype));
  }
  if (const Dictionary* dictionary = argument.As<Dictionary>()) {
    ordered_json object = ordered_json::object();
    for (const auto& [key, item] : dictionary->items) object[key] = PlainJson(item);
    return object;
  }
  if (const Sequence* sequence = argument.As<Sequence>()) {
    ordered_json array = ordered_json::array();
    for (const Argument& item : sequence->items) array.push_back(PlainJson(item));
    return array;
  }
  throw InputError("attribute qconfig", "holds a node or an opaque value",
                   "constants only");
}

}  // namespace

std::optional<QConfigPointer> PresetQConfig(const Module& module) {
  const Argument* attribute = module.attributes.Find(kAttribute);
  if (attribute == nullptr) return std::nullopt;
  if (attribute->IsNone()) return QConfigPointer();
  return QConfigFromJson(PlainJson(*attribute), "attribute qconfig of a " + module.type);
}

void ErasePresetQConfigs(const std::shared_ptr<Module>& root) {
  std::vector<std::shared_ptr<Module>> open = {root};
  while (!open.empty()) {
    const std::shared_ptr<Module> module = TreeOf(open.back());
    open.back()->attributes.Erase(kAttribute);
    open.pop_back();
    for (const auto& [name, child] : module->children) {
      if (child) open.push_back(child);
    }
  }
}

}  // namespace qconform
