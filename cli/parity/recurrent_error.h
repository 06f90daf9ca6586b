// The bound of error_bound.h for recurrent layers and cells.
#ifndef QCONFORM_CLI_PARITY_RECURRENT_ERROR_H_
#define QCONFORM_CLI_PARITY_RECURRENT_ERROR_H_

#include <vector>

#include "reference/ir/module.h"
#include "reference/ir/tensor.h"

namespace qconform::parity {

// What all values of a forward are known up to.
struct RecurrentErrors {
  double inside = 0;   // gates and their functions among them
  double outputs = 0;  // hidden states and cells
};

// The layer or cell is computed once more in double, each value with what it is known up
// to. With n terms, a gate is a sum of which
//   E(a) = sum |w| E(x) + sum |u| E(h) + 4 gamma(n) (sum |w x| + sum |u h| + |b|),
// a function f of it has, by Taylor's formula,
//   E(f(a)) = |f'(a)| E(a) + max |f''| / 2 E(a)^2 + 8 u,
// and a product E(f c) = |f| E(c) + |c| E(f) + E(f) E(c) + 4 u |f c|, u = 2^-24.
//
// x [time, batch, in], [batch, time, in] if batch_first, or one rank less without batch.
// `states` are those given, hidden before cell; none are zeros. An LSTM of observed parts
// computes the same; a fake-quantizer of a part may take another code at a tie and adds
// one of its steps.
RecurrentErrors RecurrentError(const Module& module, const Tensor& x, double x_error,
                               const std::vector<Tensor>& states = {},
                               double state_error = 0);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_RECURRENT_ERROR_H_
