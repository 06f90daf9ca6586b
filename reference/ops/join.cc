// cat, stack, chunk, split, unbind, repeat and repeat_interleave.
#include <cstring>

#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/gather.h"
#include "reference/ops/names.h"
#include "reference/ops/promote.h"

namespace qconform {
namespace {

Tensor Concatenate(std::vector<Tensor> tensors, int64_t dim, const Call& call) {
  // torch skips empty tensors of rank 1 whatever the others are.
  std::vector<Tensor> kept;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape() != Shape{0}) kept.push_back(tensor);
  }
  if (tensors.empty()) call.Fail("no tensors to join");
  if (kept.empty()) return tensors[0];
  DType dtype = kept[0].dtype();
  const bool quantized = IsQuantizedDType(dtype);
  for (const Tensor& tensor : kept) {
    if (IsQuantizedDType(tensor.dtype()) != quantized ||
        (quantized && tensor.dtype() != dtype)) {
      call.Fail("quantized and plain tensors together");
    }
    if (!quantized) dtype = PromoteTypes(dtype, tensor.dtype());
    if (tensor.rank() != kept[0].rank()) call.Fail("tensors of different ranks");
  }
  if (kept[0].rank() == 0) call.Fail("tensors without axes");
  const int axis = NormalizeAxis(dim, kept[0].rank(), call);
  Shape shape = kept[0].shape();
  shape[static_cast<size_t>(axis)] = 0;
  for (Tensor& tensor : kept) {
    Shape others = tensor.shape();
    shape[static_cast<size_t>(axis)] += tensor.dim(axis);
    others[static_cast<size_t>(axis)] = shape[static_cast<size_t>(axis)];
    if (others != shape) {
      call.Fail(
          "shapes " + ShapeText(kept[0].shape()) + " and " + ShapeText(tensor.shape()),
          "equal ones but for axis " + std::to_string(axis));
    }
    if (!quantized) tensor = Cast(tensor, dtype);
    if (quantized && !(tensor.quantization() == kept[0].quantization())) {
      call.Fail("quantized tensors of different parameters");
    }
  }
  Tensor result(dtype, shape);
  if (quantized) result.set_quantization(*kept[0].quantization());
  const AxisView view = ViewAlong(shape, axis);
  const size_t item = ItemSize(dtype) * static_cast<size_t>(view.inner);
  int64_t done = 0;
  for (const Tensor& tensor : kept) {
    const int64_t size = tensor.dim(axis);
    for (int64_t o = 0; o < view.outer && tensor.numel() > 0; ++o) {
      std::memcpy(result.bytes() + static_cast<size_t>(o * view.size + done) * item,
                  tensor.bytes() + static_cast<size_t>(o * size) * item,
                  static_cast<size_t>(size) * item);
    }
    done += size;
  }
  return result;
}

Value Cat(const Call& call) {
  return Concatenate(call.Tensors(0, "tensors"),
                     call.Find(1, "dim") != nullptr ? call.Integer(1, "dim")
                                                    : call.Integer(1, "axis", 0),
                     call);
}

Value Stack(const Call& call) {
  std::vector<Tensor> tensors = call.Tensors(0, "tensors");
  if (tensors.empty()) call.Fail("no tensors to stack");
  const int axis = NormalizeAxis(call.Integer(1, "dim", 0), tensors[0].rank() + 1, call);
  for (Tensor& tensor : tensors) {
    if (tensor.shape() != tensors[0].shape() && &tensor != &tensors[0]) {
      // The first one has its new axis already, so it is compared without it.
      Shape first = tensors[0].shape();
      first.erase(first.begin() + axis);
      if (first != tensor.shape()) call.Fail("tensors of different shapes");
    }
    Shape shape = tensor.shape();
    shape.insert(shape.begin() + axis, 1);
    tensor = tensor.Reshaped(std::move(shape));
  }
  return Concatenate(std::move(tensors), axis, call);
}

// Pieces of the given sizes along an axis.
Value Pieces(const Tensor& input, int axis, const std::vector<int64_t>& sizes) {
  std::vector<Value> pieces;
  int64_t begin = 0;
  for (int64_t size : sizes) {
    pieces.push_back(Narrow(input, axis, begin, size));
    begin += size;
  }
  return Value::Tuple(std::move(pieces));
}

std::vector<int64_t> EqualSizes(int64_t total, int64_t size) {
  std::vector<int64_t> sizes;
  for (int64_t done = 0; done < total; done += size) {
    sizes.push_back(std::min(size, total - done));
  }
  if (sizes.empty()) sizes.push_back(0);
  return sizes;
}

Value Chunk(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int64_t chunks = call.Integer(1, "chunks");
  const int axis = NormalizeAxis(call.Integer(2, "dim", 0), input.rank(), call);
  if (chunks < 1 || input.rank() == 0) {
    call.Fail(std::to_string(chunks) + " chunks of " + ValueText(input));
  }
  const int64_t total = input.dim(axis);
  if (total == 0) return Pieces(input, axis, Shape(static_cast<size_t>(chunks), 0));
  return Pieces(input, axis, EqualSizes(total, (total + chunks - 1) / chunks));
}

Value Split(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int axis = NormalizeAxis(call.Integer(2, "dim", 0), input.rank(), call);
  const Value* sizes = call.Find(1, "split_size_or_sections");
  if (sizes == nullptr) sizes = &call.Get(1, "split_size");
  if (input.rank() == 0) call.Fail("a tensor without axes");
  const int64_t total = input.dim(axis);
  if (const int64_t* size = sizes->As<int64_t>()) {
    if (*size < 1) call.Fail("split size " + std::to_string(*size), "a positive one");
    return Pieces(input, axis, EqualSizes(total, *size));
  }
  const std::vector<int64_t> given = call.Integers(1, "split_size_or_sections");
  int64_t sum = 0;
  for (int64_t size : given) {
    if (size < 0) call.Fail("negative split size");
    sum += size;
  }
  if (sum != total)
    call.Fail("split sizes add up to " + std::to_string(sum), std::to_string(total));
  return Pieces(input, axis, given);
}

Value Unbind(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim", 0), input.rank(), call);
  if (input.rank() == 0) call.Fail("a tensor without axes");
  std::vector<Value> pieces;
  for (int64_t i = 0; i < input.dim(axis); ++i) {
    const Tensor piece = Narrow(input, axis, i, 1);
    Shape shape = piece.shape();
    shape.erase(shape.begin() + axis);
    pieces.push_back(piece.Reshaped(std::move(shape)));
  }
  return Value::Tuple(std::move(pieces));
}

Value Repeat(const Call& call) {
  Tensor input = call.TensorAt(0, "input");
  const std::vector<int64_t> counts = call.TrailingIntegers(1, "repeats");
  if (counts.size() < input.shape().size()) call.Fail("fewer counts than axes");
  Shape shape = input.shape();
  shape.insert(shape.begin(), counts.size() - shape.size(), 1);
  input = input.Reshaped(shape);
  AxisSources sources(shape.size());
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (counts[axis] < 0) call.Fail("negative count");
    for (int64_t i = 0; i < counts[axis] * shape[axis]; ++i) {
      sources[axis].push_back(i % shape[axis]);
    }
  }
  return GatherAxes(input, sources);
}

// Each slice along dim `repeats` times; the flat elements without a dim.
Value RepeatInterleave(const Call& call) {
  Tensor input = call.TensorAt(0, "input");
  const int64_t repeats = call.Integer(1, "repeats");
  const std::optional<int64_t> dim = call.OptionalInteger(2, "dim");
  if (repeats < 0) call.Fail("negative count");
  if (!dim) input = input.Reshaped({input.numel()});
  const int axis = NormalizeAxis(dim.value_or(0), input.rank(), call);
  if (input.rank() == 0) call.Fail("a tensor without axes");
  AxisSources sources = IdentitySources(input.shape());
  std::vector<int64_t>& slices = sources[static_cast<size_t>(axis)];
  slices.clear();
  for (int64_t i = 0; i < input.dim(axis) * repeats; ++i) slices.push_back(i / repeats);
  return GatherAxes(input, sources);
}

}  // namespace

void AddJoins(Registry& registry) {
  registry.AddFunction("torch.cat", Cat);
  registry.AddFunction("torch.concat", Cat);
  registry.AddFunction("torch.concatenate", Cat);
  registry.AddFunction("torch.stack", Stack);
  AddTensorFunction(registry, "chunk", Chunk);
  AddTensorFunction(registry, "split", Split);
  AddTensorFunction(registry, "unbind", Unbind);
  registry.AddMethod("repeat", Repeat);
  AddTensorFunction(registry, "repeat_interleave", RepeatInterleave);
}

}  // namespace qconform
