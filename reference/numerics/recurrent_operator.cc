// LSTM and GRU over a sequence.
//
// With attributes.dynamic every product is a LINEAR with an input that is quantized at
// run time: a layer's whole input sequence at once, the hidden state at every step
// (torch.ao.nn.quantized.dynamic.LSTM). Without it the weights are dequantized and
// everything is float32, as in the reference graph.
#include <algorithm>

#include "reference/numerics/accumulate.h"
#include "reference/numerics/describe.h"
#include "reference/numerics/recurrent_cell.h"
#include "reference/numerics/same_shape.h"
#include "reference/numerics/weighted_operator.h"

namespace qconform {
namespace {

constexpr size_t kFirstWeight = 3;
constexpr size_t kOperands = 4;  // of a layer and direction

struct Sizes {
  bool lstm;
  CellKind cell;
  int64_t steps;
  int64_t batch;
  int64_t input;
  int64_t hidden;
  int64_t layers;
  int64_t directions;

  int64_t gates() const { return GateCount(cell) * hidden; }
  // Features that a layer reads.
  int64_t features(int64_t layer) const {
    return layer == 0 ? input : directions * hidden;
  }
};

Sizes SizesOf(const ScalarCall& call) {
  const bool lstm = call.kind == QC_LSTM;
  const bool batch_first = call.attributes.batch_first != 0;
  const int64_t* shape = call.x().shape;
  return {lstm,
          lstm ? CellKind::kLstm : CellKind::kGru,
          shape[batch_first ? 1 : 0],
          shape[batch_first ? 0 : 1],
          shape[2],
          call.attributes.hidden_size,
          std::max<int64_t>(call.attributes.layers, 1),
          call.attributes.bidirectional != 0 ? 2 : 1};
}

// x [rows, features] times a weight, plus its bias, as a call of LINEAR.
class GateProduct {
 public:
  GateProduct(const ScalarCall& call, const qc_tensor* weight, const qc_tensor* bias,
              int64_t rows, int64_t features, int64_t gates, const float* x = nullptr,
              float* y = nullptr)
      : x_(DenseTensor(QC_F32, {rows, features}, const_cast<float*>(x))),
        y_(DenseTensor(QC_F32, {rows, gates}, y)) {
    linear_.kind = QC_LINEAR;
    linear_.attributes.size = sizeof(qc_attributes);
    linear_.attributes.dynamic = call.attributes.dynamic;
    linear_.attributes.reduce_range = call.attributes.reduce_range;
    linear_.inputs = inputs_;
    linear_.outputs = outputs_;
    linear_.scheme = call.scheme;
    linear_.report = call.report;
    inputs_[1] = weight;
    inputs_[2] = bias;
  }
  GateProduct(const GateProduct&) = delete;

  std::string Check() const {
    const qc_tensor* weight = inputs_[1];
    const qc_tensor* bias = inputs_[2];
    if (weight == nullptr) return "a weight is missing";
    ConvolutionPlan plan;
    std::string objection = PlanLinear(linear_, plan);
    if (!objection.empty()) return objection;
    if (linear_.attributes.dynamic != 0) {
      objection = CheckWeighted(linear_);
      return objection.empty() && bias != nullptr && !IsReal(*bias) ? "a bias is not f32"
                                                                    : objection;
    }
    if (bias != nullptr &&
        (!IsReal(*bias) || ShapeOf(*bias) != std::vector<int64_t>{plan.outputs})) {
      return "a bias is not f32 [gates]";
    }
    return CheckValues(*weight, "a weight");
  }

  std::vector<std::string> Schemes() const { return WeightedSchemes(linear_); }

  void Run() {
    ConvolutionPlan plan;
    PlanLinear(linear_, plan);
    if (linear_.attributes.dynamic != 0) return RunWeighted(linear_, plan);
    const std::vector<float> x = PadInput<float>(plan, ReadReal(x_));
    const std::vector<float> w = ArrangeWeights<float>(plan, ReadReal(*inputs_[1]));
    std::vector<float> bias;
    if (inputs_[2] != nullptr) bias = ReadReal(*inputs_[2]);
    std::vector<float> y;
    y.reserve(static_cast<size_t>(plan.batch * plan.outputs));
    for (int64_t row = 0; row < plan.batch; ++row) {
      for (const float sum : Accumulate(plan, x, w, row)) {
        const auto gate = y.size() % static_cast<size_t>(plan.outputs);
        y.push_back(bias.empty() ? sum : sum + bias[gate]);
      }
    }
    WriteReal(y_, y, linear_.scheme);
  }

 private:
  qc_tensor x_;
  qc_tensor y_;
  const qc_tensor* inputs_[3] = {&x_, nullptr, nullptr};
  qc_tensor* outputs_[1] = {&y_};
  ScalarCall linear_{};
};

// Of a layer and direction: w_ih, w_hh, b_ih, b_hh.
struct Weights {
  const qc_tensor* input;
  const qc_tensor* hidden;
  const qc_tensor* input_bias;
  const qc_tensor* hidden_bias;
};

Weights WeightsOf(const ScalarCall& call, int64_t index) {
  const size_t first = kFirstWeight + static_cast<size_t>(index) * kOperands;
  return {call.input(first), call.input(first + 1), call.input(first + 2),
          call.input(first + 3)};
}

std::string CheckStates(const ScalarCall& call, const Sizes& sizes) {
  const std::vector<int64_t> state = {sizes.layers * sizes.directions, sizes.batch,
                                      sizes.hidden};
  std::vector<int64_t> sequence = ShapeOf(call.x());
  sequence[2] = sizes.directions * sizes.hidden;
  const auto is = [](const qc_tensor* tensor, const std::vector<int64_t>& shape) {
    return tensor != nullptr && IsReal(*tensor) && ShapeOf(*tensor) == shape;
  };
  if (!is(call.input(1), state)) return "h0 is not f32 [layers, batch, hidden]";
  if (sizes.lstm && !is(call.input(2), state)) {
    return "c0 is not f32 [layers, batch, hidden]";
  }
  if (!sizes.lstm && call.input(2) != nullptr) return "a GRU has no c0";
  if (!is(call.output(0), sequence)) return "y is not f32 [.., directions * hidden]";
  for (size_t i = 1; i < call.outputs.size(); ++i) {
    if (!is(call.output(i), state)) return "a last state has another shape than h0";
  }
  return "";
}

std::string Check(const ScalarCall& call) {
  if (!IsReal(call.x()) || call.x().rank != 3) return "the input is not f32 of rank 3";
  const Sizes sizes = SizesOf(call);
  if (sizes.hidden < 1 || sizes.layers > 1024) return "the sizes are out of range";
  std::string objection = CheckStates(call, sizes);
  if (objection.empty()) objection = CheckNoActivation(call);
  for (int64_t i = 0; objection.empty() && i < sizes.layers * sizes.directions; ++i) {
    const Weights weights = WeightsOf(call, i);
    const int64_t features = sizes.features(i / sizes.directions);
    objection = GateProduct(call, weights.input, weights.input_bias, sizes.batch,
                            features, sizes.gates())
                    .Check();
    if (!objection.empty()) break;
    objection = GateProduct(call, weights.hidden, weights.hidden_bias, sizes.batch,
                            sizes.hidden, sizes.gates())
                    .Check();
  }
  const size_t most =
      kFirstWeight + kOperands * static_cast<size_t>(sizes.layers * sizes.directions);
  return objection.empty() && call.inputs.size() > most ? "there are too many inputs"
                                                        : objection;
}

std::vector<std::string> Schemes(const ScalarCall& call) {
  if (call.attributes.dynamic == 0) return {kRealSchemeName};
  const Weights weights = WeightsOf(call, 0);
  return GateProduct(call, weights.input, weights.input_bias, 0, 0, 0).Schemes();
}

// [a, b, n] -> [b, a, n]
std::vector<float> Swapped(const std::vector<float>& x, int64_t a, int64_t b, int64_t n) {
  std::vector<float> swapped(x.size());
  for (int64_t i = 0; i < a; ++i) {
    for (int64_t j = 0; j < b; ++j) {
      std::copy_n(x.data() + (i * b + j) * n, n, swapped.data() + (j * a + i) * n);
    }
  }
  return swapped;
}

class RecurrentRun {
 public:
  explicit RecurrentRun(const ScalarCall& call) : call_(call), sizes_(SizesOf(call)) {}

  void Run() {
    const bool batch_first = call_.attributes.batch_first != 0;
    std::vector<float> x = ReadReal(call_.x());
    if (batch_first) x = Swapped(x, sizes_.batch, sizes_.steps, sizes_.input);
    hidden_ = ReadReal(*call_.inputs[1]);
    if (sizes_.lstm) cell_ = ReadReal(*call_.inputs[2]);
    const int64_t width = sizes_.directions * sizes_.hidden;
    for (int64_t layer = 0; layer < sizes_.layers; ++layer) {
      std::vector<float> y(static_cast<size_t>(sizes_.steps * sizes_.batch * width));
      for (int64_t direction = 0; direction < sizes_.directions; ++direction) {
        RunLayer(layer, direction, x, y);
      }
      x = std::move(y);
    }
    if (batch_first) x = Swapped(x, sizes_.steps, sizes_.batch, width);
    WriteReal(call_.y(), x, call_.scheme);
    WriteReal(*call_.outputs[1], hidden_, call_.scheme);
    if (sizes_.lstm) WriteReal(*call_.outputs[2], cell_, call_.scheme);
  }

 private:
  // Writes its features of y, and its states.
  void RunLayer(int64_t layer, int64_t direction, const std::vector<float>& x,
                std::vector<float>& y) {
    const int64_t index = layer * sizes_.directions + direction;
    const Weights weights = WeightsOf(call_, index);
    const int64_t gates = sizes_.gates();
    std::vector<float> from_input(
        static_cast<size_t>(sizes_.steps * sizes_.batch * gates));
    GateProduct(call_, weights.input, weights.input_bias, sizes_.steps * sizes_.batch,
                sizes_.features(layer), gates, x.data(), from_input.data())
        .Run();
    std::vector<float> from_hidden(static_cast<size_t>(sizes_.batch * gates));
    const int64_t state = index * sizes_.batch * sizes_.hidden;
    float* hidden = hidden_.data() + state;
    float* cell = sizes_.lstm ? cell_.data() + state : nullptr;
    for (int64_t i = 0; i < sizes_.steps; ++i) {
      const int64_t step = direction == 1 ? sizes_.steps - 1 - i : i;
      GateProduct(call_, weights.hidden, weights.hidden_bias, sizes_.batch, sizes_.hidden,
                  gates, hidden, from_hidden.data())
          .Run();
      for (int64_t b = 0; b < sizes_.batch; ++b) {
        const int64_t row = step * sizes_.batch + b;
        float* h = hidden + b * sizes_.hidden;
        float* c = sizes_.lstm ? cell + b * sizes_.hidden : nullptr;
        FinishCell(sizes_.cell, sizes_.hidden, from_input.data() + row * gates,
                   from_hidden.data() + b * gates, h, c, h, c);
        std::copy_n(h, sizes_.hidden,
                    y.data() + (row * sizes_.directions + direction) * sizes_.hidden);
      }
    }
  }

  const ScalarCall& call_;
  const Sizes sizes_;
  std::vector<float> hidden_;
  std::vector<float> cell_;
};

void Run(const ScalarCall& call) { RecurrentRun(call).Run(); }

}  // namespace

const OperatorFamily& RecurrentFamily() {
  static constexpr OperatorFamily kFamily{Check, Schemes, Run};
  return kFamily;
}

}  // namespace qconform
