// Contract cases for a kernel backend: what its config declares it must accept and
// compute right, at each bound; what lies one smallest step outside it must refuse.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_CASES_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_CASES_H_

#include <memory>
#include <vector>

#include "conformance/verdict/case_source.h"
#include "reference/config/backend_config.h"

namespace qconform {

// Every operator once for each dtype config, however many rows name it: the smallest
// graph of the first row is quantized, lowered, and its operator taken. Rows whose
// operator no call can name (RowsWithoutOperator) have no case.
//   PASS  accepted and right, or undeclared and refused
//   FAIL  undeclared and accepted; and all that RunOperatorCase finds
std::vector<CaseSource> KernelContractCases(std::shared_ptr<const BackendConfig> config);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_CASES_H_
