// Qconfigs, mappings and the checks on them: qconfig.json.
#include <utility>

#include "cli/parity/json_difference.h"
#include "cli/parity/parts.h"
#include "cli/parity/qconfig/qconfig_tables.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {
namespace {

using Compare = void (*)(const ordered_json& table, TableReport& report);
constexpr std::pair<const char*, Compare> kTables[] = {
    {"default_qconfigs", CompareDefaultQConfigs},
    {"default_mappings", CompareDefaultMappings},
    {"named_qconfigs", CompareNamedQConfigs},
    {"named_observers", CompareNamedObservers},
    {"named_observer_instances", CompareNamedInstances},
    {"precedence", ComparePrecedence},
    {"mapping_to_dict", CompareMappingToDict},
    {"mapping_from_dict", CompareMappingFromDict},
    {"qconfig_equals", CompareEquality},
    {"qconfig_ctor", CompareConstructor},
    {"constraint_check", CompareConstraintCheck},
    {"convert_supported_by_dtype_configs", CompareDTypeSupport},
    {"compare_prepare_convert", ComparePrepareConvert},
};

}  // namespace

PartReport RunQConfigPart(const Files& files, const std::string& filter) {
  PartReport part{"qconfig", {}, {}};
  TableReport report(part, filter);
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    // The round trip of mapping_to_dict is made there.
    std::set<std::string> read = {"mapping_round_trip_equal"};
    for (const auto& [name, compare] : kTables) {
      read.insert(name);
      if (json.root().contains(name)) compare(json.root().at(name), report);
    }
    NameUnread(json.root(), read, part);
  }
  return part;
}

}  // namespace qconform::parity
