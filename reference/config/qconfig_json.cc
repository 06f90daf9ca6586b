#include "reference/config/qconfig_json.h"

#include "reference/config/literal_json.h"
#include "reference/ir/error.h"

namespace qconform {

using nlohmann::ordered_json;

ordered_json ObserverConstructorToJson(const ObserverConstructor& constructor) {
  ordered_json json = {{"class", constructor.class_name}};
  if (!constructor.has_arguments) return json;
  ordered_json kwargs = ordered_json::object();
  if (constructor.observer != nullptr) {
    kwargs["observer"] = ObserverConstructorToJson(*constructor.observer);
  }
  for (const auto& [key, value] : constructor.kwargs) kwargs[key] = LiteralToJson(value);
  json["kwargs"] = std::move(kwargs);
  return json;
}

ObserverConstructor ObserverConstructorFromJson(const ordered_json& json,
                                                const std::string& where) {
  ExpectObject(json, where);
  ObserverConstructor constructor;
  constructor.class_name = TextMember(json, "class", where);
  if (constructor.class_name.empty()) {
    throw InputError(where, "there is no class", "{\"class\": NAME, \"kwargs\": {}}");
  }
  const ordered_json* kwargs = FindMember(json, "kwargs");
  constructor.has_arguments = kwargs != nullptr;
  if (kwargs == nullptr) return constructor;
  ExpectObject(*kwargs, where + ".kwargs");
  for (const auto& [key, value] : kwargs->items()) {
    const std::string place = where + ".kwargs." + key;
    if (key == "observer") {
      constructor.observer = std::make_shared<ObserverConstructor>(
          ObserverConstructorFromJson(value, place));
    } else {
      constructor.kwargs.Set(key, LiteralFromJson(value, place));
    }
  }
  return constructor;
}

ordered_json QConfigToJson(const QConfigPointer& qconfig) {
  if (qconfig == nullptr) return nullptr;
  const auto side = [](const std::optional<ObserverConstructor>& constructor) {
    return constructor ? ObserverConstructorToJson(*constructor) : ordered_json(nullptr);
  };
  return {{"activation", side(qconfig->activation)}, {"weight", side(qconfig->weight)}};
}

QConfigPointer QConfigFromJson(const ordered_json& json, const std::string& where) {
  if (json.is_null()) return nullptr;
  ExpectObject(json, where);
  QConfig qconfig;
  if (const ordered_json* activation = FindMember(json, "activation")) {
    qconfig.activation = ObserverConstructorFromJson(*activation, where + ".activation");
  }
  if (const ordered_json* weight = FindMember(json, "weight")) {
    qconfig.weight = ObserverConstructorFromJson(*weight, where + ".weight");
  }
  return std::make_shared<QConfig>(std::move(qconfig));
}

}  // namespace qconform
