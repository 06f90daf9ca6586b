// LSTM, GRU and DYNAMIC_QUANTIZE. Errors of a step are carried into the next (running
// error): its products, gates and, where a state is quantized at run time, the codes that
// may round to either side.
#include <algorithm>
#include <memory>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/error_bound/bounded_activation.h"
#include "reference/numerics/error_bound/bounded_dynamic.h"

namespace qconform {
namespace {

constexpr size_t kFirstWeight = 3;
constexpr size_t kOperands = 4;  // of a layer and direction

// Of a layer and direction.
struct LayerWeights {
  const qc_tensor* input_weight;
  const qc_tensor* hidden_weight;
  BoundedValues input;
  BoundedValues hidden;
  BoundedValues input_bias;
  BoundedValues hidden_bias;
};

class RecurrentBound {
 public:
  RecurrentBound(const ScalarCall& call, DynamicSums sums)
      : call_(call), sums_(sums), lstm_(call.kind == QC_LSTM) {
    const qc_attributes& a = call.attributes;
    batch_first_ = a.batch_first != 0;
    steps_ = call.x().shape[batch_first_ ? 1 : 0];
    batch_ = call.x().shape[batch_first_ ? 0 : 1];
    hidden_size_ = a.hidden_size;
    layers_ = std::max<int64_t>(a.layers, 1);
    directions_ = a.bidirectional != 0 ? 2 : 1;
    gates_ = (lstm_ ? 4 : 3) * hidden_size_;
  }

  std::vector<BoundedValues> Run() {
    int64_t features = call_.x().shape[2];
    BoundedValues x = StepFirst(ReadBounded(call_.x()), features, batch_first_);
    hidden_ = ReadBounded(*call_.inputs[1]);
    if (lstm_) cell_ = ReadBounded(*call_.inputs[2]);
    const int64_t width = directions_ * hidden_size_;
    for (int64_t layer = 0; layer < layers_; ++layer) {
      BoundedValues y(static_cast<size_t>(steps_ * batch_ * width));
      for (int64_t direction = 0; direction < directions_; ++direction)
        RunLayer(layer * directions_ + direction, direction, x, features, y);
      x = std::move(y);
      features = width;
    }
    if (batch_first_) x = Swapped(x, steps_, batch_, width);
    std::vector<BoundedValues> outputs = {std::move(x), hidden_};
    if (lstm_) outputs.push_back(cell_);
    return outputs;
  }

 private:
  static BoundedValues Swapped(const BoundedValues& x, int64_t a, int64_t b, int64_t n) {
    BoundedValues swapped(x.size());
    for (int64_t i = 0; i < a; ++i)
      for (int64_t j = 0; j < b; ++j)
        std::copy_n(x.data() + (i * b + j) * n, n, swapped.data() + (j * a + i) * n);
    return swapped;
  }

  BoundedValues StepFirst(BoundedValues x, int64_t features, bool batch_first) const {
    return batch_first ? Swapped(x, batch_, steps_, features) : std::move(x);
  }

  LayerWeights WeightsOf(int64_t index) const {
    const size_t first = kFirstWeight + static_cast<size_t>(index) * kOperands;
    const auto read = [&](size_t i) {
      return call_.input(i) == nullptr ? BoundedValues{} : ReadBounded(*call_.input(i));
    };
    return {call_.input(first), call_.input(first + 1), read(first),
            read(first + 1),    read(first + 2),        read(first + 3)};
  }

  BoundedValues Product(std::span<const Bounded> x, const qc_tensor& weight,
                        const BoundedValues& w, const BoundedValues& bias,
                        int64_t depth) const {
    if (call_.attributes.dynamic == 0) return BoundedLinear(x, w, bias, depth, sums_);
    const BoundedDynamic codes =
        QuantizeBounded(x, {0, 255}, call_.attributes.reduce_range != 0);
    std::vector<double> units;
    if (sums_ == DynamicSums::kIntegersRoundedBias)
      units = ProductScales(codes.scale.value, weight);
    return BoundedLinear(codes.real, w, bias, depth, sums_, units);
  }

  void RunLayer(int64_t index, int64_t direction, const BoundedValues& x,
                int64_t features, BoundedValues& y) {
    const LayerWeights weights = WeightsOf(index);
    BoundedValues from_input =
        Product(x, *weights.input_weight, weights.input, weights.input_bias, features);
    // Without features there is a bias at most.
    if (features == 0) {
      for (int64_t i = 0; i < steps_ * batch_ * gates_; ++i)
        from_input.push_back(weights.input_bias.empty()
                                 ? Exact(0)
                                 : weights.input_bias[static_cast<size_t>(i % gates_)]);
    }
    const int64_t state = batch_ * hidden_size_;
    Bounded* h = hidden_.data() + index * state;
    Bounded* c = lstm_ ? cell_.data() + index * state : nullptr;
    for (int64_t i = 0; i < steps_; ++i) {
      const int64_t step = direction == 1 ? steps_ - 1 - i : i;
      const BoundedValues from_hidden = Product(
          std::span<const Bounded>(h, static_cast<size_t>(state)), *weights.hidden_weight,
          weights.hidden, weights.hidden_bias, hidden_size_);
      for (int64_t b = 0; b < batch_; ++b) {
        const Bounded* in = from_input.data() + (step * batch_ + b) * gates_;
        const Bounded* rec = from_hidden.data() + b * gates_;
        for (int64_t unit = 0; unit < hidden_size_; ++unit) {
          const int64_t at = b * hidden_size_ + unit;
          lstm_ ? FinishLstm(in + unit, rec + unit, h[at], c[at])
                : FinishGru(in + unit, rec + unit, h[at]);
          y[static_cast<size_t>(
              ((step * batch_ + b) * directions_ + direction) * hidden_size_ + unit)] =
              h[at];
        }
      }
    }
  }

  // Gates i, f, g, o.
  void FinishLstm(const Bounded* in, const Bounded* rec, Bounded& h, Bounded& c) const {
    const auto sum = [&](int64_t gate) {
      return Add(in[gate * hidden_size_], rec[gate * hidden_size_]);
    };
    c = Add(Multiply(BoundedSigmoid(sum(1)), c),
            Multiply(BoundedSigmoid(sum(0)), BoundedTanh(sum(2))));
    h = Multiply(BoundedSigmoid(sum(3)), BoundedTanh(c));
  }

  // Gates r, z, n; the state is a mean of the one before and the candidate, and depends
  // on their errors no more than they do.
  void FinishGru(const Bounded* in, const Bounded* rec, Bounded& h) const {
    const auto sum = [&](int64_t gate) {
      return Add(in[gate * hidden_size_], rec[gate * hidden_size_]);
    };
    const Bounded reset = BoundedSigmoid(sum(0));
    const Bounded update = BoundedSigmoid(sum(1));
    const Bounded candidate =
        BoundedTanh(Add(in[2 * hidden_size_], Multiply(reset, rec[2 * hidden_size_])));
    const double value = (h.value - candidate.value) * update.value + candidate.value;
    const double error =
        std::max(h.error, candidate.error) +
        update.error * (std::abs(h.value - candidate.value) + h.error + candidate.error);
    // The difference, its product, the sum; or two products and 1 - z.
    h = {value, error + Gamma(4) * (h.magnitude() + candidate.magnitude())};
  }

  const ScalarCall call_;
  const DynamicSums sums_;
  const bool lstm_;
  bool batch_first_ = false;
  int64_t steps_ = 0;
  int64_t batch_ = 0;
  int64_t hidden_size_ = 0;
  int64_t layers_ = 0;
  int64_t directions_ = 0;
  int64_t gates_ = 0;
  BoundedValues hidden_;
  BoundedValues cell_;
};

}  // namespace

std::vector<ArithmeticBound> RecurrentBounds(const ScalarCall& call) {
  const bool dynamic = call.attributes.dynamic != 0;
  const int64_t hidden = call.attributes.hidden_size;
  const double gates = 4 * static_cast<double>(hidden);
  if (static_cast<double>(ElementCount(call.y())) * gates *
          static_cast<double>(call.x().shape[2] + hidden) >
      static_cast<double>(kMostProducts)) {
    return {};
  }
  struct Named {
    DynamicSums sums;
    const char* name;
    const char* formula;
  };
  static constexpr Named kNamed[] = {
      {DynamicSums::kIntegers, "int32 sums", "gamma_3 |y|"},
      {DynamicSums::kIntegersRoundedBias, "int32 sums with the bias",
       "gamma_3 |y| + sx sw / 2"},
      {DynamicSums::kFloats, "float32 sums", "gamma_n sum |w| |x|"}};
  std::vector<ArithmeticBound> bounds;
  for (const Named& named : kNamed) {
    if (!dynamic && named.sums != DynamicSums::kFloats) continue;
    bounds.push_back(
        {std::string(dynamic ? "codes at run time, " : "") + named.name,
         std::string("e by running error over the steps: products ") + named.formula +
             (dynamic ? " and a step of x or h where it may round to either code" : "") +
             ", sigmoid and tanh gamma_25 + 10 u, gates u an operation",
         "n = " + std::to_string(call.x().shape[2]) + " and " + std::to_string(hidden) +
             ", " + std::to_string(call.x().shape[call.attributes.batch_first ? 1 : 0]) +
             " steps",
         [call, sums = named.sums] { return RecurrentBound(call, sums).Run(); }});
  }
  return bounds;
}

std::vector<ArithmeticBound> DynamicQuantizeBounds(const ScalarCall& call) {
  return {{"float32 range",
           "e = gamma_4 s of the scale; of codes gamma_6 |x / s|, and of "
           "all of them 1 where the zero point may round to either side",
           "n = " + std::to_string(ElementCount(call.x())), [call] {
             const BoundedDynamic dynamic =
                 QuantizeBounded(ReadBounded(call.x()), BoundsOf(call.y()),
                                 call.attributes.reduce_range != 0);
             return std::vector<BoundedValues>{
                 dynamic.codes, {dynamic.scale}, {dynamic.zero_point}};
           }}};
}

}  // namespace qconform
