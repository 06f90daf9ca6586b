#include "reference/qconfig/qconfig_mapping_json.h"

#include "reference/config/canonical_name.h"
#include "reference/config/literal_json.h"
#include "reference/config/python_unpack.h"
#include "reference/ir/error.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform {
namespace {

ordered_json PairsToJson(const OrderedMap<QConfigPointer>& pairs) {
  ordered_json json = ordered_json::array();
  for (const auto& [key, qconfig] : pairs) {
    json.push_back(ordered_json::array({key, QConfigToJson(qconfig)}));
  }
  return json;
}

// The entries of one level: tuples of `size`, the qconfig last.
template <typename Visit>
void ReadTuples(const ordered_json& mapping, const char* key, size_t size,
                const JsonOrigin& origin, ConfigFindings* findings, const Visit& visit) {
  const ordered_json* list = FindValue(mapping, key);
  if (list == nullptr) return;
  RequireUnpackable(*list, size, origin);
  for (const ordered_json& entry : *list) {
    RequireString(entry[0], "the first value", origin);
    visit(entry, QConfigFromJson(entry[size - 1], origin, findings));
  }
}

void ReadPairs(const ordered_json& mapping, const char* key, const JsonOrigin& origin,
               ConfigFindings* findings, OrderedMap<QConfigPointer>& pairs) {
  ReadTuples(mapping, key, 2, origin, findings,
             [&pairs](const ordered_json& entry, QConfigPointer qconfig) {
               pairs.Set(entry[0].get<std::string>(), std::move(qconfig));
             });
}

}  // namespace

ordered_json QConfigMappingToJson(const QConfigMapping& mapping) {
  ordered_json order = ordered_json::array();
  for (const auto& [key, rule] : mapping.module_name_object_type_order) {
    order.push_back(ordered_json::array(
        {rule.module_name, rule.object_type, rule.index, QConfigToJson(rule.qconfig)}));
  }
  return {{"global", QConfigToJson(mapping.global)},
          {"object_type", PairsToJson(mapping.object_type)},
          {"module_name_regex", PairsToJson(mapping.module_name_regex)},
          {"module_name", PairsToJson(mapping.module_name)},
          {"module_name_object_type_order", std::move(order)}};
}

ordered_json QConfigMappingToDict(const QConfigMapping& mapping) {
  ordered_json dict = ordered_json::object();
  const ordered_json json = QConfigMappingToJson(mapping);
  for (const auto& [key, value] : json.items()) {
    dict[key == "global" ? "" : key] = value;
  }
  return dict;
}

QConfigMapping QConfigMappingFromJson(const ordered_json& json, const JsonOrigin& origin,
                                      ConfigFindings* findings) {
  RequireObject(json, "a qconfig mapping", origin);
  static const std::vector<std::string> keys = {"",
                                                "global",
                                                "object_type",
                                                "module_name_regex",
                                                "module_name",
                                                "module_name_object_type_order"};
  FindUnknownKeys(json, "a qconfig mapping", keys, origin, findings);
  QConfigMapping mapping;
  for (const char* key : {"", "global"}) {
    if (const ordered_json* global = FindValue(json, key)) {
      mapping.global = QConfigFromJson(*global, origin, findings);
    }
  }
  OrderedMap<QConfigPointer> object_types;
  ReadPairs(json, "object_type", origin, findings, object_types);
  for (const auto& [name, qconfig] : object_types) {
    mapping.object_type.Set(CanonicalName(name), qconfig);
  }
  ReadPairs(json, "module_name_regex", origin, findings, mapping.module_name_regex);
  ReadPairs(json, "module_name", origin, findings, mapping.module_name);
  ReadTuples(json, "module_name_object_type_order", 4, origin, findings,
             [&](const ordered_json& entry, QConfigPointer qconfig) {
               mapping.SetOrder(
                   entry[0].get<std::string>(),
                   CanonicalName(RequireString(entry[1], "the type", origin)),
                   RequireInteger(entry[2], "the index", origin), std::move(qconfig));
             });
  return mapping;
}

}  // namespace qconform
