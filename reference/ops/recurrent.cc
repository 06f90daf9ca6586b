#include "reference/ops/recurrent.h"

#include "reference/ops/linear.h"

namespace qconform {
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
  const bool lstm = kind == CellKind::kLstm;
  for (int64_t b = 0; b < batch; ++b) {
    FinishCell(kind, hidden, from_input.data<float>() + b * width,
               from_hidden.data<float>() + b * width,
               state.hidden.data<float>() + b * hidden,
               lstm ? state.cell.data<float>() + b * hidden : nullptr,
               next.hidden.data<float>() + b * hidden,
               lstm ? next.cell.data<float>() + b * hidden : nullptr);
  }
  return next;
}

}  // namespace qconform
