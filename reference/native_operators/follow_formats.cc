// Which memory format the result of an operator has, and what depends on it: views that
// torch refuses, and QNNPACK's clamps. Measured with torch 2.14.1.
#include <algorithm>

#include "reference/native_operators/memory_format.h"
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/pool_formats.h"
#include "reference/native_operators/sliced_strides.h"
#include "reference/ops/axis.h"

namespace qconform {
namespace {

// A call that has given `result`, with its first tensor.
struct Followed {
  const std::string& name;
  const Call& call;
  const Module* module;  // nullptr for functions and methods
  const std::string& engine;
  MemoryFormats& formats;
  const Tensor& input;
  const Placement& from;
  Value& result;

  // The result, if it is a tensor.
  Tensor* Output() const { return result.As<Tensor>(); }
  bool IsInPlace() const {
    if (module != nullptr) return module->Boolean("inplace", false);
    const Value* value = call.kwargs().Find("inplace");
    const bool* given = value == nullptr ? nullptr : value->As<bool>();
    return name.ends_with("_") || (given != nullptr && *given);
  }
};

using Rule = void (*)(const Followed&);

const Tensor* FirstTensor(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) return tensor;
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    for (const Value& item : sequence->items) {
      if (const Tensor* found = FirstTensor(item)) return found;
    }
  }
  return nullptr;
}

const Tensor* FirstTensor(const Call& call) {
  for (const Value& value : call.args()) {
    if (const Tensor* found = FirstTensor(value)) return found;
  }
  for (const auto& [name, value] : call.kwargs()) {
    if (const Tensor* found = FirstTensor(value)) return found;
  }
  return nullptr;
}

Strides Formatted(const Shape& shape, bool channels_last) {
  return channels_last ? ChannelsLastStrides(shape) : RowMajorStrides(shape);
}

void Keep(const Followed& op, const Strides& strides) {
  if (Tensor* output = op.Output()) op.formats.Set(*output, strides);
}

// suggest_memory_format of the input; float tensors of one shape keep any order.
void KeepFormat(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const bool is_float = !op.input.quantization() && !output->quantization();
  const bool same_shape = output->shape() == op.input.shape();
  if (same_shape && (op.IsInPlace() || (is_float && op.from.IsDense()))) {
    return Keep(op, op.from.strides);
  }
  const bool same_rank = output->rank() == op.input.rank();
  Keep(op, Formatted(output->shape(), same_rank && op.from.SuggestsChannelsLast()));
}

void Same(const Followed& op) { Keep(op, op.from.strides); }

void RowMajor(const Followed& op) {
  if (op.Output() != nullptr) Keep(op, RowMajorStrides(op.Output()->shape()));
}

// quantized.add: the addend that has the sum's shape decides.
void KeepSumFormat(const Followed& op) {
  const Tensor* output = op.Output();
  const Tensor* other =
      op.call.args().size() > 1 ? op.call.args()[1].As<Tensor>() : nullptr;
  if (output == nullptr || other == nullptr || output->shape() == op.input.shape()) {
    return KeepFormat(op);
  }
  Keep(op, Formatted(output->shape(), output->rank() == op.input.rank() &&
                                          op.formats.Of(*other).SuggestsChannelsLast()));
}

// Convolutions and batch norms of codes, whatever comes in; those of floats keep it.
void MakeChannelsLast(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  if (!output->quantization()) return KeepFormat(op);
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
  if (!op.input.quantization()) return KeepFormat(op);
  const bool ceil_mode = CeilMode(op.name, op.call, op.module);
  if (WritesPixelByPixel(op.name, op.engine, ceil_mode, op.input.dtype(), op.from,
                         output->shape())) {
    WritePixelByPixel(*output);
  }
  Keep(op, PooledStrides(op.name, op.engine, ceil_mode, op.input.dtype(), op.from,
                         output->shape()));
}

// Instance and group norms: images of codes only; those of floats lose it, too.
void KeepNormFormat(const Followed& op) {
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

// contiguous and clone. A clone of codes is row-major, one of floats as its input.
void Copy(const Followed& op) {
  const Tensor* output = op.Output();
  if (output == nullptr) return;
  const Value* given = op.call.Find(1, "memory_format");
  const OpaqueValue* format = given == nullptr ? nullptr : given->As<OpaqueValue>();
  const bool wants_channels_last =
      format != nullptr && format->text.find("channels_last") != std::string::npos;
  if (wants_channels_last && output->rank() >= 4) {
    return op.from.IsChannelsLast() ? Same(op)
                                    : Keep(op, ChannelsLastStrides(output->shape()));
  }
  const bool is_clone = op.name == "clone";
  if (is_clone && format == nullptr && !op.input.quantization()) return KeepFormat(op);
  return !is_clone && op.from.IsRowMajor() ? Same(op) : RowMajor(op);
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

struct NamedRule {
  Rule rule;
  std::vector<const char*> names;  // after the prefixes below
};

const std::vector<NamedRule>& Rules() {
  static const auto* const rules = new std::vector<NamedRule>{
      {KeepFormat,
       {"relu", "relu_", "leaky_relu", "hardsigmoid", "hardsigmoid_", "sigmoid",
        "sigmoid_", "tanh", "tanh_", "hardswish", "prelu", "mul", "mul_relu",
        "channel_shuffle", "dequantize", "quantize_per_tensor", "flip", "pad", "to",
        "ReLU", "LeakyReLU", "Hardsigmoid", "Sigmoid", "Tanh", "Hardswish", "PReLU",
        "ChannelShuffle", "Quantize", "DeQuantize",
        // Of floats only.
        "gelu", "silu", "mish", "softplus", "softsign", "selu", "celu", "GELU", "SiLU",
        "Mish", "abs", "neg", "exp", "sqrt", "pow", "square", "sub", "truediv", "div"}},
      {KeepSumFormat, {"add", "add_relu"}},
      {Same,
       {"dropout", "Dropout", "Dropout2d", "Dropout3d", "Identity", "detach", "detach_"}},
      {MakeChannelsLast,
       {"conv1d",           "conv2d",          "conv3d",           "conv1d_relu",
        "conv2d_relu",      "conv3d_relu",     "conv_transpose1d", "conv_transpose2d",
        "conv_transpose3d", "Conv1d",          "Conv2d",           "Conv3d",
        "ConvReLU1d",       "ConvReLU2d",      "ConvReLU3d",       "ConvAdd2d",
        "ConvAddReLU2d",    "ConvTranspose1d", "ConvTranspose2d",  "ConvTranspose3d",
        "BNReLU2d",         "BNReLU3d",        "BatchNorm2d",      "BatchNorm3d",
        "batch_norm"}},
      {KeepPoolFormat, {"max_pool1d",          "max_pool2d",
                        "max_pool3d",          "avg_pool1d",
                        "avg_pool2d",          "avg_pool3d",
                        "adaptive_avg_pool1d", "adaptive_avg_pool2d",
                        "adaptive_avg_pool3d", "interpolate",
                        "MaxPool1d",           "MaxPool2d",
                        "MaxPool3d",           "AvgPool1d",
                        "AvgPool2d",           "AvgPool3d",
                        "AdaptiveAvgPool1d",   "AdaptiveAvgPool2d",
                        "AdaptiveAvgPool3d",   "Upsample"}},
      {KeepNormFormat, {"instance_norm", "group_norm", "InstanceNorm2d"}},
      {Clamp, {"clamp", "clamp_", "hardtanh", "hardtanh_", "relu6", "Hardtanh", "ReLU6"}},
      {Concatenate, {"cat", "concat", "concatenate"}},
      {Stack, {"stack"}},
      {View, {"view", "view_as"}},
      {Reshape, {"reshape", "reshape_as", "flatten", "unflatten", "Flatten"}},
      {Copy, {"contiguous", "clone"}},
      {Permute, {"permute"}},
      {Transpose, {"transpose", "swapaxes", "t"}},
      {Unsqueeze, {"unsqueeze", "unsqueeze_"}},
      {Squeeze, {"squeeze", "squeeze_"}},
  };
  return *rules;
}

// Views that select elements.
constexpr const char* kSlicing[] = {"getitem", "chunk",  "split",  "unbind",
                                    "narrow",  "select", "expand", "expand_as"};

template <typename Run>
Value Follow(const std::string& name, Rule rule, const std::string& engine,
             MemoryFormats& formats, const Module* module, const Call& call,
             const Run& run) {
  const Tensor* input = FirstTensor(call);
  if (input == nullptr) return run();
  const Placement from = formats.Of(*input);
  Value result = run();
  rule({name, call, module, engine, formats, *input, from, result});
  return result;
}

}  // namespace

void FollowMemoryFormats(Registry& registry, const std::string& engine,
                         const std::shared_ptr<MemoryFormats>& formats) {
  const auto add = [&](const std::string& name, const auto& follow) {
    for (const char* prefix :
         {"torch.", "torch.nn.functional.", "operator.", "quantized."}) {
      const FunctionDefinition* base = registry.FindFunction(prefix + name);
      if (base != nullptr) registry.AddFunction(prefix + name, follow(*base));
    }
    const FunctionDefinition* base = registry.FindMethod(name);
    if (base != nullptr) registry.AddMethod(name, follow(*base));
  };
  for (const auto& [rule, names] : Rules()) {
    for (const std::string name : names) {
      add(name, [&, rule = rule](const FunctionDefinition& base) -> FunctionDefinition {
        return [=](const Call& call) -> Value {
          return Follow(name, rule, engine, *formats, nullptr, call,
                        [&] { return base(call); });
        };
      });
      for (const char* prefix :
           {"torch.nn.", "torch.ao.nn.quantized.", "torch.ao.nn.intrinsic.quantized."}) {
        const ModuleDefinition* found = registry.FindModule(prefix + name);
        if (found == nullptr) continue;
        registry.AddModule(prefix + name, [=, rule = rule, base = *found](
                                              Module& module, const Call& call) {
          return Follow(name, rule, engine, *formats, &module, call,
                        [&] { return base(module, call); });
        });
      }
    }
  }
  for (const char* name : kSlicing) {
    add(name, [&](const FunctionDefinition& base) -> FunctionDefinition {
      return [=](const Call& call) -> Value {
        Value result = base(call);
        SetSlicedStrides(base, call, *formats, result);
        return result;
      };
    });
  }
}

}  // namespace qconform
