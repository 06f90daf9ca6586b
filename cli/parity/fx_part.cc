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
    report.Add(ReadRecord(name, [&] {
      return CompareFxRecord(JsonFile::Read(file).root(), file.filename().string());
    }));
  }
  return report;
}

}  // namespace qconform::parity
