// From the products of a step to its states.
#ifndef QCONFORM_KERNELS_RECURRENT_GATE_FUNCTIONS_H_
#define QCONFORM_KERNELS_RECURRENT_GATE_FUNCTIONS_H_

#include <cstdint>

#include "kernels/target/path.h"
#include "reference/numerics/recurrent_cell.h"

namespace qconform::kernels {

// FinishCell of an LSTM or a GRU (reference/numerics/recurrent_cell.h), to the bit, with
// the states h and c (LSTM only) replaced by those after the step.
void FinishUnits(Path path, CellKind kind, int64_t hidden, const float* from_input,
                 const float* from_hidden, float* h, float* c);

// x[i] = GateSigmoid(x[i]) or GateTanh(x[i]); count at most kGateBlock.
inline constexpr int64_t kGateBlock = 64;
void Sigmoids(Path path, int64_t count, float* x);
void Tanhs(Path path, int64_t count, float* x);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_RECURRENT_GATE_FUNCTIONS_H_
