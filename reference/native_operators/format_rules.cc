#include "reference/native_operators/format_rules.h"

#include <algorithm>

#include "reference/native_operators/iterated_strides.h"
#include "reference/native_operators/pool_formats.h"
#include "reference/ops/axis.h"

namespace qconform {
namespace {

using Rule = void (*)(const Followed&);

Strides Formatted(const Shape& shape, bool channels_last) {
  return channels_last ? ChannelsLastStrides(shape) : RowMajorStrides(shape);
}

void Keep(const Followed& op, const Strides& strides) {
  if (Tensor* output = op.Output()) op.formats.Set(*output, strides, op.input);
}

void Same(const Followed& op) { Keep(op, op.from.strides); }

void RowMajor(const Followed& op) {
  if (op.Output() != nullptr) Keep(op, RowMajorStrides(op.Output()->shape()));
}

void KeepSuggested(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const bool same_rank = output->rank() == op.input.rank();
  Keep(op, Formatted(output->shape(), same_rank && op.from.SuggestsChannelsLast()));
}

// The tensors among the arguments, if they broadcast to this shape; else none.
std::vector<Placement> Operands(const Followed& op, const Shape& shape) {
  std::vector<Placement> operands;
  Shape joint(shape.size(), 1);
  const auto add = [&](const Value& value) {
    const Tensor* tensor = value.As<Tensor>();
    if (tensor == nullptr) return true;
    if (tensor->shape().size() > shape.size()) return false;
    size_t axis = shape.size() - tensor->shape().size();
    for (const int64_t size : tensor->shape()) {
      if (size != 1 && size != shape[axis]) return false;
      if (size != 1) joint[axis] = size;
      ++axis;
    }
    operands.push_back(op.Of(*tensor));
    return true;
  };
  for (const Value& value : op.call.args()) {
    if (!add(value)) return {};
  }
  for (const auto& [name, value] : op.call.kwargs()) {
    if (!add(value)) return {};
  }
  return joint == shape ? operands : std::vector<Placement>();
}

// What is computed element by element. Codes and results of another size are row-major.
void Iterate(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr || !op.IsFloat()) return;
  const Shape& shape = output->shape();
  const bool same_shape = shape == op.input.shape();
  if (same_shape && output->bytes() == op.input.bytes()) return;  // in place
  const std::vector<Placement> operands = Operands(op, shape);
  if (!operands.empty()) return Keep(op, IteratedStrides(operands, shape));
  if (same_shape) Keep(op, IteratedStrides({op.from}, shape));
}

// suggest_memory_format of the input; floats keep any order.
void KeepFormat(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const bool same_shape = output->shape() == op.input.shape();
  if (same_shape && op.IsInPlace()) return Same(op);
  const bool is_iterated =
      op.IsFloat() && (same_shape || !Operands(op, output->shape()).empty());
  return is_iterated ? Iterate(op) : KeepSuggested(op);
}

// Only the codes of the first addend's shape take its format.
void KeepSumFormat(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const Shape& shape = output->shape();
  if (op.IsFloat() || shape == op.input.shape()) return KeepFormat(op);
  Keep(op, IteratedStrides(Operands(op, shape), shape));
}

// Of floats, by the windows' operators.
void KeepWindowFormat(const Followed& op) {
  const bool same_shape =
      op.Output() != nullptr && op.Output()->shape() == op.input.shape();
  return same_shape && op.from.IsDense() ? Same(op) : KeepSuggested(op);
}

// Convolutions and batch norms of codes, whatever comes in; those of floats keep it.
void MakeChannelsLast(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  if (!output->quantization()) return KeepWindowFormat(op);
  if (output->rank() >= 3) Keep(op, ChannelsLastStrides(output->shape()));
}

// Channels last in a row-major result: what torch does to some codes.
void WritePixelByPixel(Tensor& tensor) {
  const int64_t channels = tensor.dim(1);
  const int64_t plane = NumElements({tensor.shape().begin() + 2, tensor.shape().end()});
  const Tensor values = tensor.Clone();
  const std::byte* codes = values.bytes();  // of one byte each
  std::byte* memory = tensor.bytes();
  for (int64_t n = 0; n < tensor.dim(0); ++n) {
    for (int64_t pixel = 0; pixel < plane; ++pixel) {
      for (int64_t c = 0; c < channels; ++c) {
        *memory++ = codes[(n * channels + c) * plane + pixel];
      }
    }
  }
}

void KeepPoolFormat(const Followed& op) {
  Tensor* output = op.Output();
  if (output == nullptr) return;
  if (!op.input.quantization()) return KeepWindowFormat(op);
  const bool ceil_mode = CeilMode(op.name, op.call, op.module);
  if (WritesPixelByPixel(op.name, op.engine, ceil_mode, op.input.dtype(), op.from,
                         output->shape())) {
    WritePixelByPixel(*output);
  }
  Keep(op, PooledStrides(op.name, op.engine, ceil_mode, op.input.dtype(), op.from,
                         output->shape()));
}

// Instance and group norms: of codes, images only; of floats, group norms only.
void KeepNormFormat(const Followed& op) {
  const bool is_group_norm = op.name == "group_norm" || op.name == "GroupNorm";
  if (op.IsFloat() && is_group_norm) return KeepSuggested(op);
  const bool keeps = op.input.quantization() && op.input.rank() == 4 &&
                     op.from.IsChannelsLast() && op.from.SuggestsChannelsLast();
  if (op.Output() != nullptr) Keep(op, Formatted(op.Output()->shape(), keeps));
}

// The strides of torch.cat: channels last if all inputs suggest it, or, along the
// channels of images, if all are contiguous in it.
bool JoinsChannelsLast(const Followed& op, int64_t axis) {
  const ValueSequence* items = op.call.Get(0, "tensors").As<ValueSequence>();
  if (items == nullptr) return false;
  bool all_suggest = true;
  bool all_are = axis == 1 && op.input.rank() == 4;
  for (const Value& item : items->items) {
    const Tensor* tensor = item.As<Tensor>();
    if (tensor == nullptr) return false;
    const Placement placement = op.formats.Of(*tensor);
    all_suggest = all_suggest && placement.SuggestsChannelsLast();
    all_are = all_are && tensor->quantization() && placement.IsChannelsLast();
  }
  return all_suggest || all_are;
}

void Concatenate(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const int axis = NormalizeAxis(op.call.Integer(1, "dim", 0), output->rank(), op.call);
  Keep(op, Formatted(output->shape(), JoinsChannelsLast(op, axis)));
}

// torch.stack: a view of torch.cat along the same axis.
void Stack(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const int axis = NormalizeAxis(op.call.Integer(1, "dim", 0), output->rank(), op.call);
  if (axis == op.input.rank()) return RowMajor(op);
  Shape joined = op.input.shape();
  joined[static_cast<size_t>(axis)] *= output->dim(axis);
  const Placement from = {joined, Formatted(joined, JoinsChannelsLast(op, axis))};
  Keep(op, from.ViewAs(output->shape()).value_or(RowMajorStrides(output->shape())));
}

void View(const Followed& op) {
  if (op.Output() == nullptr) return;
  const std::optional<Strides> strides = op.from.ViewAs(op.Output()->shape());
  if (!strides) {
    op.call.Fail("a view of shape " + ShapeText(op.Output()->shape()) +
                     " of a tensor of strides " + ShapeText(op.from.strides),
                 "a size compatible with the strides, or reshape");
  }
  Keep(op, *strides);
}

void Reshape(const Followed& op) {
  if (op.Output() == nullptr) return;
  const Shape& shape = op.Output()->shape();
  Keep(op, op.from.ViewAs(shape).value_or(RowMajorStrides(shape)));
}

// contiguous, clone and casts; without a format a clone of codes is row-major.
void Copy(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const bool is_contiguous = op.name == "contiguous";
  const bool is_clone = op.name == "clone";
  const Value* given = is_contiguous || is_clone ? op.call.Find(1, "memory_format")
                                                 : op.call.kwargs().Find("memory_format");
  const OpaqueValue* format = given == nullptr ? nullptr : given->As<OpaqueValue>();
  const auto wants = [&](const char* name) {
    return format != nullptr && format->text.find(name) != std::string::npos;
  };
  const bool is_cast_of_own_dtype =
      !is_contiguous && !is_clone && output->dtype() == op.input.dtype();
  if (wants("channels_last") && output->rank() >= 4) {
    const bool keeps = is_contiguous
                           ? op.from.IsChannelsLast()
                           : is_cast_of_own_dtype && op.from.SuggestsChannelsLast();
    return keeps ? Same(op) : Keep(op, ChannelsLastStrides(output->shape()));
  }
  const bool preserves_by_default =
      !is_contiguous && !(is_clone && op.input.quantization());
  if (wants("preserve_format") || (format == nullptr && preserves_by_default)) {
    return is_cast_of_own_dtype ? Same(op) : KeepFormat(op);
  }
  const bool keeps = is_contiguous
                         ? op.from.IsRowMajor()
                         : is_cast_of_own_dtype && !op.from.SuggestsChannelsLast();
  return keeps ? Same(op) : RowMajor(op);
}

// One axis is rolled by torch.cat, none by a copy in order.
void Roll(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr || !op.IsFloat()) return;
  const auto shifts = op.call.OptionalIntegers(1, "shifts");
  const auto axes = op.call.OptionalIntegers(2, "dims");
  if (!shifts || !axes || axes->empty()) return RowMajor(op);
  const int axis = NormalizeAxis(axes->back(), output->rank(), op.call);
  const bool is_moved = output->dim(axis) > 0 && shifts->back() % output->dim(axis) != 0;
  return is_moved ? KeepSuggested(op) : RowMajor(op);
}

void Permute(const Followed& op) {
  Strides strides;
  for (const int64_t axis : op.call.TrailingIntegers(1, "dims")) {
    const int from = NormalizeAxis(axis, op.input.rank(), op.call);
    strides.push_back(op.from.strides[static_cast<size_t>(from)]);
  }
  Keep(op, strides);
}

void Transpose(const Followed& op) {
  Strides strides = op.from.strides;
  const bool is_matrix = op.name == "t";
  if (is_matrix && op.input.rank() < 2) return;
  const auto axis = [&](size_t position, const char* keyword) {
    const int64_t given =
        op.call.Integer(position, keyword, is_matrix ? position - 1 : 0);
    return static_cast<size_t>(NormalizeAxis(given, op.input.rank(), op.call));
  };
  std::swap(strides[axis(1, "dim0")], strides[axis(2, "dim1")]);
  Keep(op, strides);
}

void Unsqueeze(const Followed& op) {
  const auto axis = static_cast<size_t>(
      NormalizeAxis(op.call.Integer(1, "dim"), op.input.rank() + 1, op.call));
  Strides strides = op.from.strides;
  const int64_t own = axis < strides.size() ? op.from.shape[axis] * strides[axis] : 1;
  strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(axis), own);
  Keep(op, strides);
}

void Squeeze(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  Strides strides;
  for (size_t axis = 0; axis < op.from.shape.size(); ++axis) {
    const size_t next = strides.size();
    const bool is_kept =
        next < output->shape().size() && output->shape()[next] == op.from.shape[axis];
    if (is_kept) strides.push_back(op.from.strides[axis]);
  }
  Keep(op, strides);
}

// QNNPACK clamps quint8 in the order of memory and writes it as if it were row-major,
// whatever the input's format.
void Clamp(const Followed& op) {
  const bool is_permuted = op.Output() != nullptr && op.engine == "qnnpack" &&
                           op.input.dtype() == DType::kQUInt8 &&
                           op.from.SuggestsChannelsLast();
  if (!is_permuted) return KeepFormat(op);
  WritePixelByPixel(*op.Output());
  return op.IsInPlace() ? Same(op) : RowMajor(op);
}

Rule RuleFunction(MemoryFormatRule rule) {
  switch (rule) {
    case MemoryFormatRule::kIterated:
      return Iterate;
    case MemoryFormatRule::kKept:
      return KeepFormat;
    case MemoryFormatRule::kSum:
      return KeepSumFormat;
    case MemoryFormatRule::kSame:
      return Same;
    case MemoryFormatRule::kChannelsLast:
      return MakeChannelsLast;
    case MemoryFormatRule::kPooled:
      return KeepPoolFormat;
    case MemoryFormatRule::kNormalized:
      return KeepNormFormat;
    case MemoryFormatRule::kClamped:
      return Clamp;
    case MemoryFormatRule::kRolled:
      return Roll;
    case MemoryFormatRule::kConcatenated:
      return Concatenate;
    case MemoryFormatRule::kStacked:
      return Stack;
    case MemoryFormatRule::kViewed:
      return View;
    case MemoryFormatRule::kReshaped:
      return Reshape;
    case MemoryFormatRule::kCopied:
      return Copy;
    case MemoryFormatRule::kPermuted:
      return Permute;
    case MemoryFormatRule::kTransposed:
      return Transpose;
    case MemoryFormatRule::kUnsqueezed:
      return Unsqueeze;
    case MemoryFormatRule::kSqueezed:
      return Squeeze;
    case MemoryFormatRule::kSliced:  // sliced_strides.h
    case MemoryFormatRule::kRowMajor:
      return RowMajor;
  }
  return RowMajor;
}

}  // namespace

void ApplyFormatRule(MemoryFormatRule rule, const Followed& followed) {
  RuleFunction(rule)(followed);
}

}  // namespace qconform
