// How much of a config the cases of a run exercised.
#ifndef QCONFORM_CONFORMANCE_VERDICT_COVERAGE_H_
#define QCONFORM_CONFORMANCE_VERDICT_COVERAGE_H_

#include <vector>

#include "conformance/verdict/record.h"
#include "reference/config/backend_config.h"

namespace qconform {

// Fills in the footer's levels and, with a config, its rows and the contract's cells.
void AddCoverage(const BackendConfig* config, const std::vector<CaseRecord>& records,
                 RunFooter& footer);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_COVERAGE_H_
