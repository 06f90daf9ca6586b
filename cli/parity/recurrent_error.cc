#include "cli/parity/recurrent_error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "cli/parity/error_bound.h"
#include "cli/parity/inner_observers.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/ops/call.h"
#include "reference/ops/weight_quantization.h"

namespace qconform::parity {
namespace {

constexpr double kRounding = 0x1p-24;

struct Known {
  double value = 0;
  double error = 0;
};
using Row = std::vector<Known>;

Known operator+(const Known& a, const Known& b) {
  const double sum = a.value + b.value;
  return {sum, a.error + b.error + 4 * kRounding * std::fabs(sum)};
}

Known operator*(const Known& a, const Known& b) {
  const double product = a.value * b.value;
  return {product, std::fabs(a.value) * b.error + std::fabs(b.value) * a.error +
                       a.error * b.error + 4 * kRounding * std::fabs(product)};
}

// `slope` |f'| at the value, `curvature` the largest |f''|.
Known Apply(double value, double slope, double curvature, double error) {
  return {value, slope * error + curvature / 2 * error * error + 8 * kRounding};
}

Known Sigmoid(const Known& a) {
  const double s = 1 / (1 + std::exp(-a.value));
  constexpr double kCurvature = 0.0963;  // 1 / (6 sqrt 3)
  return Apply(s, s * (1 - s), kCurvature, a.error);
}

Known Tanh(const Known& a) {
  const double t = std::tanh(a.value);
  constexpr double kCurvature = 0.7699;  // 4 / (3 sqrt 3)
  return Apply(t, 1 - t * t, kCurvature, a.error);
}

Known Relu(const Known& a) { return {std::max(a.value, 0.0), a.error}; }

struct Weights {
  Tensor input;
  Tensor hidden;
  std::optional<Tensor> input_bias;
  std::optional<Tensor> hidden_bias;
};

Row Affine(const Tensor& weight, const std::optional<Tensor>& bias, const Row& x) {
  const int64_t columns = weight.dim(1);
  Row result(static_cast<size_t>(weight.dim(0)));
  for (int64_t row = 0; row < weight.dim(0); ++row) {
    Known& sum = result[static_cast<size_t>(row)];
    double size = 0;
    for (int64_t i = 0; i < columns; ++i) {
      const double w = weight.ValueAt(row * columns + i);
      const Known& item = x[static_cast<size_t>(i)];
      sum.value += w * item.value;
      sum.error += std::fabs(w) * item.error;
      size += std::fabs(w * item.value);
    }
    if (bias) {
      sum.value += bias->ValueAt(row);
      size += std::fabs(bias->ValueAt(row));
    }
    sum.error += 4 * Gamma(static_cast<double>(columns + 1)) * size;
  }
  return result;
}

struct State {
  Row hidden;
  Row cell;
};

enum class Kind { kLstm, kGru, kTanh, kRelu };

Kind KindOf(const Module& module) {
  if (module.type.find("LSTM") != std::string::npos) return Kind::kLstm;
  if (module.type.find("GRU") != std::string::npos) return Kind::kGru;
  const bool relu = module.Text("mode", "") == "RNN_RELU" ||
                    module.Text("nonlinearity", "tanh") == "relu";
  return relu ? Kind::kRelu : Kind::kTanh;
}

class Recurrence {
 public:
  explicit Recurrence(Kind kind) : kind_(kind) {}

  State Step(const Weights& weights, const Row& x, const State& before) {
    const Row from_input = Affine(weights.input, weights.input_bias, x);
    const Row from_hidden = Affine(weights.hidden, weights.hidden_bias, before.hidden);
    const size_t size = before.hidden.size();
    State after{Row(size), Row(size)};
    for (size_t i = 0; i < size; ++i) {
      const auto gate = [&](size_t index) {
        const size_t at = index * size + i;
        return Inside(from_input[at] + from_hidden[at]);
      };
      switch (kind_) {
        case Kind::kLstm: {
          const Known kept = Inside(Inside(Sigmoid(gate(1))) * before.cell[i]);
          const Known added = Inside(Inside(Sigmoid(gate(0))) * Inside(Tanh(gate(2))));
          after.cell[i] = Outside(kept + added);
          after.hidden[i] =
              Outside(Inside(Sigmoid(gate(3))) * Inside(Tanh(after.cell[i])));
          break;
        }
        case Kind::kGru: {
          const Known reset = Sigmoid(gate(0));
          const Known update = Sigmoid(gate(1));
          const size_t at = 2 * size + i;
          const Known candidate = Tanh(from_input[at] + reset * from_hidden[at]);
          const Known rest = Known{1, 0} + Known{-update.value, update.error};
          after.hidden[i] = Outside(rest * candidate + update * before.hidden[i]);
          break;
        }
        case Kind::kTanh:
          after.hidden[i] = Outside(Tanh(gate(0)));
          break;
        case Kind::kRelu:
          after.hidden[i] = Outside(Relu(gate(0)));
          break;
      }
    }
    return after;
  }

  const RecurrentErrors& errors() const { return errors_; }

 private:
  Known Inside(const Known& value) {
    errors_.inside = std::max(errors_.inside, value.error);
    return value;
  }
  Known Outside(const Known& value) {
    errors_.outputs = std::max(errors_.outputs, value.error);
    return Inside(value);
  }

  const Kind kind_;
  RecurrentErrors errors_;
};

Row RowOf(const Tensor& tensor, int64_t row, double error) {
  const int64_t columns = tensor.shape().back();
  Row result;
  for (int64_t i = 0; i < columns; ++i) {
    result.push_back({tensor.ValueAt(row * columns + i), error});
  }
  return result;
}

// A reference module computes with its quantized weight.
Tensor Weight(const Module& module, const std::string& name) {
  return QuantizedAndDequantizedWeight(module, name, Call(name, {}));
}

std::optional<Tensor> Bias(const Module& module, const std::string& name) {
  const Tensor* bias = module.FindTensor(name);
  return bias == nullptr ? std::nullopt : std::optional<Tensor>(*bias);
}

Weights WeightsOf(const Module& module, const std::string& suffix) {
  return {Weight(module, "weight_ih" + suffix), Weight(module, "weight_hh" + suffix),
          Bias(module, "bias_ih" + suffix), Bias(module, "bias_hh" + suffix)};
}

// The weights of an observed linear part, or of its four gates one below the other.
void TakePart(const Module& part, const std::string& kind, const std::string& suffix,
              Module& weights) {
  std::vector<const Module*> gates = {&part};
  if (part.type == "torch.nn.ModuleDict") {
    gates.clear();
    for (const char* name : {"input", "forget", "cell", "output"}) {
      gates.push_back(part.children.Find(name)->get());
    }
  }
  for (const char* name : {"weight", "bias"}) {
    std::vector<float> values;
    for (const Module* gate : gates) {
      const Tensor* tensor = gate->FindTensor(name);
      for (int64_t i = 0; tensor != nullptr && i < tensor->numel(); ++i) {
        values.push_back(static_cast<float>(tensor->ValueAt(i)));
      }
    }
    if (values.empty()) continue;
    const auto count = static_cast<int64_t>(values.size());
    const Tensor* first = gates.front()->FindTensor(name);
    const Shape shape =
        first->rank() == 2 ? Shape{count / first->dim(1), first->dim(1)} : Shape{count};
    weights.parameters.Set(name + ("_" + kind) + suffix,
                           Tensor::FromVector<float>(DType::kFloat32, shape, values));
  }
}

// A quantizable LSTM under the names of an LSTM's weights.
Module AsLstm(const Module& lstm) {
  Module weights;
  weights.type = "torch.nn.LSTM";
  weights.attributes = lstm.attributes;
  for (const auto& [number, layer] : (*lstm.children.Find("layers"))->children) {
    for (const char* direction : {"layer_fw", "layer_bw"}) {
      const auto* part = layer->children.Find(direction);
      if (part == nullptr || !*part) continue;
      const Module& cell = **(*part)->children.Find("cell");
      const std::string suffix =
          "_l" + number + (std::string(direction) == "layer_bw" ? "_reverse" : "");
      TakePart(**cell.children.Find("igates"), "ih", suffix, weights);
      TakePart(**cell.children.Find("hgates"), "hh", suffix, weights);
    }
  }
  return weights;
}

// Row `row` of the given state number `index`, or zeros.
Row Initial(const std::vector<Tensor>& states, size_t index, int64_t row, int64_t size,
            double error) {
  if (index >= states.size()) return Row(static_cast<size_t>(size));
  return RowOf(states[index], row, error);
}

RecurrentErrors ErrorsOf(const Module& module, const Tensor& x, double x_error,
                         const std::vector<Tensor>& states, double state_error) {
  Recurrence recurrence(KindOf(module));
  if (module.type.ends_with("Cell")) {
    const Weights weights = WeightsOf(module, "");
    const int64_t size = weights.hidden.dim(1);
    const int64_t rows = x.rank() == 2 ? x.dim(0) : 1;
    for (int64_t row = 0; row < rows; ++row) {
      recurrence.Step(weights, RowOf(x, row, x_error),
                      {Initial(states, 0, row, size, state_error),
                       Initial(states, 1, row, size, state_error)});
    }
    return recurrence.errors();
  }
  const bool batch_first = x.rank() == 3 && module.Boolean("batch_first", false);
  const int64_t batch = x.rank() == 2 ? 1 : x.dim(batch_first ? 0 : 1);
  const int64_t steps = x.dim(batch_first ? 1 : 0);
  const int64_t directions = module.Boolean("bidirectional", false) ? 2 : 1;
  for (int64_t sample = 0; sample < batch; ++sample) {
    std::vector<Row> sequence;
    for (int64_t step = 0; step < steps; ++step) {
      sequence.push_back(
          RowOf(x, batch_first ? sample * steps + step : step * batch + sample, x_error));
    }
    for (int64_t layer = 0; layer < module.Integer("num_layers", 1); ++layer) {
      std::vector<Row> joined(sequence.size());
      for (int64_t direction = 0; direction < directions; ++direction) {
        const Weights weights = WeightsOf(
            module, "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : ""));
        const int64_t size = weights.hidden.dim(1);
        const int64_t row = (layer * directions + direction) * batch + sample;
        State state{Initial(states, 0, row, size, state_error),
                    Initial(states, 1, row, size, state_error)};
        for (size_t i = 0; i < sequence.size(); ++i) {
          const size_t step = direction == 1 ? sequence.size() - 1 - i : i;
          state = recurrence.Step(weights, sequence[step], state);
          joined[step].insert(joined[step].end(), state.hidden.begin(),
                              state.hidden.end());
        }
      }
      sequence = std::move(joined);
    }
  }
  return recurrence.errors();
}

}  // namespace

RecurrentErrors RecurrentError(const Module& module, const Tensor& x, double x_error,
                               const std::vector<Tensor>& states, double state_error) {
  if (!IsQuantizableLstm(module.type)) {
    return ErrorsOf(module, x, x_error, states, state_error);
  }
  RecurrentErrors errors = ErrorsOf(AsLstm(module), x, x_error, states, state_error);
  ForEachInnerObserver(module, [&](const Module& part) {
    const auto* fake_quantize =
        dynamic_cast<const FakeQuantizeObserver*>(part.state.get());
    if (fake_quantize == nullptr) return;
    const double step = fake_quantize->scale().ValueAt(0);
    errors.inside += step;
    errors.outputs += step;
  });
  return errors;
}

}  // namespace qconform::parity
