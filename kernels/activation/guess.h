// Which functions of one code are affine, or in two pieces, and how.
#ifndef QCONFORM_KERNELS_ACTIVATION_GUESS_H_
#define QCONFORM_KERNELS_ACTIVATION_GUESS_H_

#include "kernels/abi/qconform_backend.h"
#include "kernels/activation/affine_channels.h"
#include "kernels/backend/kept_constants.h"

namespace qconform::kernels {

// Of any operator of kernels/activation; for curved ones a constant, which does not fit.
// `operands`: complete.
AffineGuess GuessOf(const qc_descriptor& descriptor, const KeptConstants& operands);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ACTIVATION_GUESS_H_
