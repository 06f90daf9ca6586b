// Linear and convolution, static and dynamic.

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/native/packed_weights.h"
#include "reference/native/quantized_module.h"
#include "reference/native/reference_values.h"

namespace qconform {
namespace {

bool HoldsText(const std::string& type, const char* part) {
  return type.find(part) != std::string::npos;
}

// Element 0 of a fused container, the module itself otherwise.
const Module& WeightedModule(const Module& reference) {
  const auto* first = reference.children.Find("0");
  return first != nullptr && *first ? **first : reference;
}

void SetOutput(const OutputQparams& output, Module& module) {
  module.attributes.Set("scale", output.scale.ValueAt(0));
  module.attributes.Set("zero_point", output.zero_point.IntegerAt(0));
}

// torch's module keeps the packed weight of a linear in a child of its own.
std::shared_ptr<Module> LinearPackedParams(const Tensor& weight,
                                           const std::optional<Tensor>& bias) {
  auto packed = std::make_shared<Module>();
  packed->type = "torch.ao.nn.quantized.modules.linear.LinearPackedParams";
  packed->buffers.Set("weight", weight);
  packed->buffers.Set("bias", bias);
  return packed;
}

std::shared_ptr<Module> MakeLinear(const std::string& type, const Module& linear,
                                   const Tensor& weight,
                                   const std::optional<Tensor>& bias) {
  auto module = std::make_shared<Module>();
  module->type = type;
  CopyAttributes(linear, {"in_features", "out_features"}, *module);
  module->children.Set("_packed_params", LinearPackedParams(weight, bias));
  return module;
}

// A 1-d reference module holds the letters of "same", one an item.
bool IsListOfIntegers(const Argument& argument) {
  const Sequence* sequence = argument.As<Sequence>();
  if (sequence == nullptr) return argument.As<int64_t>() != nullptr;
  return std::all_of(sequence->items.begin(), sequence->items.end(),
                     [](const Argument& item) { return item.As<int64_t>() != nullptr; });
}

// (_ConvNd._init)
void CheckConvolution(const std::string& type, const Module& convolution) {
  const bool transposed = HoldsText(type, "Transpose");
  const std::string mode = convolution.Text("padding_mode", "zeros");
  if (HoldsText(type, "3d") && !transposed && mode == "reflect") {
    throw PipelineError("AssertionError", "Conv3d does not support reflection padding");
  }
  if (mode != "zeros" && (transposed || mode != "reflect")) {
    throw PipelineError("ValueError", "padding_mode " + mode +
                                          " is not supported by quantized convolution");
  }
  // Reflected borders are added by the module: it packs no padding.
  const Argument* padding =
      mode == "zeros" ? convolution.attributes.Find("padding") : nullptr;
  if (padding != nullptr && !IsListOfIntegers(*padding)) {
    throw PipelineError("RuntimeError",
                        "prepack takes a list of integers for argument 'padding'");
  }
}

std::shared_ptr<Module> MakeConvolution(const std::string& type,
                                        const Module& convolution,
                                        const std::string& engine) {
  CheckConvolution(type, convolution);
  auto module = std::make_shared<Module>();
  module->type = type;
  CopyAttributes(convolution,
                 {"in_channels", "out_channels", "kernel_size", "stride", "padding",
                  "dilation", "groups", "padding_mode", "output_padding"},
                 *module);
  const Tensor weight = ReferenceWeight(convolution, "weight");
  const std::optional<Tensor> bias =
      PackedBias(HoldsText(type, "Transpose") ? PackedKind::kTransposedConvolution
                                              : PackedKind::kConvolution,
                 weight, OptionalParameter(convolution, "bias"),
                 convolution.Integer("groups", 1), engine);
  CheckOutputPadding(*module, engine);
  module->buffers.Set("weight", weight);
  module->buffers.Set("bias", bias);
  return module;
}

// Weights with float zero points: only a linear of fbgemm packs them.
void CheckZeroPoints(const std::string& type, const Module& weighted,
                     const std::string& engine) {
  const std::string scheme = weighted.Text("weight_qscheme", "");
  if (scheme != "torch.per_channel_affine_float_qparams") return;
  const bool packs = engine == "fbgemm" || engine == "x86";
  if (packs && HoldsText(type, ".Linear")) return;
  throw PipelineError("RuntimeError", "Unsupported qscheme: " + scheme);
}

}  // namespace

std::shared_ptr<Module> MakeStaticWeighted(const std::string& type,
                                           const Module& reference,
                                           const OutputQparams& output,
                                           const std::string& engine) {
  const Module& weighted = WeightedModule(reference);
  CheckZeroPoints(type, weighted, engine);
  std::shared_ptr<Module> module;
  if (HoldsText(type, ".Linear")) {
    const Tensor weight = ReferenceWeight(weighted, "weight");
    module = MakeLinear(type, weighted, weight,
                        PackedBias(PackedKind::kLinear, weight,
                                   OptionalParameter(weighted, "bias"), 1, engine));
    if (type.ends_with(".LinearLeakyReLU")) {
      const Module& activation = **reference.children.Find("1");
      CopyAttributes(activation, {"negative_slope"}, *module);
    }
  } else {
    module = MakeConvolution(type, weighted, engine);
  }
  SetOutput(output, *module);
  return module;
}

std::shared_ptr<Module> MakeDynamicLinear(const std::string& type,
                                          const Module& reference,
                                          const std::string& engine) {
  const Module& linear = WeightedModule(reference);
  const std::optional<DType> dtype = ReferenceWeightDType(linear, "weight");
  if (dtype != DType::kQInt8 && dtype != DType::kFloat16) {
    throw PipelineError("RuntimeError",
                        "Unsupported dtype specified for quantized Linear!");
  }
  CheckZeroPoints(type, linear, engine);
  Tensor weight = ReferenceWeight(linear, "weight");
  std::optional<Tensor> bias = OptionalParameter(linear, "bias");
  if (dtype == DType::kFloat16) {
    weight = PackedHalfWeight(weight, engine);
  } else {
    bias = PackedBias(PackedKind::kLinear, weight, bias, 1, engine);
  }
  const std::shared_ptr<Module> module = MakeLinear(type, linear, weight, bias);
  module->attributes.Set("scale", 1.0);
  module->attributes.Set("zero_point", 0);
  return module;
}

}  // namespace qconform
