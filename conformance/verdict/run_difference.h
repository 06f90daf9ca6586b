// What changed between two runs.
#ifndef QCONFORM_CONFORMANCE_VERDICT_RUN_DIFFERENCE_H_
#define QCONFORM_CONFORMANCE_VERDICT_RUN_DIFFERENCE_H_

#include <string>

#include "conformance/verdict/journal.h"

namespace qconform {

struct RunDifference {
  std::string text;  // empty if nothing differs
  bool verdicts_differ = false;
};

// Cases are paired by suite and id. Separates what changed: suite, harness, backend,
// backend's config and machine (from the headers), then the cases by verdict: newly
// failing, newly passing, newly refused, changed otherwise, gone and new. Journals hold
// no output, so other bits under the same verdict show only in the number of wrong
// elements.
RunDifference DiffRuns(const Journal& a, const Journal& b);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_RUN_DIFFERENCE_H_
