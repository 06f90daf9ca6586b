// torch's BackendConfig for exported programs; its name there is
// qnnpack_pytorch_2.0_export.
#include "reference/backends/builders.h"
#include "reference/backends/dtype_tables.h"
#include "reference/backends/operator_tables.h"
#include "reference/backends/pattern_text.h"

namespace qconform {
namespace {

constexpr std::string_view kAdd[] = {"aten.add.Tensor", "aten.add_.Tensor"};
constexpr std::string_view kActivations[] = {"aten.relu.default", "",
                                             "aten.relu_.default"};
constexpr std::string_view kRelu[] = {"aten.relu.default"};
constexpr std::string_view kConvolution[] = {
    "aten.convolution.default", "aten.convolution.default aten.relu.default",
    "aten.convolution.default aten.relu_.default"};

}  // namespace

BackendConfig BuildXnnpack() {
  const DTypeConfigs dtypes = {WeightedQUInt8()};
  ConfigBuilder builder("qnnpack_pytorch_2.0_export");
  builder.AddFunction("aten.addmm.default", 2, 0, dtypes);
  builder.AddFunction("aten.mm.default", 1, -1, dtypes);
  builder.AddBinary(kAdd, kActivations, dtypes);
  for (std::string_view pattern : kConvolution) {
    builder.AddFunction(pattern, 1, 2, dtypes);
  }
  BackendPatternConfig pooling;
  pooling.SetPatternComplexFormat(
      ParsePatternText("operator.getitem aten.max_pool2d_with_indices.default 0"));
  pooling.observation_type = ObservationType::kOutputShareObserverWithInput;
  pooling.dtype_configs = dtypes;
  pooling.root_node_getter =
      "torch.ao.quantization.backend_config._qnnpack_pt2e.get_pooling_configs.<locals>."
      "root_node_getter";
  builder.Add(std::move(pooling));
  builder.AddPatterns(kRelu, ObservationType::kOutputShareObserverWithInput, dtypes);
  return builder.Finish();
}

}  // namespace qconform
