#include "reference/numerics/recurrent_cell.h"

#include <cmath>

namespace qconform {

float GateSigmoid(float x) {
  return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(x))));
}

float GateTanh(float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); }

namespace {

// Gates i, f, g, o.
void FinishLstm(int64_t hidden, const float* a, const float* r, const float* before,
                float* h, float* c) {
  for (int64_t unit = 0; unit < hidden; ++unit) {
    const auto sum = [&](int64_t gate) {
      return a[gate * hidden + unit] + r[gate * hidden + unit];
    };
    const float input = GateSigmoid(sum(0));
    const float forget = GateSigmoid(sum(1));
    const float candidate = GateTanh(sum(2));
    const float output = GateSigmoid(sum(3));
    c[unit] = forget * before[unit] + input * candidate;
    h[unit] = output * GateTanh(c[unit]);
  }
}

// Gates r, z, n; the reset gate scales the hidden part of n.
void FinishGru(int64_t hidden, const float* a, const float* r, const float* before,
               float* h) {
  for (int64_t unit = 0; unit < hidden; ++unit) {
    const float reset = GateSigmoid(a[unit] + r[unit]);
    const float update = GateSigmoid(a[hidden + unit] + r[hidden + unit]);
    const float candidate = GateTanh(a[2 * hidden + unit] + reset * r[2 * hidden + unit]);
    h[unit] = (before[unit] - candidate) * update + candidate;
  }
}

}  // namespace

int64_t GateCount(CellKind kind) {
  if (kind == CellKind::kLstm) return 4;
  return kind == CellKind::kGru ? 3 : 1;
}

void FinishCell(CellKind kind, int64_t hidden, const float* from_input,
                const float* from_hidden, const float* hidden_before,
                const float* cell_before, float* hidden_after, float* cell_after) {
  switch (kind) {
    case CellKind::kLstm:
      return FinishLstm(hidden, from_input, from_hidden, cell_before, hidden_after,
                        cell_after);
    case CellKind::kGru:
      return FinishGru(hidden, from_input, from_hidden, hidden_before, hidden_after);
    case CellKind::kRnnTanh:
    case CellKind::kRnnRelu:
      break;
  }
  for (int64_t unit = 0; unit < hidden; ++unit) {
    const float sum = from_input[unit] + from_hidden[unit];
    if (kind == CellKind::kRnnTanh) {
      hidden_after[unit] = GateTanh(sum);
    } else {
      hidden_after[unit] = sum < 0.0f ? 0.0f : sum;
    }
  }
}

}  // namespace qconform
