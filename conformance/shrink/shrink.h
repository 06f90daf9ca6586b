// The smallest case that fails as a given one does: the same verdict for the same cause.
#ifndef QCONFORM_CONFORMANCE_SHRINK_SHRINK_H_
#define QCONFORM_CONFORMANCE_SHRINK_SHRINK_H_

#include <functional>
#include <string>

#include "conformance/verdict/record.h"

namespace qconform {

struct ShrinkBudget {
  int candidates = 1000;  // cases that may be run
  double seconds = 60;
};

struct Shrunk {
  std::string id;
  CaseRecord record;
  int candidates = 0;        // cases that were run
  bool out_of_time = false;  // so another run may end elsewhere
};

// Runs the case with this id. Throws InputError for an id that is no case.
using RunById = std::function<CaseRecord(const std::string& id)>;

// The same steps in the same order every time, unless the seconds run out. A case whose
// tensors all have elements becomes none with an empty one. In the result
// the suite is `suite`, for the data of a case depend on all of its id, unless the
// failure is gone in there. Throws InputError if the case does not fail.
Shrunk ShrinkCase(const std::string& id, const std::string& suite, const RunById& run,
                  const ShrinkBudget& budget);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SHRINK_SHRINK_H_
