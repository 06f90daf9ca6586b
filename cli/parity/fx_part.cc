#include "cli/parity/fx_stages.h"
#include "cli/parity/parts.h"
#include "cli/parity/record_files.h"

namespace qconform::parity {

PartReport RunFxPart(const Files& files, const std::string& filter) {
  return CompareFiles("fx", files, filter, CompareFxRecord);
}

}  // namespace qconform::parity
