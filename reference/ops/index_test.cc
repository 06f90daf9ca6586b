#include "reference/ir/error.h"
#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

Value Item(const Value& container, const Value& index) {
  return CallByName("operator.getitem", {container, index});
}

Value All() { return ValueSlice{{Value(), Value(), Value()}}; }

// x[:, None, :, None], as CREPE's first node does.
TEST(GetItem, NoneAddsAxes) {
  const Value result =
      Item(Pattern({2, 2}, 1), Value::Tuple({All(), Value(), All(), Value()}));
  ExpectTensor(result, {2, 1, 2, 1}, {-0.25f, 0.625f, 1.5f, -1.5f});
}

// P([2, 4], 1)[-1, 3:0:-2]
TEST(GetItem, NegativeIndexAndStep) {
  const Tensor x = Pattern({2, 4}, 1);
  const float* data = x.data<float>();
  ExpectTensor(Item(x, Value::Tuple({-1, ValueSlice{{3, 0, -2}}})), {2},
               {data[7], data[5]});
}

// P([2, 2, 2], 1)[..., 1]
TEST(GetItem, EllipsisSkipsAxes) {
  const Tensor x = Pattern({2, 2, 2}, 1);
  const float* data = x.data<float>();
  ExpectTensor(Item(x, Value::Tuple({OpaqueValue{"Ellipsis"}, 1})), {2, 2},
               {data[1], data[3], data[5], data[7]});
}

TEST(GetItem, SliceBoundsAreClamped) {
  const Tensor x = Pattern({3}, 1);
  EXPECT_EQ(Item(x, ValueSlice{{1, 100}}).As<Tensor>()->shape(), Shape{2});
  EXPECT_EQ(Item(x, ValueSlice{{5, 2}}).As<Tensor>()->shape(), Shape{0});
  EXPECT_EQ(Item(x, ValueSlice{{-100, -2}}).As<Tensor>()->shape(), Shape{1});
}

TEST(GetItem, ListsTuplesAndDictionaries) {
  EXPECT_EQ(*Item(Value::Tuple({1, 2, 3}), -1).As<int64_t>(), 3);
  EXPECT_EQ(Item(Value::List({1, 2, 3}), ValueSlice{{1, Value()}})
                .As<ValueSequence>()
                ->items.size(),
            2u);
  EXPECT_EQ(*Item(ValueDictionary{{{"k", 7}}}, "k").As<int64_t>(), 7);
}

TEST(GetItem, OutsideIsAnError) {
  EXPECT_THROW(Item(Pattern({2}, 1), 2), InputError);
  EXPECT_THROW(Item(Value::Tuple({1}), -2), InputError);
  EXPECT_THROW(Item(Pattern({2}, 1), Value::Tuple({0, 0})), InputError);
  EXPECT_THROW(Item(ValueDictionary{}, "k"), InputError);
}

TEST(Attributes, ShapesAndSizes) {
  const Tensor x = Pattern({2, 3}, 1);
  const Value shape = CallByName("builtins.getattr", {x, "shape"});
  EXPECT_EQ(*Item(shape, 1).As<int64_t>(), 3);
  EXPECT_EQ(*CallByName("size", {x, -1}).As<int64_t>(), 3);
  EXPECT_EQ(CallByName("size", {x}).As<ValueSequence>()->items.size(), 2u);
  EXPECT_EQ(*CallByName("dim", {x}).As<int64_t>(), 2);
  EXPECT_THROW(CallByName("builtins.getattr", {x, "grad"}), InputError);
}

// Sizes are Python integers: -7 // 2 is -4, and true division gives a float.
TEST(Numbers, PythonArithmetic) {
  EXPECT_EQ(*CallByName("operator.floordiv", {-7, 2}).As<int64_t>(), -4);
  EXPECT_EQ(*CallByName("operator.mod", {-7, 2}).As<int64_t>(), 1);
  EXPECT_EQ(*CallByName("operator.truediv", {7, 2}).As<double>(), 3.5);
  EXPECT_EQ(*CallByName("operator.mul", {3, 4}).As<int64_t>(), 12);
  EXPECT_TRUE(*CallByName("operator.lt", {3, 4}).As<bool>());
}

TEST(Promotion, DtypesAsInTorch) {
  const Tensor bytes = Tensor::FromVector<uint8_t>(DType::kUInt8, {1}, {200});
  const Tensor signed_bytes = Tensor::FromVector<int8_t>(DType::kInt8, {1}, {100});
  const auto dtype = [](const Value& value) { return value.As<Tensor>()->dtype(); };
  EXPECT_EQ(dtype(CallByName("operator.add", {bytes, signed_bytes})), DType::kInt16);
  EXPECT_EQ(dtype(CallByName("operator.add", {bytes, 1000})), DType::kUInt8);
  EXPECT_EQ(dtype(CallByName("operator.add", {bytes, 0.5})), DType::kFloat32);
  EXPECT_EQ(dtype(CallByName("operator.add", {Pattern({1}, 1), 0.5})), DType::kFloat32);
  // 200 + 100 wraps in uint8.
  EXPECT_EQ(CallByName("operator.add", {bytes, 100}).As<Tensor>()->IntegerAt(0), 44);
}

}  // namespace
}  // namespace qconform
