// Where the modes differ on the calibration data.
#ifndef QCONFORM_REFERENCE_CONVERT_DATA_DIFFERENCE_H_
#define QCONFORM_REFERENCE_CONVERT_DATA_DIFFERENCE_H_

#include "reference/config/mode_difference.h"
#include "reference/observe/prepare.h"

namespace qconform {

// What only data shows, after calibration: elements that are not finite, observers that
// saw nothing, scales out of a backend's bounds.
ModeDifferences DataDifferences(const Prepared& prepared);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_DATA_DIFFERENCE_H_
