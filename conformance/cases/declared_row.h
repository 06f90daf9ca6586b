// Which row of a backend's config declares a call, if any does.
#ifndef QCONFORM_CONFORMANCE_CASES_DECLARED_ROW_H_
#define QCONFORM_CONFORMANCE_CASES_DECLARED_ROW_H_

#include <string>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/config/backend_config.h"

namespace qconform {

// The pattern of the first row whose operator, fused activation and one of whose
// dtype configs (dtypes, code bounds, scale and zero point constraints) hold for the
// call, as text for people. Empty: the config does not declare it.
std::string DeclaredRow(const BackendConfig& config, const OperatorCall& call);

// Every row's pattern as DeclaredRow spells it, in the config's order. Entries without
// dtype configs only fuse and declare nothing.
std::vector<std::string> RowNames(const BackendConfig& config);

// Rows whose operator no call of the ABI can name: nothing can judge them.
std::vector<std::string> RowsWithoutOperator(const BackendConfig& config);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_DECLARED_ROW_H_
