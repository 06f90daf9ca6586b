// What the observers of a calibrated graph have seen and chosen, as text for review.
#ifndef QCONFORM_REFERENCE_GOLDEN_QPARAMS_JSON_H_
#define QCONFORM_REFERENCE_GOLDEN_QPARAMS_JSON_H_

#include "reference/formats/json_file.h"
#include "reference/ir/module.h"

namespace qconform {

// In graph order: {"observer", "observes", "class", "dtype", "qscheme", "min", "max",
// "scale", "zero_point"}; what an observer does not have is left out. A second call of
// a shared observer has only "observer", "observes" and "shares", the first node.
ordered_json QparamsToJson(const GraphModule& prepared);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_GOLDEN_QPARAMS_JSON_H_
