#include <stdexcept>

#include "cli/parity/corpus_extension.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"
#include "reference/ir/error.h"

namespace qconform::parity {
namespace {

RecordReport Unreadable(const std::string& name, const std::string& why) {
  RecordReport report(name);
  report.Add("read", Difference{"", why, "a record that can be read"});
  return report;
}

}  // namespace

PartReport RunFxPart(const Files& files, const std::string& filter) {
  CorpusExtension();
  PartReport report{"fx", {}, {}};
  for (const auto& file : files) {
    const std::string name = file.stem().string();
    if (name.find(filter) == std::string::npos) continue;
    try {
      const JsonFile json = JsonFile::Read(file);
      RecordReport record = CompareFxRecord(json.root(), file.filename().string());
      if (!record.values_left_out().empty()) {
        report.NotCompared(record.name() + ", values", record.values_left_out());
      }
      for (const auto& [stage, reason] : record.not_compared()) {
        report.NotCompared(record.name() + ", " + stage, reason);
      }
      report.records.push_back(std::move(record));
    } catch (const InputError& error) {
      // Something in it that no code knows yet, or a record that does not hold together.
      report.records.push_back(Unreadable(name, error.what()));
    } catch (const nlohmann::json::exception& error) {
      report.records.push_back(Unreadable(name, error.what()));
    } catch (const std::out_of_range& error) {
      report.records.push_back(Unreadable(name, error.what()));
    }
  }
  return report;
}

}  // namespace qconform::parity
