// Scales after calibration against the bounds that a backend declares for them.
#ifndef QCONFORM_REFERENCE_CONVERT_CALIBRATED_SCALE_H_
#define QCONFORM_REFERENCE_CONVERT_CALIBRATED_SCALE_H_

#include <string>

#include "reference/ir/ordered_map.h"
#include "reference/observe/prepare.h"

namespace qconform {

// By last node of a pattern: "output scale 0.5 is above scale_max_upper_bound 0.25".
// torch looks at no scale that data decides; strict mode leaves these patterns float.
OrderedMap<std::string> ScalesOutOfBounds(const Prepared& prepared);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_CALIBRATED_SCALE_H_
