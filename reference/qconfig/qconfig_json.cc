#include "reference/qconfig/qconfig_json.h"

#include "reference/config/literal_json.h"
#include "reference/config/torch_refusal.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

QConfigPointer QConfigOfName(const std::string& name, const ordered_json& json,
                             const JsonOrigin& origin) {
  QConfigPointer qconfig = NamedQConfig(name);
  if (qconfig != nullptr) return qconfig;
  const std::string nearest = NearestName(name, QConfigNames());
  throw InputError(origin.Of(json), "unknown qconfig '" + name.substr(0, 80) + "'",
                   nearest.empty() ? "the name of one of torch's, as default_qconfig"
                                   : "'" + nearest + "' or another name of torch's");
}

}  // namespace

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
                                                const JsonOrigin& origin,
                                                ConfigFindings* findings) {
  RequireObject(json, "an observer", origin);
  static const std::vector<std::string> keys = {"class", "kwargs", "instance"};
  FindUnknownKeys(json, "an observer", keys, origin, findings);
  if (FindValue(json, "instance") != nullptr) {
    throw TorchRefusal(origin.Of(json), "ValueError",
                       "QConfig received observer instance, please pass observer class "
                       "instead. Use MyObserver.with_args(x=1) to override arguments to "
                       "constructor if needed");
  }
  ObserverConstructor constructor;
  constructor.class_name = TextValue(json, "class", origin);
  if (constructor.class_name.empty()) {
    throw InputError(origin.Of(json), "there is no class",
                     "{\"class\": NAME, \"kwargs\": {}}");
  }
  const ordered_json* kwargs = FindValue(json, "kwargs");
  constructor.has_arguments = kwargs != nullptr;
  if (kwargs == nullptr) return constructor;
  RequireObject(*kwargs, "'kwargs'", origin);
  for (const auto& [key, value] : kwargs->items()) {
    if (key == "observer") {
      constructor.observer = std::make_shared<ObserverConstructor>(
          ObserverConstructorFromJson(value, origin, findings));
    } else {
      constructor.kwargs.Set(key, LiteralFromJson(value, origin));
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

QConfigPointer QConfigFromJson(const ordered_json& json, const JsonOrigin& origin,
                               ConfigFindings* findings) {
  if (json.is_null()) return nullptr;
  if (json.is_string()) return QConfigOfName(json.get<std::string>(), json, origin);
  RequireObject(json, "a qconfig", origin);
  static const std::vector<std::string> keys = {"activation", "weight"};
  FindUnknownKeys(json, "a qconfig", keys, origin, findings);
  QConfig qconfig;
  if (const ordered_json* activation = FindValue(json, "activation")) {
    qconfig.activation = ObserverConstructorFromJson(*activation, origin, findings);
  }
  if (const ordered_json* weight = FindValue(json, "weight")) {
    qconfig.weight = ObserverConstructorFromJson(*weight, origin, findings);
  }
  return std::make_shared<QConfig>(std::move(qconfig));
}

}  // namespace qconform
