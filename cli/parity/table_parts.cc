// Parts that are one file of tables.
#include <algorithm>

#include "cli/parity/fake_quant_part.h"
#include "cli/parity/numerics_part.h"
#include "cli/parity/observers_part.h"
#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {
namespace {

using TablePart = PartReport (*)(const nlohmann::ordered_json& file);

PartReport RunTable(TablePart part, const Files& files, const std::string& filter) {
  PartReport all;
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    PartReport report = part(json.root());
    all.name = report.name;
    for (std::string& stage : report.not_compared) {
      if (std::find(all.not_compared.begin(), all.not_compared.end(), stage) ==
          all.not_compared.end()) {
        all.not_compared.push_back(std::move(stage));
      }
    }
    for (auto& row : report.skipped) all.skipped.push_back(std::move(row));
    for (RecordReport& record : report.records) {
      if (record.name().find(filter) != std::string::npos) {
        all.records.push_back(std::move(record));
      }
    }
  }
  return all;
}

}  // namespace

PartReport RunObserversPart(const Files& files, const std::string& filter) {
  return RunTable(ObserversPart, files, filter);
}

PartReport RunFakeQuantPart(const Files& files, const std::string& filter) {
  return RunTable(FakeQuantPart, files, filter);
}

PartReport RunNumericsPart(const Files& files, const std::string& filter) {
  return RunTable(NumericsPart, files, filter);
}

}  // namespace qconform::parity
