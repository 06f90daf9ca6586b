#include "cli/parity/corpus_extension.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"
#include "reference/ir/error.h"

namespace qconform::parity {

PartReport RunFxPart(const Files& files, const std::string& filter) {
  CorpusExtension();
  PartReport report{"fx", {}, {}};
  for (const auto& file : files) {
    if (file.stem().string().find(filter) == std::string::npos) continue;
    const JsonFile json = JsonFile::Read(file);
    try {
      RecordReport record = CompareFxRecord(json.root(), file.filename().string());
      if (!record.values_left_out().empty()) {
        report.NotCompared(record.name() + ", values", record.values_left_out());
      }
      report.records.push_back(std::move(record));
    } catch (const InputError& error) {
      // Something in it that no code knows yet, or a record that does not hold together.
      RecordReport unread(file.stem().string());
      unread.Add("read", Difference{"", error.what(), "a record that can be read"});
      report.records.push_back(std::move(unread));
    }
  }
  return report;
}

}  // namespace qconform::parity
