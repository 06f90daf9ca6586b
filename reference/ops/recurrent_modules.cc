// torch.nn.LSTM, GRU, RNN and the cell modules.
#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/gather.h"
#include "reference/ops/recurrent.h"

namespace qconform {
namespace {

const Tensor& FloatTensor(const Tensor& tensor, const Shape& shape, const char* what,
                          const Call& call) {
  if (tensor.dtype() != DType::kFloat32 || tensor.shape() != shape) {
    call.Fail(std::string(what) + " is " + ValueText(tensor),
              "float32 " + ShapeText(shape));
  }
  return tensor;
}

// The given initial state (one tensor, or a pair for LSTM) or nullopt's zeros.
CellState InitialState(const Call& call, CellKind kind, const Shape& shape) {
  const Value* given = call.Find(1, "hx");
  if (given == nullptr || given->IsNone()) {
    return {Tensor(DType::kFloat32, shape), Tensor(DType::kFloat32, shape)};
  }
  if (kind != CellKind::kLstm) {
    return {FloatTensor(call.TensorAt(1, "hx"), shape, "hx", call), Tensor()};
  }
  const std::vector<Tensor> pair = call.Tensors(1, "hx");
  if (pair.size() != 2) call.Fail("hx is " + ValueText(*given), "a pair of tensors");
  return {FloatTensor(pair[0], shape, "hx[0]", call),
          FloatTensor(pair[1], shape, "hx[1]", call)};
}

ModuleDefinition Cell(CellKind kind) {
  return [kind](Module& module, const Call& call) -> Value {
    CellKind actual = kind;
    if (kind == CellKind::kRnnTanh && module.Text("nonlinearity", "tanh") == "relu") {
      actual = CellKind::kRnnRelu;
    }
    Tensor x = call.TensorAt(0, "input");
    const bool batched = x.rank() == 2;
    if (x.rank() != 1 && !batched) call.Fail("input is " + ValueText(x), "rank 1 or 2");
    const CellWeights weights{module.FindTensor("weight_ih"),
                              module.FindTensor("weight_hh"),
                              module.FindTensor("bias_ih"), module.FindTensor("bias_hh")};
    const int64_t hidden = CheckCell(actual, weights, x.shape().back(), call);
    Shape shape = x.shape();
    shape.back() = hidden;
    CellState state = InitialState(call, actual, shape);
    if (!batched) {
      x = AddLeadingAxis(x);
      state.hidden = AddLeadingAxis(state.hidden);
      state.cell = AddLeadingAxis(state.cell);
    }
    CellState next = RunCell(actual, x, state, weights, call);
    if (!batched) next.hidden = DropLeadingAxis(next.hidden);
    if (actual != CellKind::kLstm) return next.hidden;
    if (!batched) next.cell = DropLeadingAxis(next.cell);
    return Value::Tuple({next.hidden, next.cell});
  };
}

// Copies `source` into slice `index` of the first axis of `target`.
void WriteSlice(const Tensor& source, int64_t index, Tensor& target) {
  std::copy_n(source.bytes(), source.byte_size(),
              target.bytes() + static_cast<size_t>(index) * source.byte_size());
}

Tensor Slice(const Tensor& tensor, int64_t index) {
  return DropLeadingAxis(Narrow(tensor, 0, index, 1));
}

struct LayerOutput {
  Tensor sequence;  // [time, batch, hidden]
  CellState last;
};

LayerOutput RunLayer(CellKind kind, const Tensor& input, CellState state,
                     const CellWeights& weights, bool backward, const Call& call) {
  const int64_t steps = input.dim(0);
  const int64_t hidden = CheckCell(kind, weights, input.dim(2), call);
  LayerOutput output{Tensor(DType::kFloat32, {steps, input.dim(1), hidden}), {}};
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t step = backward ? steps - 1 - i : i;
    state = RunCell(kind, Slice(input, step), state, weights, call);
    WriteSlice(state.hidden, step, output.sequence);
  }
  output.last = state;
  return output;
}

// [time, batch, a] and [time, batch, b] -> [time, batch, a + b].
Tensor JoinFeatures(const Tensor& a, const Tensor& b) {
  const int64_t rows = a.dim(0) * a.dim(1);
  Tensor result(DType::kFloat32, {a.dim(0), a.dim(1), a.dim(2) + b.dim(2)});
  for (int64_t row = 0; row < rows; ++row) {
    float* to = result.data<float>() + row * result.dim(2);
    std::copy_n(a.data<float>() + row * a.dim(2), a.dim(2), to);
    std::copy_n(b.data<float>() + row * b.dim(2), b.dim(2), to + a.dim(2));
  }
  return result;
}

ModuleDefinition Recurrent(CellKind kind) {
  return [kind](Module& module, const Call& call) -> Value {
    CellKind actual = kind;
    if (module.Text("mode", "") == "RNN_RELU" ||
        (kind == CellKind::kRnnTanh && module.Text("nonlinearity", "tanh") == "relu")) {
      actual = CellKind::kRnnRelu;
    }
    if (module.Integer("proj_size", 0) != 0) call.Fail("proj_size is not supported");
    if (module.training && module.Real("dropout", 0.0) > 0.0) {
      call.Fail("dropout in training is random and not supported");
    }
    const int64_t layers = module.Integer("num_layers", 1);
    const int64_t directions = module.Boolean("bidirectional", false) ? 2 : 1;
    const bool batch_first = module.Boolean("batch_first", false);
    Tensor x = call.TensorAt(0, "input");
    if ((x.rank() != 2 && x.rank() != 3) || x.dtype() != DType::kFloat32) {
      call.Fail("input is " + ValueText(x), "float32 of rank 2 or 3");
    }
    const bool batched = x.rank() == 3;
    if (!batched) {
      x = x.Reshaped({x.dim(0), 1, x.dim(1)});
    } else if (batch_first) {
      x = Permute(x, {1, 0, 2});
    }
    const Tensor* first = module.FindTensor("weight_hh_l0");
    if (first == nullptr || first->rank() != 2) call.Fail("no weight_hh_l0");
    const int64_t hidden = first->dim(1);
    const int64_t batch = x.dim(1);
    const Shape full = {layers * directions, batch, hidden};
    CellState initial =
        InitialState(call, actual, batched ? full : Shape{full[0], hidden});
    Tensor last_hidden(DType::kFloat32, full);
    Tensor last_cell(DType::kFloat32, full);
    const bool lstm = actual == CellKind::kLstm;
    initial.hidden = initial.hidden.Reshaped(full);
    if (lstm) initial.cell = initial.cell.Reshaped(full);
    for (int64_t layer = 0; layer < layers; ++layer) {
      Tensor joined;
      for (int64_t direction = 0; direction < directions; ++direction) {
        const std::string suffix =
            "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
        const CellWeights weights{module.FindTensor("weight_ih" + suffix),
                                  module.FindTensor("weight_hh" + suffix),
                                  module.FindTensor("bias_ih" + suffix),
                                  module.FindTensor("bias_hh" + suffix)};
        const int64_t index = layer * directions + direction;
        const CellState state{Slice(initial.hidden, index),
                              lstm ? Slice(initial.cell, index) : Tensor()};
        if (CheckCell(actual, weights, x.dim(2), call) != hidden) {
          call.Fail("layers of different hidden sizes");
        }
        const LayerOutput output =
            RunLayer(actual, x, state, weights, direction == 1, call);
        joined = direction == 0 ? output.sequence : JoinFeatures(joined, output.sequence);
        WriteSlice(output.last.hidden, index, last_hidden);
        if (lstm) WriteSlice(output.last.cell, index, last_cell);
      }
      x = joined;
    }
    if (!batched) {
      x = x.Reshaped({x.dim(0), x.dim(2)});
      last_hidden = last_hidden.Reshaped({full[0], hidden});
      last_cell = last_cell.Reshaped({full[0], hidden});
    } else if (batch_first) {
      x = Permute(x, {1, 0, 2});
    }
    if (!lstm) return Value::Tuple({x, last_hidden});
    return Value::Tuple({x, Value::Tuple({last_hidden, last_cell})});
  };
}

}  // namespace

void AddRecurrent(Registry& registry) {
  registry.AddModule("torch.nn.LSTM", Recurrent(CellKind::kLstm));
  registry.AddModule("torch.nn.GRU", Recurrent(CellKind::kGru));
  registry.AddModule("torch.nn.RNN", Recurrent(CellKind::kRnnTanh));
  registry.AddModule("torch.nn.LSTMCell", Cell(CellKind::kLstm));
  registry.AddModule("torch.nn.GRUCell", Cell(CellKind::kGru));
  registry.AddModule("torch.nn.RNNCell", Cell(CellKind::kRnnTanh));
}

}  // namespace qconform
