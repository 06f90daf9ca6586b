#include <limits>

#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// P([5], 2) is 1.375, -1.625, -0.75, 0.125, 1.0. Expected values are torch's.
Tensor FirstFive() { return Pattern({5}, 2); }

void ExpectFunction(const std::string& name, std::vector<Value> args,
                    const std::vector<float>& expected) {
  args.insert(args.begin(), FirstFive());
  ExpectTensor(CallByName("torch.nn.functional." + name, args), {5}, expected);
}

TEST(SoftActivations, MadeOfExponentials) {
  // F.softplus(x, 2.0, 2.0): 1.375 lies above the threshold.
  ExpectFunction("softplus", {2.0, 2.0},
                 {1.375f, 0.0190206859f, 0.100706637f, 0.412969708f, 1.06346405f});
  ExpectFunction("celu", {0.5}, {1.375f, -0.480612904f, -0.388434917f, 0.125f, 1.0f});
  ExpectFunction("selu", {},
                 {1.44471383f, -1.4119091f, -0.927632034f, 0.131337628f, 1.05070102f});
  ExpectFunction(
      "logsigmoid", {},
      {-0.225412652f, -1.8047446f, -1.13687098f, -0.632599056f, -0.313261688f});
  ExpectFunction(
      "tanhshrink", {},
      {0.495173275f, -0.699653804f, -0.114851058f, 0.000647000968f, 0.238405824f});
}

TEST(SoftActivations, ExactOnes) {
  ExpectFunction("softsign", {},
                 {0.578947365f, -0.619047642f, -0.428571433f, 0.111111112f, 0.5f});
  ExpectFunction("hardshrink", {}, {1.375f, -1.625f, -0.75f, 0.0f, 1.0f});
  ExpectFunction("softshrink", {}, {0.875f, -1.125f, -0.25f, 0.0f, 0.5f});
  ExpectFunction("threshold", {0.125, -2.0}, {1.375f, -2.0f, -2.0f, -2.0f, 1.0f});
}

// torch.nn.functional.glu(P([4], 2))
TEST(SoftActivations, Glu) {
  ExpectTensor(CallByName("torch.nn.functional.glu", {Pattern({4}, 2)}), {2},
               {0.441129297f, -0.863215208f});
}

// torch.nn.functional.normalize([[3, 4], [0, -2]], p, dim)
TEST(Normalize, DividesByTheNorm) {
  const Tensor x = Tensor::FromVector<float>(DType::kFloat32, {2, 2}, {3, 4, 0, -2});
  const std::string name = "torch.nn.functional.normalize";
  ExpectTensor(CallByName(name, {x}), {2, 2}, {0.6f, 0.8f, 0.0f, -1.0f});
  ExpectTensor(CallByName(name, {x, 1.0, 0}), {2, 2},
               {1.0f, 0.666666687f, 0.0f, -0.333333343f});
  ExpectTensor(CallByName(name, {x, std::numeric_limits<double>::infinity()}), {2, 2},
               {0.75f, 1.0f, 0.0f, -1.0f});
}

}  // namespace
}  // namespace qconform
