#include "cli/parity/part.h"

namespace qconform::parity {

int PartReport::CountEqual() const {
  int equal = 0;
  for (const RecordReport& record : records) equal += record.equal() ? 1 : 0;
  return equal;
}

OrderedMap<StageCount> PartReport::CountStages() const {
  OrderedMap<StageCount> counts;
  for (const RecordReport& record : records) {
    for (const auto& [stage, equal] : record.stages()) {
      StageCount& count = counts[stage];
      ++count.compared;
      count.equal += equal ? 1 : 0;
    }
  }
  return counts;
}

}  // namespace qconform::parity
