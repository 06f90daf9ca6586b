#include "reference/native/packed_weights.h"

#include <algorithm>
#include <map>

#include "reference/ir/error.h"
#include "reference/ir/half.h"

namespace qconform {
namespace {

[[noreturn]] void Refuse(const std::string& what) {
  throw PipelineError("RuntimeError", what);
}

enum class ParameterKind { kTensor, kOptionalTensor, kIntegers, kInteger };

struct Parameter {
  const char* name;
  ParameterKind kind;
};

struct Schema {
  std::string type;
  std::vector<Parameter> parameters;
};

const std::map<std::string, Schema>& Schemas() {
  static const auto* schemas = [] {
    auto* table = new std::map<std::string, Schema>;
    const Parameter matrix = {"W", ParameterKind::kTensor};
    const Parameter matrix_bias = {"B", ParameterKind::kOptionalTensor};
    const std::string prefix = "torch.classes.quantized.";
    (*table)["quantized.linear_prepack"] = {prefix + "LinearPackedParamsBase",
                                            {matrix, matrix_bias}};
    (*table)["quantized.linear_prepack_fp16"] = {prefix + "LinearPackedParamsBase",
                                                 {matrix, matrix_bias}};
    const std::vector<Parameter> forward = {
        {"weight", ParameterKind::kTensor},     {"bias", ParameterKind::kOptionalTensor},
        {"stride", ParameterKind::kIntegers},   {"padding", ParameterKind::kIntegers},
        {"dilation", ParameterKind::kIntegers}, {"groups", ParameterKind::kInteger}};
    std::vector<Parameter> transposed = forward;
    transposed.insert(transposed.begin() + 4,
                      {"output_padding", ParameterKind::kIntegers});
    for (const char* rank : {"1", "2", "3"}) {
      // A one-dimensional convolution is packed as a two-dimensional one.
      const std::string dimensions = *rank == '1' ? "2" : rank;
      const std::string type = prefix + "Conv" + dimensions + "dPackedParamsBase";
      (*table)["quantized.conv" + std::string(rank) + "d_prepack"] = {type, forward};
      (*table)["quantized.conv_transpose" + std::string(rank) + "d_prepack"] = {
          type, transposed};
    }
    return table;
  }();
  return *schemas;
}

bool IsIntegerList(const Value& value) {
  const ValueSequence* sequence = value.As<ValueSequence>();
  return sequence != nullptr && std::all_of(sequence->items.begin(),
                                            sequence->items.end(), [](const Value& item) {
                                              return item.As<int64_t>() != nullptr ||
                                                     item.As<bool>() != nullptr;
                                            });
}

bool Fits(ParameterKind kind, const Value& value) {
  switch (kind) {
    case ParameterKind::kTensor:
      return value.As<Tensor>() != nullptr;
    case ParameterKind::kOptionalTensor:
      return value.IsNone() || value.As<Tensor>() != nullptr;
    case ParameterKind::kIntegers:
      return IsIntegerList(value);
    case ParameterKind::kInteger:
      return value.As<int64_t>() != nullptr || value.As<bool>() != nullptr;
  }
  return false;
}

Argument IntegersOf(const Value& value) {
  std::vector<Argument> items;
  for (const Value& item : value.As<ValueSequence>()->items) {
    items.emplace_back(item.As<int64_t>() != nullptr
                           ? *item.As<int64_t>()
                           : static_cast<int64_t>(*item.As<bool>()));
  }
  return Argument::List(std::move(items));
}

}  // namespace

void RequireNativeEngine(const std::string& engine) {
  for (const char* known : {"fbgemm", "x86", "qnnpack", "onednn"}) {
    if (engine == known) return;
  }
  throw InputError("engine", "'" + engine + "'", "fbgemm, x86, qnnpack or onednn");
}

std::optional<Tensor> PackedBias(PackedKind kind, const Tensor& weight,
                                 const std::optional<Tensor>& bias, int64_t groups,
                                 const std::string& engine) {
  if (!weight.quantization()) {
    // torch has no kernel for it.
    throw PipelineError("NotImplementedError",
                        "prepack takes a quantized weight, got " +
                            std::string(DTypeName(weight.dtype())));
  }
  const QuantizationParameters& parameters = *weight.quantization();
  if (engine != "qnnpack" && kind == PackedKind::kTransposedConvolution &&
      parameters.axis >= 0) {
    Refuse("Per Channel Quantization is currently disabled for transposed conv");
  }
  if (engine == "onednn") {
    for (const double zero_point : parameters.zero_point) {
      if (zero_point != 0) {
        Refuse("ONEDNN only supports weights whose zero point is 0");
      }
    }
  }
  if (engine != "qnnpack" && weight.dtype() != DType::kQInt8) {
    Refuse("expected scalar type QInt8 but found " +
           std::string(DTypeName(weight.dtype())));
  }
  const int64_t outputs =
      kind == PackedKind::kTransposedConvolution ? weight.dim(1) * groups : weight.dim(0);
  if (bias && (bias->rank() != 1 || bias->dim(0) != outputs)) {
    Refuse("bias should have " + std::to_string(outputs) + " elements, got " +
           ShapeText(bias->shape()));
  }
  if (!bias && engine == "qnnpack") return Tensor(DType::kFloat32, {outputs});
  return bias;
}

void CheckOutputPadding(const Module& convolution, const std::string& engine) {
  const Argument* padding = convolution.attributes.Find("output_padding");
  const Sequence* sizes = padding == nullptr ? nullptr : padding->As<Sequence>();
  if (engine != "onednn" || sizes == nullptr) return;
  for (const Argument& size : sizes->items) {
    if (size != Argument(0)) Refuse("ONEDNN only supports zero output_padding");
  }
}

Tensor PackedHalfWeight(const Tensor& weight, const std::string& engine) {
  if (engine == "qnnpack" || engine == "onednn") {
    Refuse("linear_prepack_fp16 is not supported by " + engine);
  }
  constexpr float kLargestHalf = 65504.0f;
  Tensor rounded(DType::kFloat32, weight.shape());
  for (int64_t i = 0; i < weight.numel(); ++i) {
    const float value =
        std::clamp(static_cast<float>(weight.ValueAt(i)), -kLargestHalf, kLargestHalf);
    rounded.data<float>()[i] = HalfToFloat(FloatToHalf(value));
  }
  return rounded;
}

bool IsPrepackOperator(const std::string& target) { return Schemas().count(target) > 0; }

std::shared_ptr<Module> Prepack(const std::string& target, const std::vector<Value>& args,
                                const OrderedMap<Value>& kwargs,
                                const std::string& engine) {
  const Schema& schema = Schemas().at(target);
  if (args.size() > schema.parameters.size()) {
    Refuse(target + "() got " + std::to_string(args.size()) + " positional arguments");
  }
  size_t keywords = 0;
  std::vector<const Value*> bound;
  static const Value none;
  for (size_t i = 0; i < schema.parameters.size(); ++i) {
    const Parameter& parameter = schema.parameters[i];
    const Value* keyword = kwargs.Find(parameter.name);
    if (keyword != nullptr) ++keywords;
    const Value* value = i < args.size() ? &args[i] : keyword;
    // Only the bias of a linear has a default.
    if (value == nullptr && std::string(parameter.name) == "B") value = &none;
    if (value == nullptr || (i < args.size() && keyword != nullptr)) {
      Refuse(target + "() is missing value for argument '" + parameter.name + "'");
    }
    if (!Fits(parameter.kind, *value)) {
      Refuse(target + "() got " + ValueText(*value) + " for argument '" + parameter.name +
             "'");
    }
    bound.push_back(value);
  }
  if (keywords != kwargs.size()) Refuse(target + "() got an unknown keyword argument");

  auto packed = std::make_shared<Module>();
  packed->type = schema.type;
  for (size_t i = 2; i < schema.parameters.size(); ++i) {
    const Parameter& parameter = schema.parameters[i];
    packed->attributes.Set(parameter.name, parameter.kind == ParameterKind::kIntegers
                                               ? IntegersOf(*bound[i])
                                               : Argument(*bound[i]->As<int64_t>()));
  }
  Tensor weight = *bound[0]->As<Tensor>();
  std::optional<Tensor> bias;
  if (!bound[1]->IsNone()) bias = *bound[1]->As<Tensor>();
  if (target == "quantized.linear_prepack_fp16") {
    weight = PackedHalfWeight(weight, engine);
  } else {
    PackedKind kind = PackedKind::kConvolution;
    if (target == "quantized.linear_prepack") kind = PackedKind::kLinear;
    if (target.find("transpose") != std::string::npos) {
      kind = PackedKind::kTransposedConvolution;
    }
    bias = PackedBias(kind, weight, bias, packed->Integer("groups", 1), engine);
    CheckOutputPadding(*packed, engine);
  }
  packed->buffers.Set("weight", weight);
  packed->buffers.Set("bias", bias);
  return packed;
}

}  // namespace qconform
