// The tables of the articles that the export dialect was described in: seeds.json.
#include "cli/parity/parts.h"
#include "reference/formats/json_file.h"

namespace qconform::parity {

PartReport RunSeedsPart(const Files& files, const std::string& filter) {
  PartReport part{"seeds", {}, {}};
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    for (const auto& [name, table] : json.root().items()) {
      if (name.find(filter) != std::string::npos) {
        part.NotCompared(name, "it needs the archives that a test starts from");
      }
    }
  }
  return part;
}

}  // namespace qconform::parity
