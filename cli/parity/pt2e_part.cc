#include "cli/parity/corpus_extension.h"
#include "cli/parity/parts.h"
#include "cli/parity/pt2e_stages.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {

PartReport RunPt2ePart(const Files& files, const std::string& filter) {
  CorpusExtension();
  PartReport report{"pt2e", {}, {}};
  for (const auto& file : files) {
    const std::string name = file.stem().string();
    if (name.find(filter) == std::string::npos) continue;
    report.Add(ReadRecord(name, [&] {
      return ComparePt2eRecord(JsonFile::Read(file).root(), file.filename().string());
    }));
  }
  return report;
}

}  // namespace qconform::parity
