// torch's own backend configs as it writes them: backend_configs/<name>.json.
#include "cli/parity/json_difference.h"
#include "cli/parity/parts.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_file.h"
#include "reference/ir/error.h"
#include "reference/match/match_order.h"

namespace qconform::parity {
namespace {

ordered_json Keys(const std::vector<const BackendConfig::Entry*>& entries) {
  ordered_json keys = ordered_json::array();
  for (const BackendConfig::Entry* entry : entries) {
    keys.push_back(PatternToJson(entry->key));
  }
  return keys;
}

ordered_json Entries(const BackendConfig& config) {
  ordered_json entries = ordered_json::array();
  for (const BackendConfig::Entry& entry : config.entries()) {
    ordered_json json = BackendPatternConfigToJson(entry.config);
    json["_internal_key"] = PatternToJson(entry.key);
    entries.push_back(std::move(json));
  }
  return entries;
}

}  // namespace

PartReport RunBackendConfigsPart(const Files& files, const std::string& filter) {
  PartReport report{"backend_configs", {}, {"maps"}};
  for (const auto& file : files) {
    const std::string name = file.stem();
    if (name.find(filter) == std::string::npos) continue;
    const JsonFile json = JsonFile::Read(file);
    const ordered_json& want = json.root();
    RecordReport record(name);
    try {
      const BackendConfig& config = BuiltInBackendConfig(name);
      record.Add("entries", FirstDifference(Entries(config), want.at("configs")));
      record.Add("fusion_match_order", FirstDifference(Keys(FusionMatchOrder(config)),
                                                       want.at("fusion_match_order")));
      record.Add("quant_match_order",
                 FirstDifference(Keys(QuantizationMatchOrder(config)),
                                 want.at("quant_match_order")));
    } catch (const InputError& error) {
      record.Add("entries", Difference{"", error.what(), "a built-in config"});
    }
    report.records.push_back(std::move(record));
  }
  return report;
}

}  // namespace qconform::parity
