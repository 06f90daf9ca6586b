// The order in which patterns are tried.
#ifndef QCONFORM_REFERENCE_MATCH_MATCH_ORDER_H_
#define QCONFORM_REFERENCE_MATCH_MATCH_ORDER_H_

#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

// Most atoms first; ties keep their order. (_sorted_patterns_dict)
std::vector<Pattern> SortedPatterns(std::vector<Pattern> patterns);

// The entries of a config in match order; for fusion only those with a fuser.
std::vector<const BackendConfig::Entry*> QuantizationMatchOrder(
    const BackendConfig& config);
std::vector<const BackendConfig::Entry*> FusionMatchOrder(const BackendConfig& config);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_MATCH_MATCH_ORDER_H_
