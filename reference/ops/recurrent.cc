#include "reference/ops/recurrent.h"

#include <cmath>

#include "reference/ops/linear.h"

namespace qconform {
namespace {

float Sigmoid(float x) {
  return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(x))));
}

float Tanh(float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); }

// i, f, g, o are the gates' sums.
void LstmUnit(const float* gates, int64_t hidden, int64_t unit, float cell, float* h,
              float* c) {
  const float input = Sigmoid(gates[unit]);
  const float forget = Sigmoid(gates[hidden + unit]);
  const float candidate = Tanh(gates[2 * hidden + unit]);
  const float output = Sigmoid(gates[3 * hidden + unit]);
  c[unit] = forget * cell + input * candidate;
  h[unit] = output * Tanh(c[unit]);
}

// r, z, n; the reset gate scales the hidden part of n.
void GruUnit(const float* from_input, const float* from_hidden, int64_t hidden,
             int64_t unit, float before, float* h) {
  const float reset = Sigmoid(from_input[unit] + from_hidden[unit]);
  const float update = Sigmoid(from_input[hidden + unit] + from_hidden[hidden + unit]);
  const float candidate =
      Tanh(from_input[2 * hidden + unit] + reset * from_hidden[2 * hidden + unit]);
  h[unit] = (before - candidate) * update + candidate;
}

}  // namespace

int64_t GateCount(CellKind kind) {
  if (kind == CellKind::kLstm) return 4;
  return kind == CellKind::kGru ? 3 : 1;
}

int64_t CheckCell(CellKind kind, const CellWeights& weights, int64_t in,
                  const Call& call) {
  if (weights.input == nullptr || weights.hidden == nullptr) {
    call.Fail("a weight of the cell is missing");
  }
  const Tensor& w = *weights.input;
  const Tensor& u = *weights.hidden;
  const int64_t gates = GateCount(kind);
  const bool fits = w.rank() == 2 && u.rank() == 2 && w.dim(1) == in &&
                    w.dim(0) == u.dim(0) && u.dim(0) == gates * u.dim(1);
  bool plain = w.dtype() == DType::kFloat32 && u.dtype() == DType::kFloat32;
  for (const Tensor* bias : {weights.input_bias, weights.hidden_bias}) {
    plain = plain && (bias == nullptr || (bias->dtype() == DType::kFloat32 &&
                                          bias->shape() == Shape{w.dim(0)}));
  }
  if (!fits || !plain) {
    call.Fail("weights " + ValueText(w) + " and " + ValueText(u) + " for " +
                  std::to_string(in) + " features",
              "float32 [" + std::to_string(gates) + " * hidden, features]");
  }
  return u.dim(1);
}

CellState RunCell(CellKind kind, const Tensor& x, const CellState& state,
                  const CellWeights& weights, const Call& call) {
  const Tensor from_input = Linear(x, *weights.input, weights.input_bias, call);
  const Tensor from_hidden =
      Linear(state.hidden, *weights.hidden, weights.hidden_bias, call);
  return FinishCell(kind, from_input, from_hidden, state);
}

CellState FinishCell(CellKind kind, const Tensor& from_input, const Tensor& from_hidden,
                     const CellState& state) {
  const int64_t batch = from_input.dim(0);
  const int64_t width = from_input.dim(1);
  const int64_t hidden = width / GateCount(kind);
  CellState next{Tensor(DType::kFloat32, {batch, hidden}),
                 Tensor(DType::kFloat32, {kind == CellKind::kLstm ? batch : 0, hidden})};
  std::vector<float> sums(static_cast<size_t>(width));
  for (int64_t b = 0; b < batch; ++b) {
    const float* a = from_input.data<float>() + b * width;
    const float* r = from_hidden.data<float>() + b * width;
    for (int64_t i = 0; i < width; ++i) sums[static_cast<size_t>(i)] = a[i] + r[i];
    float* h = next.hidden.data<float>() + b * hidden;
    for (int64_t unit = 0; unit < hidden; ++unit) {
      const float sum = sums[static_cast<size_t>(unit)];
      switch (kind) {
        case CellKind::kLstm:
          LstmUnit(sums.data(), hidden, unit, state.cell.data<float>()[b * hidden + unit],
                   h, next.cell.data<float>() + b * hidden);
          break;
        case CellKind::kGru:
          GruUnit(a, r, hidden, unit, state.hidden.data<float>()[b * hidden + unit], h);
          break;
        case CellKind::kRnnTanh:
          h[unit] = Tanh(sum);
          break;
        case CellKind::kRnnRelu:
          h[unit] = sum < 0.0f ? 0.0f : sum;
          break;
      }
    }
  }
  return next;
}

}  // namespace qconform
