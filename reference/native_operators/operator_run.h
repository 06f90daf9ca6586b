// One operator of the ABI on tensors, by its scalar definition.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_OPERATOR_RUN_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_OPERATOR_RUN_H_

#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/tensor.h"
#include "reference/ops/call.h"

namespace qconform {

struct OperatorRun {
  qc_operator_kind kind;
  qc_attributes attributes{};
  std::vector<const Tensor*> inputs;  // nullptr: absent
  std::string scheme;                 // "" for the operator's own
};

// A result of this dtype, shape and parameters. The call's Fail says why if there is no
// definition.
Tensor RunOperator(const OperatorRun& run, DType dtype, const Shape& shape,
                   const std::optional<QuantizationParameters>& parameters,
                   const Call& call);

// Per tensor.
QuantizationParameters PerTensor(double scale, int64_t zero_point);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_OPERATOR_RUN_H_
