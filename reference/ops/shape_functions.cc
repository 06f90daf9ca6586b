// Functions that change a tensor's shape but not its elements.
#include <numeric>

#include "reference/ops/axis.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

// Fills in the one -1. Throws unless the element counts agree.
Shape InferShape(Shape shape, int64_t numel, const Call& call) {
  int64_t known = 1;
  int64_t* missing = nullptr;
  for (int64_t& size : shape) {
    if (size == -1 && missing == nullptr) {
      missing = &size;
    } else if (size < 0) {
      call.Fail("shape " + ShapeText(shape), "sizes and at most one -1");
    } else {
      known *= size;
    }
  }
  if (missing != nullptr && known != 0 && numel % known == 0) *missing = numel / known;
  if (NumElements(shape) != numel || (missing != nullptr && *missing < 0)) {
    call.Fail("shape " + ShapeText(shape) + " for " + std::to_string(numel) +
              " elements");
  }
  return shape;
}

Value View(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  if (call.args().size() == 2) {
    const DType* dtype = call.Get(1, "dtype").As<DType>();
    if (dtype != nullptr) {
      if (ItemSize(*dtype) != ItemSize(input.dtype())) {
        call.Fail("view as a dtype of another size");
      }
      return input.ViewedAs(*dtype);
    }
  }
  return input.Reshaped(
      InferShape(call.TrailingIntegers(1, "shape"), input.numel(), call));
}

Value Flatten(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int start = NormalizeAxis(call.Integer(1, "start_dim", 0), input.rank(), call);
  const int end = NormalizeAxis(call.Integer(2, "end_dim", -1), input.rank(), call);
  if (start > end) call.Fail("start_dim is after end_dim");
  if (input.rank() == 0) return input.Reshaped({1});
  Shape shape(input.shape().begin(), input.shape().begin() + start);
  shape.push_back(
      NumElements({input.shape().begin() + start, input.shape().begin() + end + 1}));
  shape.insert(shape.end(), input.shape().begin() + end + 1, input.shape().end());
  return input.Reshaped(std::move(shape));
}

Value Unflatten(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim"), input.rank(), call);
  const Shape sizes = InferShape(call.Integers(2, "sizes"), input.dim(axis), call);
  Shape shape = input.shape();
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, sizes.begin(), sizes.end());
  return input.Reshaped(std::move(shape));
}

Value Squeeze(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const std::optional<std::vector<int64_t>> given = call.OptionalIntegers(1, "dim");
  const std::vector<int> axes =
      given && given->empty()
          ? std::vector<int>{}
          : NormalizeAxes(given.value_or(Shape{}), input.rank(), call);
  std::vector<bool> drop(static_cast<size_t>(input.rank()) + 1, false);
  for (int axis : axes) drop[static_cast<size_t>(axis)] = true;
  Shape shape;
  for (size_t i = 0; i < input.shape().size(); ++i) {
    if (!drop[i] || input.shape()[i] != 1) shape.push_back(input.shape()[i]);
  }
  return input.Reshaped(std::move(shape));
}

Value Unsqueeze(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim"), input.rank() + 1, call);
  Shape shape = input.shape();
  shape.insert(shape.begin() + axis, 1);
  return input.Reshaped(std::move(shape));
}

Value PermuteFunction(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const std::vector<int64_t> dims = call.TrailingIntegers(1, "dims");
  std::vector<int> order;
  for (int64_t axis : dims) order.push_back(NormalizeAxis(axis, input.rank(), call));
  NormalizeAxes(dims, input.rank(), call);  // refuses repeated axes
  if (static_cast<int>(order.size()) != input.rank()) {
    call.Fail(std::to_string(order.size()) + " axes", std::to_string(input.rank()));
  }
  return Permute(input, order);
}

Tensor SwapAxes(const Tensor& input, int a, int b) {
  std::vector<int> order(static_cast<size_t>(input.rank()));
  std::iota(order.begin(), order.end(), 0);
  if (!order.empty())
    std::swap(order[static_cast<size_t>(a)], order[static_cast<size_t>(b)]);
  return Permute(input, order);
}

Value Transpose(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  return SwapAxes(input, NormalizeAxis(call.Integer(1, "dim0"), input.rank(), call),
                  NormalizeAxis(call.Integer(2, "dim1"), input.rank(), call));
}

Value TransposeMatrix(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  if (input.rank() > 2) call.Fail("rank " + std::to_string(input.rank()), "at most 2");
  return input.rank() < 2 ? input : SwapAxes(input, 0, 1);
}

// -1 keeps a size.
Value Expand(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  Shape shape = call.TrailingIntegers(1, "size");
  const size_t added = shape.size() - std::min(shape.size(), input.shape().size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1 && i >= added) shape[i] = input.shape()[i - added];
    if (shape[i] < 0) call.Fail("size " + std::to_string(shape[i]));
  }
  return BroadcastTo(input, shape, call.where());
}

// The shape of another tensor: expand_as, view_as, reshape_as.
Value ExpandAs(const Call& call) {
  return BroadcastTo(call.TensorAt(0, "input"), call.TensorAt(1, "other").shape(),
                     call.where());
}

Value ViewAs(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  return input.Reshaped(
      InferShape(call.TensorAt(1, "other").shape(), input.numel(), call));
}

Value Same(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  call.Ignore(1, "memory_format");
  return input;
}

Value CloneFunction(const Call& call) {
  call.Ignore(1, "memory_format");
  return call.TensorAt(0, "input").Clone();
}

}  // namespace

void AddShapes(Registry& registry) {
  registry.AddMethod("view", View);
  AddTensorFunction(registry, "reshape", View);
  AddTensorFunction(registry, "flatten", Flatten);
  AddModuleAsFunction(registry, "torch.nn.Flatten", Flatten, {"start_dim", "end_dim"});
  AddTensorFunction(registry, "unflatten", Unflatten);
  AddTensorFunction(registry, "squeeze", Squeeze);
  AddTensorFunction(registry, "unsqueeze", Unsqueeze);
  registry.AddMethod("squeeze_", Squeeze);
  registry.AddMethod("unsqueeze_", Unsqueeze);
  AddTensorFunction(registry, "permute", PermuteFunction);
  AddTensorFunction(registry, "transpose", Transpose);
  AddTensorFunction(registry, "swapaxes", Transpose);
  AddTensorFunction(registry, "t", TransposeMatrix);
  registry.AddMethod("expand", Expand);
  registry.AddMethod("expand_as", ExpandAs);
  registry.AddMethod("view_as", ViewAs);
  registry.AddMethod("reshape_as", ViewAs);
  registry.AddMethod("contiguous", Same);
  registry.AddMethod("detach", Same);
  registry.AddFunction("torch.detach", Same);
  registry.AddMethod("detach_", Same);
  registry.AddMethod("requires_grad_", [](const Call& call) -> Value {
    call.Ignore(1, "requires_grad");
    return call.TensorAt(0, "input");
  });
  AddTensorFunction(registry, "clone", CloneFunction);
  AddModuleAsFunction(registry, "torch.nn.Identity", Same, {});
  // Stubs mark a border; only lowering gives them a meaning.
  for (const char* stub : {"QuantStub", "DeQuantStub"}) {
    AddModuleAsFunction(registry, std::string("torch.ao.quantization.") + stub, Same, {});
  }
}

}  // namespace qconform
