#include <string>

#include "reference/backends/builders.h"
#include "reference/backends/dtype_tables.h"
#include "reference/backends/operator_tables.h"
#include "reference/backends/pattern_text.h"

namespace qconform {
namespace {

constexpr const char* kPrefix = "torch.ao.quantization.backend_config.onednn._";

// A convolution added to something else, on the left or on the right, with or
// without batch norm before and ReLU after. Left and right name the side of the
// convolution.
void AddConvAdd(ConfigBuilder& builder, const DTypeConfigs& dtypes, bool with_relu) {
  const std::string fused = with_relu ? "nni.ConvAddReLU2d" : "nni.ConvAdd2d";
  for (const std::string side : {"left", "right"}) {
    for (const bool with_bn : {true, false}) {
      for (const std::string add : {"torch.add", "operator.add"}) {
        const std::string conv = with_bn ? "(nn.BatchNorm2d nn.Conv2d)" : "nn.Conv2d";
        std::string pattern = add + (side == "left" ? " " + conv + " *" : " * " + conv);
        if (with_relu) pattern = "nn.ReLU (" + pattern + ")";
        const std::string name = std::string("conv") + (with_bn ? "_bn" : "") + "_add" +
                                 (with_relu ? "_relu" : "");
        BackendPatternConfig entry;
        entry.SetPatternComplexFormat(ParsePatternText(pattern));
        entry.dtype_configs = dtypes;
        entry.fused_module = FullName(fused);
        entry.fuser_method = kPrefix + ("fuse_" + name + "_" + side);
        entry.root_node_getter = kPrefix + (name + "_root_node_getter_" + side);
        entry.extra_inputs_getter = kPrefix + (name + "_extra_inputs_getter_" + side);
        builder.Add(std::move(entry));
      }
    }
  }
  BackendPatternConfig entry(ParsePatternText(fused));
  entry.dtype_configs = dtypes;
  entry.root_module = FullName("nn.Conv2d");
  entry.reference_quantized_module = FullName("nnqr.Conv2d");
  builder.Add(std::move(entry));
}

constexpr OperatorRow kLinearActivations[] = {
    {"nn.Linear nn.LeakyReLU", "", "", "", "nni.LinearLeakyReLU", "sequential"},
    {"nn.Linear F.leaky_relu", "", "", "", "nni.LinearLeakyReLU", "sequential"},
    {"nni.LinearLeakyReLU", "nn.Linear", "nnqr.Linear"},
    {"F.linear nn.LeakyReLU"},
    {"F.linear F.leaky_relu"},
    {"nn.Linear nn.BatchNorm1d nn.LeakyReLU", "", "", "", "nni.LinearLeakyReLU",
     "torch.ao.quantization.backend_config.onednn._fuse_linear_bn_leaky_relu"},
    {"nn.Linear nn.Tanh", "", "", "", "nni.LinearTanh", "sequential"},
    {"nn.Linear torch.tanh", "", "", "", "nni.LinearTanh", "sequential"},
    {"nni.LinearTanh", "nn.Linear", "nnqr.Linear"},
    {"F.linear nn.Tanh"},
    {"F.linear torch.tanh"},
};

}  // namespace

BackendConfig BuildOnednn() {
  const DTypeConfigs conv = {WeightedQUInt8()};
  const DTypeConfigs linear = {WeightedQUInt8(), DynamicQInt8()};
  const DTypeConfigs plain = {ActivationQUInt8()};
  ConfigBuilder builder("onednn");
  AddConvolutions(builder, conv);
  AddConvAdd(builder, conv, false);
  AddConvAdd(builder, conv, true);
  builder.AddRows(LinearRows(), linear);
  builder.AddRows(kLinearActivations, linear);
  AddBinaryOperators(builder, plain);
  AddCat(builder, plain);
  AddDefaultOperators(builder, plain);
  AddFixedOperators(builder, plain);
  AddShareOperators(builder, plain);
  builder.AddRows(BatchNormRows(), plain);
  AddLayerNorm(builder, {ActivationQUInt8FloatWeight()});
  builder.AddRows(RecurrentRows(), {DynamicQInt8()});
  builder.AddRows(EmbeddingRows(), {WeightOnly(DType::kQInt8)});
  return builder.Finish();
}

}  // namespace qconform
