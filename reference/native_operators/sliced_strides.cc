#include "reference/native_operators/sliced_strides.h"

namespace qconform {
namespace {

// Where each element lies in torch's memory.
Tensor Offsets(const Placement& placement) {
  Tensor offsets(DType::kInt64, placement.shape);
  const Strides row_major = RowMajorStrides(placement.shape);
  for (int64_t i = 0; i < offsets.numel(); ++i) {
    int64_t rest = i;
    int64_t& offset = offsets.data<int64_t>()[i];
    for (size_t axis = 0; axis < row_major.size(); ++axis) {
      offset += rest / row_major[axis] * placement.strides[axis];
      rest %= row_major[axis];
    }
  }
  return offsets;
}

// The steps between neighbours; an axis of one element keeps the stride that it had.
Strides StridesOf(const Tensor& offsets, const Placement& from) {
  const Strides row_major = RowMajorStrides(offsets.shape());
  Strides strides = row_major;
  for (size_t axis = strides.size(); axis-- > 0;) {
    const int64_t size = offsets.shape()[axis];
    if (size > 1 && offsets.numel() > 0) {
      const int64_t* at = offsets.data<int64_t>();
      strides[axis] = at[row_major[axis]] - at[0];
    } else if (strides.size() == from.strides.size()) {
      strides[axis] = from.strides[axis];
    } else if (axis + 1 < strides.size()) {
      strides[axis] = strides[axis + 1] * offsets.shape()[axis + 1];
    }
  }
  return strides;
}

void Set(const Value& offsets, const Placement& from, const Tensor& input,
         MemoryFormats& formats, Value& result) {
  if (Tensor* tensor = result.As<Tensor>()) {
    const Tensor* moved = offsets.As<Tensor>();
    if (moved == nullptr || moved->shape() != tensor->shape()) return;
    formats.Set(*tensor, StridesOf(*moved, from), input);
    return;
  }
  ValueSequence* sequence = result.As<ValueSequence>();
  const ValueSequence* moved = offsets.As<ValueSequence>();
  if (sequence == nullptr || moved == nullptr) return;
  for (size_t i = 0; i < sequence->items.size(); ++i) {
    Set(moved->items.at(i), from, input, formats, sequence->items[i]);
  }
}

}  // namespace

void SetSlicedStrides(const FunctionDefinition& view, const Call& call,
                      MemoryFormats& formats, Value& result) {
  const Tensor* input = call.args().empty() ? nullptr : call.args()[0].As<Tensor>();
  if (input == nullptr) return;
  const Placement from = formats.Of(*input);
  std::vector<Value> args = call.args();
  args[0] = Offsets(from);
  Set(view(Call(call.where(), std::move(args), call.kwargs())), from, *input, formats,
      result);
}

}  // namespace qconform
