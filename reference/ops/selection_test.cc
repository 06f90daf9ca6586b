#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

Tensor Floats(Shape shape, const std::vector<float>& values) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), values);
}

// x = torch.tensor([[1., 3., 3.], [2., -4., 0.]])
Tensor X() { return Floats({2, 3}, {1, 3, 3, 2, -4, 0}); }

// x.max(), x.max(1), x.min(0, True), torch.max(x, -x)
TEST(Selection, ExtremesNameTheirPlaces) {
  ExpectTensor(CallByName("max", {X()}), {}, {3});
  const Value pair = CallByName("max", {X(), 1});
  const ValueSequence* items = pair.As<ValueSequence>();
  ASSERT_NE(items, nullptr);
  ExpectTensor(items->items.at(0), {2}, {3, 2});
  ExpectTensor(items->items.at(1), {2}, {1, 0});
  const Value kept = CallByName("torch.min", {X(), 0, true});
  ExpectTensor(kept.As<ValueSequence>()->items.at(0), {1, 3}, {1, -4, 0});
  ExpectTensor(CallByName("torch.max", {X(), Floats({2, 3}, {-1, -3, -3, -2, 4, 0})}),
               {2, 3}, {1, 3, 3, 2, 4, 0});
  ExpectTensor(CallByName("argmax", {X(), -1}), {2}, {1, 0});
  ExpectTensor(CallByName("torch.argmin", {X()}), {}, {4});
}

// torch.flip(x, [1]), torch.roll(x, 1), torch.roll(x, -1, 1), x.select(1, -1),
// torch.index_select(x, 1, torch.tensor([2, 0]))
TEST(Selection, OtherOrders) {
  ExpectTensor(CallByName("torch.flip", {X(), List({1})}), {2, 3}, {3, 3, 1, 0, -4, 2});
  ExpectTensor(CallByName("torch.roll", {X(), 1}), {2, 3}, {0, 1, 3, 3, 2, -4});
  ExpectTensor(CallByName("torch.roll", {X(), -1, 1}), {2, 3}, {3, 3, 1, -4, 0, 2});
  ExpectTensor(CallByName("select", {X(), 1, -1}), {2}, {3, 0});
  const Tensor index = Tensor::FromVector<int64_t>(DType::kInt64, {2}, {2, 0});
  ExpectTensor(CallByName("torch.index_select", {X(), 1, index}), {2, 2}, {3, 1, 0, 2});
  ExpectTensor(CallByName("torch.ones_like", {X()}), {2, 3}, {1, 1, 1, 1, 1, 1});
}

}  // namespace
}  // namespace qconform
