// The calls that the rows of a config ask of a kernel backend.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_ROW_CALLS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_ROW_CALLS_H_

#include <memory>
#include <optional>
#include <string>

#include "conformance/contract/contract_case.h"
#include "conformance/host/operator_call.h"

namespace qconform {

struct RowCall {
  std::optional<OperatorCall> call;
  std::string why_not;  // in the place of a call: "no operator of the ABI computes it"
};

// The smallest call of the case's row, with its dtype config: the row's own graph is
// prepared, calibrated, converted and lowered, and its operator fitted to the dtype
// config (fit_call.h). Where the config's own row does not get so far (it names no
// reference module; the dtypes are none of torch's), the operator is the one of the first
// row of the built-in configs native and executorch that computes the same.
RowCall SmallestCall(const ContractCase& contract_case,
                     const std::shared_ptr<const BackendConfig>& config);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_ROW_CALLS_H_
