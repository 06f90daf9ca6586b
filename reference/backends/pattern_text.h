// Patterns as one writes them in a table: "nn.Conv2d nn.BatchNorm2d F.relu".
#ifndef QCONFORM_REFERENCE_BACKENDS_PATTERN_TEXT_H_
#define QCONFORM_REFERENCE_BACKENDS_PATTERN_TEXT_H_

#include <string>
#include <string_view>

#include "reference/config/pattern.h"

namespace qconform {

// Spells out the usual abbreviations: nn., F., nni., nniqat., nnqat., nnqr., nnq., nniq.
std::string FullName(std::string_view name);

// Names separated by spaces, tuples in parentheses, * for any node, integers as
// literals. Several names on the outside are a tuple. Precondition: well formed.
Pattern ParsePatternText(std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_BACKENDS_PATTERN_TEXT_H_
