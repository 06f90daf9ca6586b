// conv1d..3d, conv_transpose1d..3d and their modules.
#include "reference/ops/built_in.h"
#include "reference/ops/convolution.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

// One value for each spatial axis; a single one counts for all.
std::vector<int64_t> PerAxis(std::vector<int64_t> values, int spatial, const char* name,
                             const Call& call) {
  if (values.size() == 1) values.resize(static_cast<size_t>(spatial), values[0]);
  if (values.size() != static_cast<size_t>(spatial)) {
    call.Fail(std::string(name) + " has " + std::to_string(values.size()) + " values",
              "1 or " + std::to_string(spatial));
  }
  return values;
}

std::vector<int64_t> PerAxis(const Call& call, size_t position, const char* keyword,
                             int spatial, int64_t fallback) {
  return PerAxis(call.OptionalIntegers(position, keyword).value_or(Shape{fallback}),
                 spatial, keyword, call);
}

void CheckRanks(const Tensor& input, const Tensor& weight, int spatial,
                const Call& call) {
  if (weight.rank() != spatial + 2 ||
      (input.rank() != spatial + 2 && input.rank() != spatial + 1)) {
    call.Fail(
        "input " + ShapeText(input.shape()) + ", weight " + ShapeText(weight.shape()),
        "weight of rank " + std::to_string(spatial + 2));
  }
}

FunctionDefinition Convolution(int spatial) {
  return [spatial](const Call& call) -> Value {
    const Tensor& input = call.TensorAt(0, "input");
    const Tensor& weight = call.TensorAt(1, "weight");
    CheckRanks(input, weight, spatial, call);
    ConvolutionSettings settings;
    settings.stride = PerAxis(call, 3, "stride", spatial, 1);
    settings.dilation = PerAxis(call, 5, "dilation", spatial, 1);
    settings.groups = call.Integer(6, "groups", 1);
    settings.padding_mode = call.Text(7, "padding_mode", "zeros");
    const Value* padding = call.Find(4, "padding");
    const std::string* named = padding == nullptr ? nullptr : padding->As<std::string>();
    if (named == nullptr) {
      for (int64_t amount : PerAxis(call, 4, "padding", spatial, 0)) {
        settings.padding.emplace_back(amount, amount);
      }
    } else if (*named == "valid") {
      settings.padding.resize(static_cast<size_t>(spatial), {0, 0});
    } else if (*named == "same") {
      for (int axis = 0; axis < spatial; ++axis) {
        // What is odd goes after the axis.
        const int64_t total =
            settings.dilation[static_cast<size_t>(axis)] * (weight.dim(axis + 2) - 1);
        settings.padding.emplace_back(total / 2, total - total / 2);
      }
    } else {
      call.Fail("padding '" + *named + "'", "'same', 'valid' or integers");
    }
    return Convolve(input, weight, call.OptionalTensor(2, "bias"), settings, call);
  };
}

FunctionDefinition TransposedConvolution(int spatial) {
  return [spatial](const Call& call) -> Value {
    const Tensor& input = call.TensorAt(0, "input");
    const Tensor& weight = call.TensorAt(1, "weight");
    CheckRanks(input, weight, spatial, call);
    TransposedSettings settings;
    settings.stride = PerAxis(call, 3, "stride", spatial, 1);
    settings.padding = PerAxis(call, 4, "padding", spatial, 0);
    settings.output_padding = PerAxis(call, 5, "output_padding", spatial, 0);
    settings.groups = call.Integer(6, "groups", 1);
    settings.dilation = PerAxis(call, 7, "dilation", spatial, 1);
    return ConvolveTransposed(input, weight, call.OptionalTensor(2, "bias"), settings,
                              call);
  };
}

}  // namespace

void AddConvolutions(Registry& registry) {
  for (int spatial = 1; spatial <= 3; ++spatial) {
    const std::string dimensions = std::to_string(spatial) + "d";
    const FunctionDefinition plain = Convolution(spatial);
    AddNnFunction(registry, "conv" + dimensions, plain);
    registry.AddFunction("torch.conv" + dimensions, plain);
    AddModuleAsFunction(
        registry, "torch.nn.Conv" + dimensions, plain,
        {"weight", "bias", "stride", "padding", "dilation", "groups", "padding_mode"});
    const FunctionDefinition transposed = TransposedConvolution(spatial);
    AddNnFunction(registry, "conv_transpose" + dimensions, transposed);
    registry.AddFunction("torch.conv_transpose" + dimensions, transposed);
    AddModuleAsFunction(
        registry, "torch.nn.ConvTranspose" + dimensions, transposed,
        {"weight", "bias", "stride", "padding", "output_padding", "dilation", "groups"});
  }
}

}  // namespace qconform
