// The bound of error_bound.h for recurrent layers and cells.
#ifndef QCONFORM_CLI_PARITY_RECURRENT_ERROR_H_
#define QCONFORM_CLI_PARITY_RECURRENT_ERROR_H_

#include "reference/ir/module.h"
#include "reference/ir/tensor.h"

namespace qconform::parity {

// One bound for all outputs of a recurrent layer or cell. A step's gates are sums of
// n = inputs + hidden + 2 terms, with rows of weights of absolute sums I and H:
//   E(gate) = 4 gamma(n) (I max|x| + H + |b|) + I E(x) + H E(h)
// Each gate's function has Lipschitz constant 1 at most; a new state takes at most three
// gates and the old state, all of size 1 but for the cell c, |c| <= step:
//   E(c') = E(c) + (|c| + 2) E(gate) + 16 u (|c| + 2),  E(h') = E(gate) + E(c') + 16 u
// `largest_state` is that of the states given, where they may be above 1. An LSTM of
// observed parts has the same bound; it holds for all values inside, to which a
// fake-quantizer of a part adds one of its steps: it may take another code at a tie.
double RecurrentError(const Module& module, const Tensor& x, double x_error,
                      double largest_state = 1);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_RECURRENT_ERROR_H_
