// One step of a recurrent cell over a batch.
#ifndef QCONFORM_REFERENCE_OPS_RECURRENT_H_
#define QCONFORM_REFERENCE_OPS_RECURRENT_H_

#include <string>

#include "reference/ir/tensor.h"
#include "reference/numerics/recurrent_cell.h"
#include "reference/ops/call.h"

namespace qconform {

struct CellWeights {
  const Tensor* input = nullptr;   // [gates * hidden, in]
  const Tensor* hidden = nullptr;  // [gates * hidden, hidden]
  const Tensor* input_bias = nullptr;
  const Tensor* hidden_bias = nullptr;
};

struct CellState {
  Tensor hidden;  // [batch, hidden]
  Tensor cell;    // LSTM only
};

// x [batch, in] and the state before it -> the state after it.
CellState RunCell(CellKind kind, const Tensor& x, const CellState& state,
                  const CellWeights& weights, const Call& call);

// The same from the two products [batch, gates * hidden], biases included.
CellState FinishCell(CellKind kind, const Tensor& from_input, const Tensor& from_hidden,
                     const CellState& state);

// Throws InputError unless the weights fit each other and an input of `in` features.
// Returns the hidden size.
int64_t CheckCell(CellKind kind, const CellWeights& weights, int64_t in,
                  const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_RECURRENT_H_
