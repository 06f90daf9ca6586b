// Contract cases for a kernel backend: what its config declares it must accept and
// compute right, at each bound; what lies one smallest step outside it must refuse.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_CASES_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_CASES_H_

#include <memory>
#include <vector>

#include "conformance/verdict/case_source.h"
#include "reference/config/backend_config.h"

namespace qconform {

// Of every row and dtype config, the steps of its smallest call (row_calls.h,
// kernel_steps.h). Rows of one operator with equal dtype configs share their cases.
//   PASS     accepted and right, or undeclared and refused
//   FAIL     undeclared and accepted; and all that RunOperatorCase finds
//   REFUSED  without a row: nothing of it can be asked of a kernel backend; the reason
//            begins with kNoCase
std::vector<CaseSource> KernelContractCases(std::shared_ptr<const BackendConfig> config);

inline constexpr char kNoCase[] = "no case: ";

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_CASES_H_
