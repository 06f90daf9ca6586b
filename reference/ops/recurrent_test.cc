// Expected numbers: torch 2.14.1 in float64, parameters in the order of
// named_parameters() set to P(shape, 1), P(shape, 2), ... (halved for whole layers).
#include "reference/ir/error.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// Ours round to float32 after every operation, torch's float64 run does not: some 16
// roundings of 2^-24 on the way to values of about 1.
constexpr double kTolerance = 16.0 / (1 << 24);

void ExpectNear(const Value& value, const Shape& shape,
                const std::vector<double>& expected) {
  const Tensor* tensor = value.As<Tensor>();
  ASSERT_NE(tensor, nullptr);
  ASSERT_EQ(tensor->shape(), shape);
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(tensor->ValueAt(static_cast<int64_t>(i)), expected[i], kTolerance);
  }
}

Tensor Halved(Tensor tensor) {
  for (int64_t i = 0; i < tensor.numel(); ++i) tensor.data<float>()[i] /= 2.0f;
  return tensor;
}

Module Cell(const std::string& type, int64_t rows) {
  Module module;
  module.type = type;
  module.parameters.Set("weight_ih", Pattern({rows, 3}, 1));
  module.parameters.Set("weight_hh", Pattern({rows, 2}, 2));
  module.parameters.Set("bias_ih", Pattern({rows}, 3));
  module.parameters.Set("bias_hh", Pattern({rows}, 4));
  return module;
}

Value Forward(Module& module, std::vector<Value> args) {
  return CallModule(module, Call("test", std::move(args)), Registry::BuiltIn());
}

const Value& Part(const Value& tuple, size_t index) {
  return tuple.As<ValueSequence>()->items.at(index);
}

TEST(Recurrent, LstmCell) {
  Module module = Cell("torch.nn.LSTMCell", 8);
  const Value state = Forward(module, {Pattern({2, 3}, 5)});
  ExpectNear(Part(state, 0), {2, 2},
             {0.0243869011, 0.322476948, -0.0733396607, 0.296859998});
  ExpectNear(Part(state, 1), {2, 2},
             {0.103476528, 0.987786999, -0.0741613942, 0.498328582});
}

TEST(Recurrent, GruCellWithState) {
  Module module = Cell("torch.nn.GRUCell", 6);
  ExpectNear(Forward(module, {Pattern({2, 3}, 5), Pattern({2, 2}, 6)}), {2, 2},
             {0.333743274, 0.999796158, 1.87412362, -0.643152301});
}

TEST(Recurrent, LstmTwoLayersBothDirectionsBatchFirst) {
  Module module;
  module.type = "torch.nn.LSTM";
  module.attributes.Set("num_layers", 2);
  module.attributes.Set("bidirectional", true);
  module.attributes.Set("batch_first", true);
  int64_t seed = 0;
  for (const char* suffix : {"_l0", "_l0_reverse", "_l1", "_l1_reverse"}) {
    const int64_t in = suffix[2] == '0' ? 2 : 4;
    const auto set = [&](const char* name, Shape shape) {
      module.parameters.Set(std::string(name) + suffix,
                            Halved(Pattern(std::move(shape), ++seed)));
    };
    set("weight_ih", {8, in});
    set("weight_hh", {8, 2});
    set("bias_ih", {8});
    set("bias_hh", {8});
  }
  const Value result = Forward(module, {Pattern({1, 3, 2}, 5)});
  ExpectNear(Part(result, 0), {1, 3, 4},
             {0.029211972, -0.0310015661, -0.141827586, 0.713437613, 0.0750216061,
              0.0268112278, -0.0838577285, 0.493233989, 0.0351548901, -0.0205882642,
              0.0605211738, 0.480998868});
  ExpectNear(Part(Part(result, 1), 0), {4, 1, 2},
             {-0.0329546762, 0.00707007068, 0.660725848, -0.0330422732, 0.0351548901,
              -0.0205882642, -0.141827586, 0.713437613});
  ExpectNear(Part(Part(result, 1), 1), {4, 1, 2},
             {-0.0581189465, 0.013519653, 0.934093801, -0.121657862, 0.167437216,
              -0.0497171482, -0.322089163, 1.5144672});
}

TEST(Recurrent, Gru) {
  Module module;
  module.type = "torch.nn.GRU";
  module.parameters.Set("weight_ih_l0", Halved(Pattern({6, 2}, 1)));
  module.parameters.Set("weight_hh_l0", Halved(Pattern({6, 2}, 2)));
  module.parameters.Set("bias_ih_l0", Halved(Pattern({6}, 3)));
  module.parameters.Set("bias_hh_l0", Halved(Pattern({6}, 4)));
  const Value result = Forward(module, {Pattern({3, 1, 2}, 5)});
  ExpectNear(Part(result, 0), {3, 1, 2},
             {-0.0706295566, -0.109139987, -0.271469381, -0.155282813, -0.219718724,
              -0.322317245});
  ExpectNear(Part(result, 1), {1, 1, 2}, {-0.219718724, -0.322317245});
}

TEST(Recurrent, WeightsThatDoNotFitAreErrors) {
  Module module = Cell("torch.nn.LSTMCell", 6);
  EXPECT_THROW(Forward(module, {Pattern({2, 3}, 5)}), InputError);
}

}  // namespace
}  // namespace qconform
