// The scalar definition of the ABI's operators: what each of them means, exactly, under
// a named scheme. The manual in kernels/abi/qconform_backend.h gives inputs, outputs and
// attributes of every kind; here is the arithmetic.
//
// real/one/even/bias_f32/zp_after: every code is dequantized to float32, (code - zp) * s;
// the operator is computed in float32 in the order in which reference/ops computes it, so
// that the codes are those of the reference graph; transcendental functions in double,
// rounded once; the result is quantized as y * (1/so). Other real schemes round the same
// values by another rule; schemes of accumulators are in requantize.h.
#ifndef QCONFORM_REFERENCE_NUMERICS_SCALAR_OPERATOR_H_
#define QCONFORM_REFERENCE_NUMERICS_SCALAR_OPERATOR_H_

#include <span>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Whether there is a definition for this operator with these dtypes, shapes, attributes
// and asked scheme (NULL: any). If not, says why; `reason` may be nullptr.
bool DefinesOperator(const qc_descriptor& descriptor, std::string* reason = nullptr);

// The schemes under which the operator is defined, its own first, then those that are
// known beside them (scheme.h). Empty if there is no definition.
std::vector<std::string> ScalarSchemes(const qc_descriptor& descriptor);

// The scheme that RunScalarOperator follows: the asked one if it is defined, without
// one the operator's own; "" if there is no definition.
std::string ScalarScheme(const qc_descriptor& descriptor);

struct ScalarReport {
  // A sum of products left 32 bits; it was continued with wrap-around.
  bool accumulator_overflow = false;
  // What data that only a run sees contradict: an index outside its table. Nothing was
  // written then.
  std::string invalid;
};

// Computes. inputs and outputs are as in the descriptor, with data, whatever their byte
// strides. The result does not depend on the number of threads. Answers QC_UNSUPPORTED
// where DefinesOperator says no, and QC_INVALID with report->invalid.
qc_status RunScalarOperator(const qc_descriptor& descriptor,
                            std::span<const qc_tensor* const> inputs,
                            std::span<qc_tensor* const> outputs,
                            ScalarReport* report = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_SCALAR_OPERATOR_H_
