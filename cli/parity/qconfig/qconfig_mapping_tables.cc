// Mappings: who gets which qconfig, and their form as dictionaries.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "cli/parity/json_difference.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/qconfig/qconfig_tables.h"
#include "reference/config/torch_refusal.h"
#include "reference/formats/graph_json.h"
#include "reference/qconfig/node_qconfig.h"
#include "reference/qconfig/qconfig_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform::parity {
namespace {

constexpr const char* kLists[] = {"object_type", "module_name_regex", "module_name",
                                  "module_name_object_type_order"};

ordered_json QConfigOfNumber(const ordered_json& number) {
  if (!number.is_number_integer()) return number;
  const ordered_json observer = {{"class", "MinMaxObserver"},
                                 {"kwargs", {{"quant_min", 0}, {"quant_max", number}}}};
  return {{"activation", observer}, {"weight", observer}};
}

// Numbers for the qconfigs again. Some records write the index of an order rule as a
// text; `index_as_text` follows them.
ordered_json WithNumbers(ordered_json mapping, bool index_as_text) {
  const auto number = [](const ordered_json& qconfig) {
    return NumberOf(QConfigFromJson(qconfig, "mapping"));
  };
  mapping[""] = number(mapping.at(""));
  for (const char* list : kLists) {
    for (ordered_json& row : mapping.at(list)) {
      row.back() = number(row.back());
      if (index_as_text && row.size() == 4) row[2] = row[2].dump();
    }
  }
  return mapping;
}

// The dictionary that a row of mapping_from_dict was made from, by its name, from the
// result that it had.
ordered_json DictOf(const std::string& name, const ordered_json& row) {
  const std::string linear = "torch.nn.Linear";
  if (name == "empty") return ordered_json::object();
  if (name == "legacy keys only") return {{"", row.at("result").at("global")}};
  if (name == "unknown key ignored") return {{"foo", 1}};
  if (name == "object_type wrong") return {{"object_type", {linear}}};
  if (name == "object_type tuple3") {
    return {{"object_type", {ordered_json::array({linear, nullptr, nullptr})}}};
  }
  if (name == "object_type tuple1") {
    return {{"object_type", {ordered_json::array({linear})}}};
  }
  if (name == "order tuple3") {
    return {
        {"module_name_object_type_order", {ordered_json::array({"a", linear, nullptr})}}};
  }
  if (name == "object_type as dict") return {{"object_type", {{linear, nullptr}}}};
  if (name == "global missing") {
    ordered_json dict = row.at("result");
    dict.erase("global");
    return dict;
  }
  return nullptr;
}

}  // namespace

ordered_json MappingOfNumbers(const ordered_json& mapping) {
  ordered_json result = ordered_json::object();
  for (const auto& [key, value] : mapping.items()) {
    if (!value.is_array()) {
      result[key] = QConfigOfNumber(value);
      continue;
    }
    result[key] = value;
    for (ordered_json& row : result[key]) {
      row.back() = QConfigOfNumber(row.back());
      if (row.size() == 4 && row[2].is_string()) {
        row[2] = std::stoi(row[2].get<std::string>());
      }
    }
  }
  return result;
}

ordered_json NumberOf(const QConfigPointer& qconfig) {
  if (qconfig == nullptr) return nullptr;
  if (qconfig->activation) {
    const Argument* number = qconfig->activation->kwargs.Find("quant_max");
    if (number != nullptr && number->As<int64_t>() != nullptr) {
      return *number->As<int64_t>();
    }
  }
  return ToText(qconfig);
}

void ComparePrecedence(const ordered_json& table, TableReport& report) {
  ordered_json modules = ordered_json::object();
  for (const auto& [path, type] : table.at("module_types").items()) {
    modules[path] = {{"type", type}};
  }
  const GraphModule module =
      GraphModuleFromJson(ordered_json{{"graph", table.at("graph")},
                                       {"modules", modules},
                                       {"node_scope", table.at("node_scope")}},
                          "precedence", {UnknownKeys::kIgnore, Verification::kNames});
  for (const ordered_json& row : table.at("cases")) {
    RecordReport record("precedence/" + row.at("name").get<std::string>());
    ordered_json got = ordered_json::object();
    try {
      const QConfigMapping mapping =
          QConfigMappingFromJson(MappingOfNumbers(row.at("mapping")), record.name());
      for (const auto& [node, found] : NodeQConfigs(module, mapping)) {
        got[node] = NumberOf(found.qconfig);
      }
    } catch (const InputError& error) {
      got = error.what();
    }
    record.Add("node_qconfig", FirstDifference(got, row.at("node_qconfig")));
    report.Add(std::move(record));
  }
}

void CompareMappingToDict(const ordered_json& table, TableReport& report) {
  RecordReport record("mapping_to_dict");
  const ordered_json& order = table.at("module_name_object_type_order");
  const bool index_as_text = !order.empty() && order[0].at(2).is_string();
  QConfigMapping mapping =
      QConfigMappingFromJson(MappingOfNumbers(table), "mapping_to_dict");
  for (const char* trip : {"to_dict", "round_trip"}) {
    const ordered_json dict = QConfigMappingToDict(mapping);
    record.Add(trip, FirstDifference(WithNumbers(dict, index_as_text), table));
    mapping = QConfigMappingFromJson(dict, "mapping_to_dict");
  }
  report.Add(std::move(record));
}

void CompareMappingFromDict(const ordered_json& table, TableReport& report) {
  for (const ordered_json& row : table) {
    const std::string name = row.at("name");
    RecordReport record("mapping_from_dict/" + name);
    const ordered_json dict = DictOf(name, row);
    if (dict.is_null()) {
      report.NotCompared(record.name(), "the record does not hold its dictionary");
      continue;
    }
    try {
      const QConfigMapping mapping = QConfigMappingFromJson(dict, record.name());
      record.Add("result",
                 row.contains("result")
                     ? FirstDifference(QConfigMappingToJson(mapping), row.at("result"))
                     : Difference{"", "no error", ShortText(row.at("error"))});
    } catch (const TorchRefusal& error) {
      record.Add("error",
                 row.contains("error")
                     ? FirstDifference(ordered_json{{"type", error.kind()},
                                                    {"message", error.message()}},
                                       row.at("error"))
                     : Difference{"", error.what(), ShortText(row)});
    } catch (const InputError& error) {
      record.Add("error", Difference{"", error.what(), ShortText(row)});
    }
    report.Add(std::move(record));
  }
}

}  // namespace qconform::parity
