// Other public names of one and the same function: aliases.json.
#include "cli/parity/json_difference.h"
#include "cli/parity/parts.h"
#include "reference/config/canonical_name.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {

PartReport RunAliasesPart(const Files& files, const std::string& filter) {
  PartReport report{"aliases", {}, {}};
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    for (const auto& [name, others] : json.root().items()) {
      if (name.find(filter) == std::string::npos) continue;
      RecordReport record(name);
      for (const ordered_json& other : others) {
        record.Add("alias",
                   FirstDifference(CanonicalName(other), name, other.get<std::string>()));
      }
      record.Add("canonical", FirstDifference(CanonicalName(name), name, name));
      report.records.push_back(std::move(record));
    }
  }
  return report;
}

}  // namespace qconform::parity
