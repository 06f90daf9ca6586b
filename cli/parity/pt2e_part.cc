#include "cli/parity/parts.h"
#include "cli/parity/pt2e_stages.h"
#include "cli/parity/record_files.h"

namespace qconform::parity {

PartReport RunPt2ePart(const Files& files, const std::string& filter) {
  return CompareFiles("pt2e", files, filter, ComparePt2eRecord);
}

}  // namespace qconform::parity
