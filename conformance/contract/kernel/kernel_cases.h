// Contract cases for a kernel backend: what its config declares it must accept and
// compute right, at each bound; what lies one smallest step outside it must refuse.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_CASES_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_CASES_H_

#include <memory>
#include <vector>

#include "conformance/contract/kernel/exempt_rows.h"
#include "conformance/verdict/case_source.h"
#include "reference/config/backend_config.h"

namespace qconform {

struct KernelContractOptions {
  // Beside the built-in exempt rows: of the config's author. Each must be of use.
  ExemptRows exempt = {};
  // That a row has neither a case nor an exemption is an error; false: it is left out.
  bool every_row = true;
};

// Of every row and dtype config, the steps of its smallest call (row_calls.h,
// kernel_steps.h). Rows of one operator with equal dtype configs share their cases.
//   PASS     accepted and right, or undeclared and refused
//   FAIL     undeclared and accepted; and all that RunOperatorCase finds
//   REFUSED  without a row: an exempt row, of which nothing can be asked of a kernel
//            backend, and the reason begins with kNoCase; or a call that `config`
//            declares and the subject's own config does not
// What the subject's own config declares beyond `config` is judged as declared.
// Throws InputError that names every row without a case, and exemptions that are stale:
// their row has a case, or there is no such row.
std::vector<CaseSource> KernelContractCases(std::shared_ptr<const BackendConfig> config,
                                            const KernelContractOptions& options = {});

inline constexpr char kNoCase[] = "exempt: ";

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_KERNEL_CASES_H_
