// The bounds of single operators hold for inputs anywhere inside theirs.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/parity/error_bound.h"
#include "reference/ops/registry.h"

namespace qconform::parity {
namespace {

const std::vector<float> kValues = {0.5F, 1.25F, -0.75F, 2, 0.125F, 1.5F, 3, -1};
constexpr float kError = 1e-3F;

struct Evaluated {
  Tensor value;
  Value error;
};

// The operator on x, shifted element by element by `direction` times kError, known up to
// kError; `flips` shifts every other element the other way.
Evaluated Evaluate(const std::string& target, const std::vector<Argument>& more,
                   double direction, bool flips, std::set<std::string>* unbounded) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  std::vector<Argument> args = {x};
  args.insert(args.end(), more.begin(), more.end());
  Node* y = module.graph.Append(Op::kCallFunction, target, args);
  std::vector<float> shifted = kValues;
  for (size_t i = 0; i < shifted.size(); ++i) {
    const double sign = flips && i % 2 == 1 ? -direction : direction;
    shifted[i] += static_cast<float>(sign) * kError;
  }
  BoundedValues values(module, Registry::BuiltIn());
  if (unbounded != nullptr) {
    values.set_unbounded_sink([&](const std::string& name) { unbounded->insert(name); });
  }
  values.Set(*x, Tensor::FromVector(DType::kFloat32, {2, 4}, shifted),
             Tensor::FromVector(DType::kFloat32, {2, 4}, std::vector<float>(8, kError)));
  values.Evaluate(*y);
  return {*values.ValueOf(*y).As<Tensor>(), values.ErrorOf(*y)};
}

struct OperatorCase {
  std::string target;
  std::vector<Argument> more;
};

class OperationErrorTest : public testing::TestWithParam<OperatorCase> {};

TEST_P(OperationErrorTest, HoldsAndIsNoWiderThanNeeded) {
  const auto& [target, more] = GetParam();
  const Evaluated middle = Evaluate(target, more, 0, false, nullptr);
  ASSERT_NE(middle.error.As<Tensor>(), nullptr);
  for (const double direction : {-0.9, 0.9}) {
    for (const bool flips : {false, true}) {
      const Tensor moved = Evaluate(target, more, direction, flips, nullptr).value;
      for (int64_t i = 0; i < moved.numel(); ++i) {
        const double bound = middle.error.As<Tensor>()->ValueAt(i);
        EXPECT_LE(std::fabs(moved.ValueAt(i) - middle.value.ValueAt(i)), bound) << i;
        EXPECT_LE(bound, 25 * kError) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operators, OperationErrorTest,
    testing::Values(OperatorCase{"torch.amax", {int64_t{1}}},
                    OperatorCase{"torch.amin", {int64_t{1}}},
                    OperatorCase{"torch.nn.functional.glu", {int64_t{1}}},
                    OperatorCase{"torch.nn.functional.glu", {int64_t{0}}},
                    OperatorCase{"torch.sin", {}}, OperatorCase{"torch.abs", {}},
                    OperatorCase{"torch.exp", {}},
                    OperatorCase{"torch.pow", {int64_t{2}}},
                    OperatorCase{"torch.roll", {int64_t{1}, int64_t{1}}},
                    OperatorCase{"torch.flip", {Sequence{{int64_t{1}}, false}}},
                    OperatorCase{"torch.nn.functional.softplus", {}},
                    OperatorCase{"torch.nn.functional.mish", {}},
                    OperatorCase{
                        "torch.nn.functional.pad",
                        {Sequence{{int64_t{1}, int64_t{1}}, false}, "constant", 3.0}}),
    [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST(OperationError, OfTwoTensorsTheLargerErrorRemains) {
  for (const char* target : {"torch.maximum", "torch.minimum"}) {
    GraphModule module;
    Node* a = module.graph.Append(Op::kPlaceholder, "a");
    Node* b = module.graph.Append(Op::kPlaceholder, "b");
    Node* y = module.graph.Append(Op::kCallFunction, target, {a, b});
    const auto tensor = [](float first, float second) {
      return Tensor::FromVector(DType::kFloat32, {2}, std::vector<float>{first, second});
    };
    BoundedValues values(module, Registry::BuiltIn());
    values.Set(*a, tensor(1, 2), tensor(0.5F, 0.25F));
    values.Set(*b, tensor(2, 1), tensor(0.25F, 0.75F));
    values.Evaluate(*y);
    const Tensor* error = values.ErrorOf(*y).As<Tensor>();
    ASSERT_NE(error, nullptr) << target;
    EXPECT_EQ(error->ValueAt(0), 0.5) << target;
    EXPECT_EQ(error->ValueAt(1), 0.75) << target;
  }
}

TEST(OperationError, AnOperatorWithoutARuleBoundsNothingAndIsNamed) {
  std::set<std::string> unbounded;
  const Evaluated result = Evaluate("torch.remainder", {2.0}, 0, false, &unbounded);
  EXPECT_TRUE(IsUnbounded(result.error));
  EXPECT_EQ(unbounded, std::set<std::string>{"remainder"});
}

}  // namespace
}  // namespace qconform::parity
