#include "cli/parity/record_files.h"

#include "cli/parity/corpus_extension.h"

namespace qconform::parity {

PartReport CompareFiles(const std::string& part, const Files& files,
                        const std::string& filter,
                        RecordReport (*compare)(const ordered_json& record,
                                                const std::string& file)) {
  CorpusExtension();
  PartReport report{part, {}, {}};
  for (const auto& file : files) {
    const std::string name = file.stem().string();
    if (name.find(filter) == std::string::npos) continue;
    report.Add(ReadRecord(name, [&] {
      return compare(JsonFile::Read(file).root(), file.filename().string());
    }));
  }
  return report;
}

}  // namespace qconform::parity
