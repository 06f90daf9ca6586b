// What tells two goldens apart: what they were made from, and what came of it.
#ifndef QCONFORM_REFERENCE_DIFF_GOLDEN_DIFF_H_
#define QCONFORM_REFERENCE_DIFF_GOLDEN_DIFF_H_

#include <string>

#include "reference/golden/golden.h"

namespace qconform {

// Sources and tool, then both graphs, the qparams of each observer, the program's steps,
// and every tensor: the same bits, other bits with the largest difference, gone or new.
// Empty if nothing differs.
std::string DiffGoldens(const Golden& a, const Golden& b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_GOLDEN_DIFF_H_
