// Activation functions of one float32 value. Piecewise linear ones are computed in
// float32 and keep NaN; the others in double, rounded once.
#ifndef QCONFORM_REFERENCE_NUMERICS_ACTIVATION_FUNCTION_H_
#define QCONFORM_REFERENCE_NUMERICS_ACTIVATION_FUNCTION_H_

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// The operator `kind` with its own attributes (alpha, minimum, maximum).
float ApplyActivation(qc_operator_kind kind, const qc_attributes& attributes, float x);

// The fused activation (activation, activation_alpha, activation_min/max).
float ApplyFusedActivation(const qc_attributes& attributes, float x);

// Whether there is a definition of this fused activation.
bool DefinesFusedActivation(const qc_attributes& attributes);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ACTIVATION_FUNCTION_H_
