// LSTM, GRU and the cells: every product is a dynamic linear with a reduced range. A
// layer quantizes its whole input sequence at once, its hidden state at every step.
#include "reference/native_operators/dynamic_linear.h"
#include "reference/native_operators/native_families.h"
#include "reference/ops/axis.h"
#include "reference/ops/recurrent.h"

namespace qconform {
namespace {

NativeWeight Product(const Module& module, const std::string& kind, const Call& call) {
  const Tensor* weight = module.FindTensor("weight_" + kind);
  if (weight == nullptr) call.Fail("no packed weight_" + kind);
  NativeWeight packed{*weight, std::nullopt, {}, {}, {}, {}, 1};
  if (const Tensor* bias = module.FindTensor("bias_" + kind)) packed.bias = *bias;
  return packed;
}

Tensor ZerosUnless(const Value* given, size_t index, bool pair, const Shape& shape,
                   const Call& call) {
  if (given == nullptr || given->IsNone()) return Tensor(DType::kFloat32, shape);
  if (!pair) return call.TensorAt(1, "hx");
  const std::vector<Tensor> both = call.Tensors(1, "hx");
  if (both.size() != 2) call.Fail("hx is " + ValueText(*given), "a pair of tensors");
  return both[index];
}

CellState Initial(const Call& call, bool lstm, const Shape& shape) {
  const Value* given = call.Find(1, "hx");
  return {ZerosUnless(given, 0, lstm, shape, call),
          lstm ? ZerosUnless(given, 1, lstm, shape, call) : Tensor()};
}

ModuleDefinition Cell(CellKind kind, const std::string& engine) {
  return [kind, engine](Module& module, const Call& call) -> Value {
    CellKind actual = kind;
    if (kind == CellKind::kRnnTanh && module.Text("nonlinearity", "tanh") == "relu") {
      actual = CellKind::kRnnRelu;
    }
    const Tensor& x = call.TensorAt(0, "input");
    if (x.rank() != 2) call.Fail("input is " + ValueText(x), "rank 2");
    const NativeWeight input = Product(module, "ih", call);
    const NativeWeight hidden = Product(module, "hh", call);
    const CellState state =
        Initial(call, actual == CellKind::kLstm, {x.dim(0), hidden.weight.dim(1)});
    const CellState next =
        FinishCell(actual, DynamicLinear(x, input, false, true, engine, call),
                   DynamicLinear(state.hidden, hidden, false, true, engine, call), state);
    if (actual != CellKind::kLstm) return next.hidden;
    return Value::Tuple({next.hidden, next.cell});
  };
}

Tensor Step(const Tensor& sequence, int64_t index) {
  return DropLeadingAxis(Narrow(sequence, 0, index, 1));
}

void WriteStep(const Tensor& source, int64_t index, Tensor& target) {
  std::copy_n(source.bytes(), source.byte_size(),
              target.bytes() + static_cast<size_t>(index) * source.byte_size());
}

// [time, batch, hidden] of one direction, written into its half of the features.
void WriteFeatures(const Tensor& from, int64_t offset, Tensor& to) {
  const int64_t rows = from.dim(0) * from.dim(1);
  for (int64_t row = 0; row < rows; ++row) {
    std::copy_n(from.data<float>() + row * from.dim(2), from.dim(2),
                to.data<float>() + row * to.dim(2) + offset);
  }
}

ModuleDefinition Layers(CellKind kind, const std::string& engine) {
  return [kind, engine](Module& module, const Call& call) -> Value {
    const bool lstm = kind == CellKind::kLstm;
    const bool batch_first = module.Boolean("batch_first", false);
    const int64_t directions = module.Boolean("bidirectional", false) ? 2 : 1;
    const int64_t layers = module.Integer("num_layers", 1);
    Tensor x = call.TensorAt(0, "input");
    if (x.rank() != 3) call.Fail("input is " + ValueText(x), "rank 3");
    if (batch_first) x = Permute(x, {1, 0, 2});
    const auto* packed = module.children.Find("_all_weight_values");
    if (packed == nullptr || !*packed) call.Fail("no packed weights");
    const int64_t hidden = module.Integer("hidden_size", 0);
    const Shape full = {layers * directions, x.dim(1), hidden};
    const CellState initial = Initial(call, lstm, full);
    Tensor last_hidden(DType::kFloat32, full);
    Tensor last_cell(DType::kFloat32, lstm ? full : Shape{0});
    for (int64_t layer = 0; layer < layers; ++layer) {
      Tensor joined(DType::kFloat32, {x.dim(0), x.dim(1), directions * hidden});
      for (int64_t direction = 0; direction < directions; ++direction) {
        const int64_t index = layer * directions + direction;
        const auto* weights = (*packed)->children.Find(std::to_string(index));
        if (weights == nullptr || !*weights) call.Fail("a layer's weights are missing");
        const NativeWeight input = Product(**weights, "ih", call);
        const NativeWeight recurrent = Product(**weights, "hh", call);
        const Tensor from_input = DynamicLinear(x, input, false, true, engine, call);
        CellState state{Step(initial.hidden, index),
                        lstm ? Step(initial.cell, index) : Tensor()};
        Tensor sequence(DType::kFloat32, {x.dim(0), x.dim(1), hidden});
        for (int64_t i = 0; i < x.dim(0); ++i) {
          const int64_t time = direction == 1 ? x.dim(0) - 1 - i : i;
          state = FinishCell(
              kind, Step(from_input, time),
              DynamicLinear(state.hidden, recurrent, false, true, engine, call), state);
          WriteStep(state.hidden, time, sequence);
        }
        WriteFeatures(sequence, direction * hidden, joined);
        WriteStep(state.hidden, index, last_hidden);
        if (lstm) WriteStep(state.cell, index, last_cell);
      }
      x = joined;
    }
    if (batch_first) x = Permute(x, {1, 0, 2});
    if (!lstm) return Value::Tuple({x, last_hidden});
    return Value::Tuple({x, Value::Tuple({last_hidden, last_cell})});
  };
}

}  // namespace

void AddNativeRecurrent(Registry& registry, const std::string& engine) {
  const std::string prefix = "torch.ao.nn.quantized.dynamic.";
  registry.AddModule(prefix + "LSTM", Layers(CellKind::kLstm, engine));
  registry.AddModule(prefix + "GRU", Layers(CellKind::kGru, engine));
  registry.AddModule(prefix + "LSTMCell", Cell(CellKind::kLstm, engine));
  registry.AddModule(prefix + "GRUCell", Cell(CellKind::kGru, engine));
  registry.AddModule(prefix + "RNNCell", Cell(CellKind::kRnnTanh, engine));
}

}  // namespace qconform
