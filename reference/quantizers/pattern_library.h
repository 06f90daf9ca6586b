// The patterns that ship: the shapes in which common layers stand in exported programs.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_PATTERN_LIBRARY_H_
#define QCONFORM_REFERENCE_QUANTIZERS_PATTERN_LIBRARY_H_

#include <string>
#include <vector>

#include "reference/quantizers/pattern_graph.h"

namespace qconform {

// Names of nodes: weighted patterns have "input", "weight", "bias" and the operator
// ("conv", "linear"), with "bn" and "relu" where there are any; binary ones "input",
// "other" and their operator; all others "input" and theirs. "output" is the last one.
// Throws InputError with the nearest name for one that is not there.
const NamedPattern& LibraryPattern(const std::string& name);

// All names, sorted.
std::vector<std::string> LibraryPatternNames();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_PATTERN_LIBRARY_H_
