// torch.ops.aten beside aten_functions.cc: what moves, makes or converts tensors, and the
// operators whose arguments stand in an order of their own.
#include "reference/ops/aten_structure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reference/ops/axis.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/elements.h"
#include "reference/ops/gather.h"
#include "reference/ops/linear.h"

namespace qconform {
namespace {

// What says where a result is stored, and how, has no meaning here.
void IgnoreStorage(const Call& call) {
  for (const char* keyword : {"layout", "device", "pin_memory", "memory_format"}) {
    call.Ignore(call.args().size(), keyword);
  }
}

Value CallWith(const FunctionDefinition& definition, const Call& call,
               std::vector<Value> args) {
  const Call inner(call.where(), std::move(args));
  Value value = definition(inner);
  inner.CheckAllRead();
  return value;
}

// slice.Tensor(self, dim=0, start=None, end=None, step=1): bounds are cut to the axis.
Value SliceAxis(const Call& call) {
  const Tensor& input = call.TensorAt(0, "self");
  const int axis = NormalizeAxis(call.Integer(1, "dim", 0), input.rank(), call);
  const int64_t size = input.dim(axis);
  const int64_t step = call.Integer(4, "step", 1);
  if (step < 1) call.Fail("step " + std::to_string(step), "a positive one");
  const auto bound = [&](size_t position, const char* keyword, int64_t fallback) {
    const int64_t given = call.OptionalInteger(position, keyword).value_or(fallback);
    return std::clamp<int64_t>(given < 0 ? given + size : given, 0, size);
  };
  const int64_t start = bound(2, "start", 0);
  const int64_t end = bound(3, "end", size);
  AxisSources sources = IdentitySources(input.shape());
  std::vector<int64_t>& kept = sources[static_cast<size_t>(axis)];
  kept.clear();
  for (int64_t i = start; i < end; i += step) kept.push_back(i);
  return GatherAxes(input, sources);
}

DType DTypeOr(const Call& call, size_t position, DType fallback) {
  return call.OptionalDType(position, "dtype").value_or(fallback);
}

Value Filled(const Call& call, const Shape& shape, DType dtype, double value) {
  IgnoreStorage(call);
  for (const int64_t size : shape) {
    if (size < 0) call.Fail("size " + std::to_string(size), "0 or more");
  }
  Tensor tensor(dtype, shape);
  WriteElements(std::vector<double>(static_cast<size_t>(tensor.numel()), value), tensor);
  return tensor;
}

FunctionDefinition Constant(double value) {
  return [value](const Call& call) {
    return Filled(call, call.Integers(0, "size"), DTypeOr(call, 1, DType::kFloat32),
                  value);
  };
}

// A real number gives float32, an integer int64, as torch's defaults.
Value Full(const Call& call) {
  const Value& value = call.Get(1, "fill_value");
  const DType kind = value.As<bool>() != nullptr      ? DType::kBool
                     : value.As<int64_t>() != nullptr ? DType::kInt64
                                                      : DType::kFloat32;
  return Filled(call, call.Integers(0, "size"), DTypeOr(call, 2, kind),
                call.Real(1, "fill_value"));
}

// arange over integers: start, end and step as in Python's range.
Value Range(const Call& call, int64_t start, int64_t end, int64_t step) {
  IgnoreStorage(call);
  if (step == 0 || (step > 0 ? end < start : end > start)) {
    call.Fail("a range from " + std::to_string(start) + " to " + std::to_string(end) +
                  " by " + std::to_string(step),
              "a step towards the end");
  }
  std::vector<int64_t> values;
  for (int64_t i = start; step > 0 ? i < end : i > end; i += step) values.push_back(i);
  Tensor tensor(DTypeOr(call, call.args().size(), DType::kInt64),
                {static_cast<int64_t>(values.size())});
  WriteElements(values, tensor);
  return tensor;
}

// to.dtype and _to_copy: dtype by position or keyword.
Value ToDType(const Call& call) {
  IgnoreStorage(call);
  for (const char* keyword : {"non_blocking", "copy"}) call.Ignore(2, keyword);
  call.Ignore(3, "copy");
  call.Ignore(4, "memory_format");
  const Tensor& input = call.TensorAt(0, "self");
  return Cast(input, DTypeOr(call, 1, input.dtype()));
}

// A mask of booleans forbids where it is false; one of numbers is added.
Tensor MaskedScores(const FunctionDefinition& add, const Tensor& scores,
                    const Tensor& mask, const Call& call) {
  Tensor bias = mask;
  if (mask.dtype() == DType::kBool) {
    bias = MakeTensor<float>(DType::kFloat32, mask.shape(), [&](float* out) {
      const ElementReader<int64_t> allowed(mask);
      for (int64_t i = 0; i < mask.numel(); ++i) {
        out[i] = allowed.data()[i] != 0 ? 0.0f : -std::numeric_limits<float>::infinity();
      }
    });
  }
  return *CallWith(add, call, {scores, bias}).As<Tensor>();
}

// Row i sees the first i + 1 columns.
Tensor CausalMask(int64_t rows, int64_t columns) {
  Tensor mask(DType::kBool, {rows, columns});
  for (int64_t i = 0; i < mask.numel(); ++i) {
    mask.data<uint8_t>()[i] = i % columns <= i / columns ? 1 : 0;
  }
  return mask;
}

// softmax(query key^T * scale + mask) value, scale 1 / sqrt(head size) by default.
FunctionDefinition Attention(const Registry& registry) {
  const FunctionDefinition add = *registry.FindFunction("torch.add");
  const FunctionDefinition multiply = *registry.FindFunction("torch.mul");
  const FunctionDefinition softmax = *registry.FindFunction("torch.softmax");
  const FunctionDefinition transpose = *registry.FindFunction("torch.transpose");
  return [=](const Call& call) -> Value {
    const Tensor& query = call.TensorAt(0, "query");
    const Tensor& key = call.TensorAt(1, "key");
    const Tensor& value = call.TensorAt(2, "value");
    const Tensor* mask = call.OptionalTensor(3, "attn_mask");
    if (call.Real(4, "dropout_p", 0.0) != 0.0) call.Fail("dropout in attention", "0");
    const bool causal = call.Boolean(5, "is_causal", false);
    if (call.Boolean(7, "enable_gqa", false)) call.Fail("enable_gqa", "False");
    if (query.rank() < 2 || key.rank() < 2) call.Fail("an operand of rank below 2");
    const double scale =
        call.OptionalReal(6, "scale")
            .value_or(1.0 / std::sqrt(static_cast<double>(query.shape().back())));
    const Value keys = CallWith(transpose, call, {key, -2, -1});
    Tensor scores = MatrixProduct(query, *keys.As<Tensor>(), call);
    scores = *CallWith(multiply, call, {scores, scale}).As<Tensor>();
    if (causal) {
      const Tensor triangle =
          CausalMask(query.dim(query.rank() - 2), key.dim(key.rank() - 2));
      scores = MaskedScores(add, scores, triangle, call);
    }
    if (mask != nullptr) scores = MaskedScores(add, scores, *mask, call);
    const Value weights = CallWith(softmax, call, {scores, -1});
    return MatrixProduct(*weights.As<Tensor>(), value, call);
  };
}

FunctionDefinition Embedding(const FunctionDefinition& embedding) {
  return [embedding](const Call& call) {
    for (size_t i = 2; i < 5; ++i) call.Ignore(i, "");  // what gradients need
    return CallWith(embedding, call, {call.Get(1, "indices"), call.Get(0, "weight")});
  };
}

// Without the argument at `position`, which chooses between equal kernels.
FunctionDefinition WithoutKernelChoice(const FunctionDefinition& definition,
                                       size_t position) {
  return [definition, position](const Call& call) {
    std::vector<Value> args;
    for (size_t i = 0; i < call.args().size(); ++i) {
      if (i != position) args.push_back(call.Get(i, ""));
    }
    call.Ignore(position, "");
    return CallWith(definition, call, std::move(args));
  };
}

using Names = std::vector<std::pair<const char*, const char*>>;

const Names& SameArguments() {
  static const auto* const names = new Names{
      {"split.Tensor", "torch.split"},
      {"split_with_sizes.default", "torch.split"},
      {"max.default", "torch.max"},
      {"max.dim", "torch.max"},
      {"max.other", "torch.max"},
      {"min.default", "torch.min"},
      {"min.dim", "torch.min"},
      {"amax.default", "torch.amax"},
      {"amin.default", "torch.amin"},
      {"argmax.default", "torch.argmax"},
      {"argmin.default", "torch.argmin"},
      {"maximum.default", "torch.maximum"},
      {"minimum.default", "torch.minimum"},
      {"flip.default", "torch.flip"},
      {"roll.default", "torch.roll"},
      {"index_select.default", "torch.index_select"},
      {"narrow.default", "torch.narrow"},
      {"where.self", "torch.where"},
      {"masked_fill.Scalar", "torch.masked_fill"},
      {"pad.default", "torch.nn.functional.pad"},
      {"mish.default", "torch.nn.functional.mish"},
      {"pixel_shuffle.default", "torch.nn.functional.pixel_shuffle"},
  };
  return *names;
}

}  // namespace

void AddAtenStructure(Registry& registry) {
  for (const auto& [aten, torch] : SameArguments()) {
    registry.AddFunction(std::string("aten.") + aten, *registry.FindFunction(torch));
  }
  for (const auto& [aten, method] :
       {std::pair("sym_size.int", "size"), std::pair("repeat.default", "repeat"),
        std::pair("expand_as.default", "expand_as")}) {
    registry.AddFunction(std::string("aten.") + aten, *registry.FindMethod(method));
  }
  const FunctionDefinition expand = *registry.FindMethod("expand");
  registry.AddFunction("aten.expand.default", [expand](const Call& call) {
    call.Ignore(call.args().size(), "implicit");
    return CallWith(expand, call, {call.Get(0, "self"), call.Get(1, "size")});
  });
  registry.AddFunction("aten.slice.Tensor", SliceAxis);
  registry.AddFunction("aten.zeros.default", Constant(0));
  registry.AddFunction("aten.ones.default", Constant(1));
  registry.AddFunction("aten.full.default", Full);
  registry.AddFunction("aten.arange.default", [](const Call& call) {
    return Range(call, 0, call.Integer(0, "end"), 1);
  });
  registry.AddFunction("aten.arange.start", [](const Call& call) {
    return Range(call, call.Integer(0, "start"), call.Integer(1, "end"), 1);
  });
  registry.AddFunction("aten.arange.start_step", [](const Call& call) {
    return Range(call, call.Integer(0, "start"), call.Integer(1, "end"),
                 call.Integer(2, "step", 1));
  });
  registry.AddFunction("aten.to.dtype", ToDType);
  registry.AddFunction("aten.to.dtype_layout", ToDType);
  registry.AddFunction("aten._to_copy.default", ToDType);
  // Says what tracing saw; the value of the node is None.
  registry.AddFunction("aten._assert_tensor_metadata.default",
                       [](const Call& call) -> Value {
                         IgnoreStorage(call);
                         call.TensorAt(0, "a");
                         call.Ignore(3, "dtype");
                         return {};
                       });
  registry.AddFunction("aten.scaled_dot_product_attention.default", Attention(registry));
  registry.AddFunction(
      "aten.embedding.default",
      Embedding(*registry.FindFunction("torch.nn.functional.embedding")));
  for (const char* norm : {"layer_norm", "group_norm"}) {
    const std::string torch = std::string("torch.nn.functional.") + norm;
    registry.AddFunction(std::string("aten.") + norm + ".default",
                         WithoutKernelChoice(*registry.FindFunction(torch), 5));
  }
}

}  // namespace qconform
