// A call made to satisfy a dtype config.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_FIT_CALL_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_FIT_CALL_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/config/dtype_config.h"

namespace qconform {

// Dtypes, ranges of codes, scales, zero points and granularity of every operand that the
// config speaks about become what it names; the real values stay where they can. Empty,
// or why there is no such call: "its input is float32 in every call".
std::string FitCall(const DTypeConfig& config, OperatorCall& call);

// The operands on one side of a dtype config.
enum class CallSide { kInput, kWeight, kBias, kOutput };
const char* CallSideName(CallSide side);  // "input", "weight", "bias", "output"
std::vector<CallTensor*> TensorsOf(OperatorCall& call, CallSide side);

// The same real numbers in another dtype. False where there are none: of a float tensor
// that is to become codes, of dtypes without arithmetic here. Outputs have no data yet.
bool SetDType(CallTensor& tensor, qc_dtype dtype);

// Scale and zero point of every channel; codes keep their distance from the zero point.
void SetQparams(CallTensor& tensor, const std::function<float(float)>& scale,
                const std::function<int64_t(int64_t)>& zero_point);

// Whether the output has its input's qparams: the operator only moves codes.
bool SharesQparams(const OperatorCall& call);
// Gives input and output the qparams of one of them.
void ShareQparams(OperatorCall& call, CallSide from);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_FIT_CALL_H_
