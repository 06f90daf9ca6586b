// operator.getitem on tensors, lists, tuples and dictionaries; builtins.getattr, size
// and the like.
#include <algorithm>

#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/gather.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

// Python's slice over a length: the indices it picks.
std::vector<int64_t> SliceIndices(const ValueSlice& slice, int64_t length,
                                  const Call& call) {
  const auto bound = [&](size_t i) -> std::optional<int64_t> {
    if (i >= slice.bounds.size() || slice.bounds[i].IsNone()) return std::nullopt;
    return Call(call.where(), {slice.bounds[i]}).Integer(0, "slice bound");
  };
  const int64_t step = bound(2).value_or(1);
  if (step == 0) call.Fail("slice step 0");
  const auto clamp = [&](std::optional<int64_t> given, int64_t fallback) {
    if (!given) return fallback;
    const int64_t index = *given < 0 ? *given + length : *given;
    return std::clamp<int64_t>(index, step < 0 ? -1 : 0, step < 0 ? length - 1 : length);
  };
  const int64_t start = clamp(bound(0), step < 0 ? length - 1 : 0);
  const int64_t stop = clamp(bound(1), step < 0 ? -1 : length);
  std::vector<int64_t> indices;
  for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) indices.push_back(i);
  return indices;
}

int64_t PythonIndex(int64_t index, int64_t length, const Call& call) {
  if (index < -length || index >= length) {
    call.Fail("index " + std::to_string(index) + " of " + std::to_string(length) +
              " elements");
  }
  return index < 0 ? index + length : index;
}

bool IsEllipsis(const Value& value) {
  const OpaqueValue* opaque = value.As<OpaqueValue>();
  return opaque != nullptr && (opaque->text == "Ellipsis" || opaque->text == "..." ||
                               opaque->text == "builtins.Ellipsis");
}

Value IndexTensor(const Tensor& input, const Value& index, const Call& call) {
  std::vector<Value> parts = {index};
  if (const ValueSequence* sequence = index.As<ValueSequence>()) {
    if (!sequence->is_tuple) call.Fail("a list as an index is not supported");
    parts = sequence->items;
  }
  int64_t used = 0;
  for (const Value& part : parts) used += part.IsNone() || IsEllipsis(part) ? 0 : 1;
  if (used > input.rank()) call.Fail("more indices than axes");
  AxisSources sources = IdentitySources(input.shape());
  Shape shape;
  size_t axis = 0;
  bool identity = true;
  for (const Value& part : parts) {
    if (part.IsNone()) {
      shape.push_back(1);
    } else if (IsEllipsis(part)) {
      for (int64_t skip = input.rank() - used; skip > 0; --skip) {
        shape.push_back(input.shape()[axis++]);
      }
    } else if (const ValueSlice* slice = part.As<ValueSlice>()) {
      std::vector<int64_t> indices = SliceIndices(*slice, input.shape()[axis], call);
      identity = identity && indices == sources[axis];
      sources[axis] = std::move(indices);
      shape.push_back(static_cast<int64_t>(sources[axis].size()));
      ++axis;
    } else if (part.As<bool>() != nullptr) {
      call.Fail("a bool as an index is not supported");
    } else if (part.As<int64_t>() != nullptr || part.As<Tensor>() != nullptr) {
      const Tensor* picks = part.As<Tensor>();
      if (picks != nullptr && picks->rank() > 0) {
        call.Fail("a tensor as an index is not supported");
      }
      const int64_t position = Call(call.where(), {part}).Integer(0, "index");
      sources[axis] = {PythonIndex(position, input.shape()[axis], call)};
      identity = identity && input.shape()[axis] == 1;
      ++axis;
    } else {
      call.Fail("index is " + ValueText(part), "an integer, slice, None or Ellipsis");
    }
  }
  shape.insert(shape.end(), input.shape().begin() + static_cast<int64_t>(axis),
               input.shape().end());
  return (identity ? input : GatherAxes(input, sources)).Reshaped(std::move(shape));
}

Value GetItem(const Call& call) {
  const Value& container = call.Get(0, "a");
  const Value& index = call.Get(1, "b");
  if (const Tensor* tensor = container.As<Tensor>()) {
    return IndexTensor(*tensor, index, call);
  }
  if (const ValueSequence* sequence = container.As<ValueSequence>()) {
    const int64_t length = static_cast<int64_t>(sequence->items.size());
    if (const ValueSlice* slice = index.As<ValueSlice>()) {
      ValueSequence picked{{}, sequence->is_tuple};
      for (int64_t i : SliceIndices(*slice, length, call)) {
        picked.items.push_back(sequence->items[static_cast<size_t>(i)]);
      }
      return picked;
    }
    const int64_t i = PythonIndex(call.Integer(1, "b"), length, call);
    return sequence->items[static_cast<size_t>(i)];
  }
  if (const ValueDictionary* dictionary = container.As<ValueDictionary>()) {
    const std::string key = call.Text(1, "b", "");
    for (const auto& [name, value] : dictionary->items) {
      if (name == key) return value;
    }
    call.Fail("no key '" + key + "'");
  }
  call.Fail("cannot index " + ValueText(container), "a tensor, list, tuple or dict");
}

Value ShapeOf(const Tensor& tensor) {
  std::vector<Value> sizes(tensor.shape().begin(), tensor.shape().end());
  return Value::Tuple(std::move(sizes));
}

Value GetAttribute(const Call& call) {
  const Tensor& tensor = call.TensorAt(0, "object");
  const std::string name = call.Text(1, "name", "");
  if (name == "shape") return ShapeOf(tensor);
  if (name == "ndim") return tensor.rank();
  if (name == "dtype") return tensor.dtype();
  if (name == "device") return OpaqueValue{"cpu"};
  if (name == "T") {
    std::vector<int> order;
    for (int axis = tensor.rank() - 1; axis >= 0; --axis) order.push_back(axis);
    return Permute(tensor, order);
  }
  call.Fail("attribute '" + name + "'", "shape, ndim, dtype, device or T");
}

Value Size(const Call& call) {
  const Tensor& tensor = call.TensorAt(0, "input");
  const std::optional<int64_t> axis = call.OptionalInteger(1, "dim");
  if (!axis) return ShapeOf(tensor);
  if (tensor.rank() == 0) call.Fail("a tensor without axes");
  return tensor.dim(NormalizeAxis(*axis, tensor.rank(), call));
}

Value NarrowFunction(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim"), input.rank(), call);
  if (input.rank() == 0) call.Fail("a tensor without axes");
  int64_t start = call.Integer(2, "start");
  const int64_t length = call.Integer(3, "length");
  if (start < 0) start += input.dim(axis);
  if (start < 0 || length < 0 || length > input.dim(axis) - start) {
    call.Fail("elements " + std::to_string(start) + " + " + std::to_string(length) +
              " of " + std::to_string(input.dim(axis)));
  }
  return Narrow(input, axis, start, length);
}

}  // namespace

void AddIndexing(Registry& registry) {
  registry.AddFunction("operator.getitem", GetItem);
  registry.AddFunction("builtins.getattr", GetAttribute);
  registry.AddMethod("size", Size);
  registry.AddMethod(
      "dim", [](const Call& call) -> Value { return call.TensorAt(0, "input").rank(); });
  AddTensorFunction(registry, "numel", [](const Call& call) -> Value {
    return call.TensorAt(0, "input").numel();
  });
  registry.AddFunction("builtins.len", [](const Call& call) -> Value {
    const Value& value = call.Get(0, "object");
    if (const ValueSequence* sequence = value.As<ValueSequence>()) {
      return static_cast<int64_t>(sequence->items.size());
    }
    const Tensor& tensor = call.TensorAt(0, "object");
    if (tensor.rank() == 0) call.Fail("a tensor without axes");
    return tensor.dim(0);
  });
  AddTensorFunction(registry, "narrow", NarrowFunction);
}

}  // namespace qconform
