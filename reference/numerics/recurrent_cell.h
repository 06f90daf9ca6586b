// The gates of recurrent cells. Sums are float32; gate functions are computed in double
// and rounded once.
#ifndef QCONFORM_REFERENCE_NUMERICS_RECURRENT_CELL_H_
#define QCONFORM_REFERENCE_NUMERICS_RECURRENT_CELL_H_

#include <cstdint>

namespace qconform {

enum class CellKind { kLstm, kGru, kRnnTanh, kRnnRelu };

// The gate functions: of a double, rounded once.
float GateSigmoid(float x);
float GateTanh(float x);

// Gates in a cell's weights: 4, 3, 1.
int64_t GateCount(CellKind kind);

// One sample: from its two products [gates * hidden], biases included, and the state
// before it (`cell`: LSTM only) to the state after it. The states may be the same memory.
void FinishCell(CellKind kind, int64_t hidden, const float* from_input,
                const float* from_hidden, const float* hidden_before,
                const float* cell_before, float* hidden_after, float* cell_after);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_RECURRENT_CELL_H_
