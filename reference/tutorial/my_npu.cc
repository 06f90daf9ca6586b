#include "reference/tutorial/my_npu.h"

#include <memory>
#include <string>

namespace my_npu {
namespace {

using namespace qconform;

constexpr double kSmallestScale = 0x1p-12;
const std::string kIntrinsic = "torch.ao.nn.intrinsic.";
const std::string kOnednn = "torch.ao.quantization.backend_config.onednn._";

DTypeWithConstraints Activation() {
  DTypeWithConstraints dtype = DType::kQUInt8;
  dtype.scale_min_lower_bound = kSmallestScale;
  return dtype;
}

// 8 bits in and out, no weight.
DTypeConfig Plain() {
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = DType::kQUInt8;
  return dtypes;
}

DTypeConfig Weighted() {
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = Activation();
  dtypes.weight_dtype = DType::kQInt8;
  dtypes.bias_dtype = DType::kFloat32;
  dtypes.weight_dtype.quant_min_lower_bound = -127;
  dtypes.weight_dtype.quant_max_upper_bound = 127;
  dtypes.weight_dtype.scale_min_lower_bound = kSmallestScale;
  return dtypes;
}

// What computes with the weight of `root`: torch.nn.Linear itself, or a fused class.
BackendPatternConfig WeightedEntry(const std::string& type, const std::string& root) {
  BackendPatternConfig entry(Pattern::Module(type));
  entry.dtype_configs = {Weighted()};
  entry.root_module = "torch.nn." + root;
  entry.reference_quantized_module = "torch.ao.nn.quantized.reference." + root;
  return entry;
}

BackendPatternConfig FuseConvRelu() {
  BackendPatternConfig entry(Pattern::Tuple(
      {Pattern::Module("torch.nn.Conv2d"), Pattern::Module("torch.nn.ReLU")}));
  entry.fused_module = kIntrinsic + "ConvReLU2d";
  entry.fuser_method = "_sequential_wrapper2(" + entry.fused_module + ")";
  return entry;
}

BackendPatternConfig FuseResidual() {
  BackendPatternConfig entry;
  entry.SetPatternComplexFormat(Pattern::Tuple(
      {Pattern::Module("torch.nn.ReLU"),
       Pattern::Tuple({Pattern::Function("operator.add"),
                       Pattern::Module("torch.nn.Conv2d"), Pattern::MatchAll()})}));
  entry.fused_module = kIntrinsic + "ConvAddReLU2d";
  entry.fuser_method = kOnednn + "fuse_conv_add_relu_left";
  entry.root_node_getter = kOnednn + "conv_add_relu_root_node_getter_left";
  entry.extra_inputs_getter = kOnednn + "conv_add_relu_extra_inputs_getter_left";
  return entry;
}

BackendPatternConfig Flatten() {
  BackendPatternConfig entry(Pattern::Module("torch.nn.Flatten"));
  entry.observation_type = ObservationType::kOutputShareObserverWithInput;
  entry.dtype_configs = {Plain()};
  return entry;
}

BackendPatternConfig Sigmoid() {
  BackendPatternConfig entry(Pattern::Module("torch.nn.Sigmoid"));
  DTypeConfig dtypes = Plain();
  dtypes.output_dtype.quant_min_lower_bound = 0;
  dtypes.output_dtype.quant_max_upper_bound = 255;
  dtypes.output_dtype.scale_exact_match = 1.0 / 256;
  dtypes.output_dtype.zero_point_exact_match = 0;
  entry.dtype_configs = {dtypes};
  return entry;
}

const std::string kSymmetric = "torch.per_tensor_symmetric";

}  // namespace

BackendConfig MyNpuConfig() {
  BackendConfig config("my_npu");
  config.Set(WeightedEntry("torch.nn.Linear", "Linear"));
  config.Set(FuseConvRelu());
  config.Set(WeightedEntry(kIntrinsic + "ConvReLU2d", "Conv2d"));
  config.Set(FuseResidual());
  config.Set(WeightedEntry(kIntrinsic + "ConvAddReLU2d", "Conv2d"));
  config.Set(Flatten());
  config.Set(Sigmoid());
  return config;
}

QConfigMapping MyNpuMapping() {
  QConfig global;
  global.activation = {"MinMaxObserver",
                       {{"dtype", DType::kQUInt8}, {"eps", kSmallestScale}}};
  global.weight = {"MinMaxObserver",
                   {{"dtype", DType::kQInt8},
                    {"qscheme", kSymmetric},
                    {"quant_min", -127},
                    {"quant_max", 127},
                    {"eps", kSmallestScale}}};
  QConfig sigmoid;
  sigmoid.activation = {"FixedQParamsObserver",
                        {{"scale", 1.0 / 256},
                         {"zero_point", 0},
                         {"dtype", DType::kQUInt8},
                         {"quant_min", 0},
                         {"quant_max", 255}}};
  sigmoid.weight = {"MinMaxObserver",
                    {{"dtype", DType::kQInt8}, {"qscheme", kSymmetric}}};
  QConfigMapping mapping;
  mapping.global = std::make_shared<QConfig>(global);
  mapping.object_type.Set("torch.nn.Sigmoid", std::make_shared<QConfig>(sigmoid));
  return mapping;
}

}  // namespace my_npu
