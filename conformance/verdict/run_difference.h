// What changed between two runs.
#ifndef QCONFORM_CONFORMANCE_VERDICT_RUN_DIFFERENCE_H_
#define QCONFORM_CONFORMANCE_VERDICT_RUN_DIFFERENCE_H_

#include <string>

#include "conformance/verdict/journal.h"

namespace qconform {

struct RunDifference {
  std::string text;  // empty if nothing differs
  bool verdicts_differ = false;
  bool bits_differ = false;
};

// Cases are paired by suite and id. First one line of counts:
//   same bits, same verdict with other bits, newly failing, passing and refused, gone,
//   new
// then each of these in lines of their own, with how far the numbers are known to differ.
// Last what changed beside the verdicts, each on its own: suite, harness, backend,
// machine, and the backend's config row by row. A case that is gone says whether the
// suite dropped it. Journals without digests of the bits pair by their wrong elements.
RunDifference DiffRuns(const Journal& a, const Journal& b);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_RUN_DIFFERENCE_H_
