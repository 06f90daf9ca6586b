// Where convert in torch mode differs from strict mode.
#ifndef QCONFORM_REFERENCE_CONVERT_CONVERSION_DIFFERENCE_H_
#define QCONFORM_REFERENCE_CONVERT_CONVERSION_DIFFERENCE_H_

#include "reference/config/mode_difference.h"
#include "reference/observe/prepare.h"

namespace qconform {

// What the prepared graph alone shows, whichever mode prepared it. What holds for many
// weights or observers is one entry with their number.
ModeDifferences ConversionDifferences(const Prepared& prepared);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_CONVERSION_DIFFERENCE_H_
