#include "cli/parity/corpus_extension.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {

PartReport RunFxPart(const Files& files, const std::string& filter) {
  CorpusExtension();
  PartReport report{"fx", {}, {}};
  for (const auto& file : files) {
    const std::string name = file.stem().string();
    if (name.find(filter) == std::string::npos) continue;
    RecordReport record = ReadRecord(name, [&] {
      return CompareFxRecord(JsonFile::Read(file).root(), file.filename().string());
    });
    if (!record.values_left_out().empty()) {
      report.NotCompared(record.name() + ", values", record.values_left_out());
    }
    for (const auto& [stage, reason] : record.not_compared()) {
      report.NotCompared(record.name() + ", " + stage, reason);
    }
    report.records.push_back(std::move(record));
  }
  return report;
}

}  // namespace qconform::parity
