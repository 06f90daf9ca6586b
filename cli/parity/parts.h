// The parts of a folder of oracle records, and who compares each.
#ifndef QCONFORM_CLI_PARITY_PARTS_H_
#define QCONFORM_CLI_PARITY_PARTS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "cli/parity/part.h"

namespace qconform::parity {

using Files = std::vector<std::filesystem::path>;
// `filter`: only records whose name holds it.
using PartRunner = PartReport (*)(const Files& files, const std::string& filter);

// Every part that records come in, in order of report.
const std::vector<std::string>& PartNames();
// nullptr for a part that nothing compares.
PartRunner FindPartRunner(const std::string& part);

PartReport RunFxPart(const Files& files, const std::string& filter);
PartReport RunFxMatrixPart(const Files& files, const std::string& filter);
// Exported programs: annotations, groups, prepared and converted.
PartReport RunPt2ePart(const Files& files, const std::string& filter);
PartReport RunMatchPart(const Files& files, const std::string& filter);
PartReport RunBackendConfigsPart(const Files& files, const std::string& filter);
PartReport RunAliasesPart(const Files& files, const std::string& filter);
// Calls of the data model, as config_api.json spells them.
PartReport RunConfigApiPart(const Files& files, const std::string& filter);
PartReport RunQConfigPart(const Files& files, const std::string& filter);
// Tables of the export dialect; nothing compares them yet.
PartReport RunSeedsPart(const Files& files, const std::string& filter);
PartReport RunObserversPart(const Files& files, const std::string& filter);
PartReport RunFakeQuantPart(const Files& files, const std::string& filter);
// The tables of numerics.json and its operators under their engines.
PartReport RunNumericsPart(const Files& files, const std::string& filter);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PARTS_H_
