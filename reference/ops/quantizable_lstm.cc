#include <algorithm>
#include <array>
#include <optional>

#include "reference/ops/quantizable.h"
#include "reference/ops/rearrange.h"

namespace qconform {
namespace {

struct States {
  Tensor hidden;
  Tensor cell;
};

// torch.stack: the first one's parameters are the result's.
Tensor Stack(std::vector<Tensor> rows, const QuantizableParts& parts) {
  for (Tensor& row : rows) row = parts.requantize(row, rows.front());
  return Stacked(rows);
}

// (LSTMCell.forward)
States RunCell(Module& cell, const Tensor& x, const States& states, const Call& call,
               const QuantizableParts& parts) {
  const auto child = [&](const char* name) -> Module& {
    return QuantizableChild(cell, name, call);
  };
  // Input, forget, cell and output gate: one linear for all, or one each.
  std::array<Tensor, 4> gates;
  if (child("igates").type == "torch.nn.ModuleDict") {
    size_t gate = 0;
    for (const char* name : {"input", "forget", "cell", "output"}) {
      const Tensor from_input =
          parts.call(QuantizableChild(child("igates"), name, call), x);
      const Tensor from_hidden =
          parts.call(QuantizableChild(child("hgates"), name, call), states.hidden);
      gates[gate++] = parts.combine(QuantizableChild(child("gates"), name, call), "add",
                                    from_input, from_hidden);
    }
  } else {
    const Tensor from_input = parts.call(child("igates"), x);
    const Tensor from_hidden = parts.call(child("hgates"), states.hidden);
    const Tensor sum = parts.combine(child("gates"), "add", from_input, from_hidden);
    if (sum.rank() != 2) call.Fail("a cell's input is no matrix");
    const int64_t size = sum.dim(1) / 4;
    for (int64_t gate = 0; gate < 4; ++gate) {
      gates[static_cast<size_t>(gate)] = Columns(sum, gate * size, size);
    }
  }
  const Tensor input = parts.call(child("input_gate"), gates[0]);
  const Tensor forget = parts.call(child("forget_gate"), gates[1]);
  const Tensor candidate = parts.call(child("cell_gate"), gates[2]);
  const Tensor output = parts.call(child("output_gate"), gates[3]);
  const Tensor kept = parts.combine(child("fgate_cx"), "mul", forget, states.cell);
  const Tensor added = parts.combine(child("igate_cgate"), "mul", input, candidate);
  const Tensor next = parts.combine(child("fgate_cx_igate_cgate"), "add", kept, added);
  return {parts.combine(child("ogate_cy"), "mul", output,
                        CallFunction(parts, "torch.tanh", {next}, call)),
          next};
}

struct LayerResult {
  Tensor y;
  States states;
};

// (_LSTMSingleLayer.forward)
LayerResult RunDirection(Module& layer, const Tensor& x, States states, const Call& call,
                         const QuantizableParts& parts) {
  Module& cell = QuantizableChild(layer, "cell", call);
  std::vector<Tensor> outputs;
  for (int64_t step = 0; step < x.dim(0); ++step) {
    states = RunCell(cell, Row(x, step), states, call, parts);
    outputs.push_back(states.hidden);
  }
  if (outputs.empty()) call.Fail("an empty sequence");
  return {Stack(outputs, parts), std::move(states)};
}

// `states` have two rows for two directions. (_LSTMLayer.forward)
LayerResult RunLayer(Module& layer, const Tensor& x, const States& states, bool two,
                     const Call& call, const QuantizableParts& parts) {
  if (!two)
    return RunDirection(QuantizableChild(layer, "layer_fw", call), x, states, call,
                        parts);
  const LayerResult forward =
      RunDirection(QuantizableChild(layer, "layer_fw", call), x,
                   {Row(states.hidden, 0), Row(states.cell, 0)}, call, parts);
  const LayerResult backward =
      RunDirection(QuantizableChild(layer, "layer_bw", call), Reversed(x),
                   {Row(states.hidden, 1), Row(states.cell, 1)}, call, parts);
  return {Joined(forward.y, parts.requantize(Reversed(backward.y), forward.y), 2),
          {Stack({forward.states.hidden, backward.states.hidden}, parts),
           Stack({forward.states.cell, backward.states.cell}, parts)}};
}

// The states of layer `index` in [layers * directions, batch, size].
Tensor LayerState(const Tensor& all, int64_t index, int64_t directions) {
  const Tensor rows =
      all.Reshaped({all.dim(0) / directions, directions, all.dim(1), all.dim(2)});
  Tensor state = Row(rows, index);
  return directions == 1 ? state.Reshaped({all.dim(1), all.dim(2)}) : state;
}

// Layers' states one below the other, the directions of each together.
Tensor AllStates(const std::vector<Tensor>& states, const QuantizableParts& parts) {
  const Tensor stacked = Stack(states, parts);
  const int64_t rank = stacked.rank();
  const int64_t batch = stacked.dim(static_cast<int>(rank) - 2);
  const int64_t size = stacked.dim(static_cast<int>(rank) - 1);
  return stacked.Reshaped({stacked.numel() / (batch * size), batch, size});
}

// The two states of the second argument; nothing without one.
std::optional<States> GivenStates(const Call& call) {
  const Value* given = call.Find(1, "hidden");
  if (given == nullptr || given->IsNone()) return std::nullopt;
  const ValueSequence* pair = given->As<ValueSequence>();
  if (pair == nullptr || pair->items.size() != 2) call.Fail("hidden is no pair");
  const Tensor* hidden = pair->items[0].As<Tensor>();
  const Tensor* cell = pair->items[1].As<Tensor>();
  if (hidden == nullptr || cell == nullptr || hidden->rank() != 3 || cell->rank() != 3) {
    call.Fail("hidden is no pair of tensors of rank 3");
  }
  return States{*hidden, *cell};
}

}  // namespace

Value RunQuantizableLstm(Module& lstm, const Call& call, const QuantizableParts& parts) {
  Tensor x = call.TensorAt(0, "x");
  if (x.rank() != 3) call.Fail("input is " + ValueText(x), "a tensor of rank 3");
  const bool batch_first = lstm.Boolean("batch_first", false);
  const bool two = lstm.Boolean("bidirectional", false);
  const int64_t layers = lstm.Integer("num_layers", 1);
  const int64_t directions = two ? 2 : 1;
  if (batch_first) x = Swapped(x);
  std::optional<States> given = GivenStates(call);
  if (!given) {
    if (x.quantization()) call.Fail("codes without states", "(x, (hidden, cell))");
    const Tensor zeros(DType::kFloat32,
                       {layers * directions, x.dim(1), lstm.Integer("hidden_size", 1)});
    given = States{zeros, zeros};
  }
  if (given->hidden.dim(0) != layers * directions ||
      given->cell.dim(0) != layers * directions) {
    call.Fail("states of " + std::to_string(given->hidden.dim(0)) + " layers");
  }
  Module& list = QuantizableChild(lstm, "layers", call);
  std::vector<Tensor> hidden;
  std::vector<Tensor> cell;
  for (int64_t index = 0; index < layers; ++index) {
    LayerResult result = RunLayer(QuantizableChild(list, std::to_string(index), call), x,
                                  {LayerState(given->hidden, index, directions),
                                   LayerState(given->cell, index, directions)},
                                  two, call, parts);
    x = std::move(result.y);
    hidden.push_back(std::move(result.states.hidden));
    cell.push_back(std::move(result.states.cell));
  }
  if (batch_first) x = Swapped(x);
  return Value::Tuple(
      {x, Value::Tuple({AllStates(hidden, parts), AllStates(cell, parts)})});
}

}  // namespace qconform
