#include "reference/config/qconfig_mapping_json.h"

#include "reference/config/canonical_name.h"
#include "reference/config/literal_json.h"
#include "reference/config/qconfig_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using nlohmann::ordered_json;

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
                const std::string& where, const Visit& visit) {
  const ordered_json* list = FindMember(mapping, key);
  if (list == nullptr) return;
  const std::string level = where + "." + key;
  ExpectArray(*list, level);
  for (size_t i = 0; i < list->size(); ++i) {
    const ordered_json& entry = (*list)[i];
    const std::string place = level + "[" + std::to_string(i) + "]";
    if (!entry.is_array() || entry.size() != size) {
      throw InputError(place, "found " + entry.dump(),
                       "a list of " + std::to_string(size) + " values");
    }
    if (!entry[0].is_string()) {
      throw InputError(place, "found the key " + entry[0].dump(), "a string");
    }
    visit(entry, QConfigFromJson(entry[size - 1], place), place);
  }
}

void ReadPairs(const ordered_json& mapping, const char* key, const std::string& where,
               OrderedMap<QConfigPointer>& pairs) {
  ReadTuples(
      mapping, key, 2, where,
      [&pairs](const ordered_json& entry, QConfigPointer qconfig, const std::string&) {
        pairs.Set(entry[0].get<std::string>(), std::move(qconfig));
      });
}

int64_t IndexFromJson(const ordered_json& json, const std::string& place) {
  if (json.is_number_integer() && json.get<int64_t>() >= 0) return json.get<int64_t>();
  throw InputError(place, "found the index " + json.dump(), "an integer from 0 up");
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

QConfigMapping QConfigMappingFromJson(const ordered_json& json,
                                      const std::string& where) {
  ExpectObject(json, where);
  QConfigMapping mapping;
  for (const char* key : {"", "global"}) {
    if (const ordered_json* global = FindMember(json, key)) {
      mapping.global = QConfigFromJson(*global, where + "." + key);
    }
  }
  OrderedMap<QConfigPointer> object_types;
  ReadPairs(json, "object_type", where, object_types);
  for (const auto& [name, qconfig] : object_types) {
    mapping.object_type.Set(CanonicalName(name), qconfig);
  }
  ReadPairs(json, "module_name_regex", where, mapping.module_name_regex);
  ReadPairs(json, "module_name", where, mapping.module_name);
  ReadTuples(json, "module_name_object_type_order", 4, where,
             [&mapping](const ordered_json& entry, QConfigPointer qconfig,
                        const std::string& place) {
               if (!entry[1].is_string()) {
                 throw InputError(place, "found the type " + entry[1].dump(), "a string");
               }
               mapping.SetOrder(entry[0].get<std::string>(),
                                CanonicalName(entry[1].get<std::string>()),
                                IndexFromJson(entry[2], place), std::move(qconfig));
             });
  return mapping;
}

}  // namespace qconform
