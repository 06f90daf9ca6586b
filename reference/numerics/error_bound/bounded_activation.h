// Activation functions of a bounded value.
#ifndef QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_ACTIVATION_H_
#define QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_ACTIVATION_H_

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/error_bound/bounded_value.h"

namespace qconform {

Bounded BoundedSigmoid(const Bounded& x);
Bounded BoundedTanh(const Bounded& x);

// The operator `kind` with its own attributes, as ApplyActivation.
Bounded BoundedActivation(qc_operator_kind kind, const qc_attributes& attributes,
                          const Bounded& x);

// The fused activation, as ApplyFusedActivation.
Bounded BoundedFusedActivation(const qc_attributes& attributes, const Bounded& x);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ERROR_BOUND_BOUNDED_ACTIVATION_H_
