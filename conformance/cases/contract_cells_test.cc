#include "conformance/cases/contract_cells.h"

#include <gtest/gtest.h>

#include "conformance/cases/build_call.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_file.h"

namespace qconform {
namespace {

BackendConfig Config() {
  const JsonFile file = JsonFile::Parse(R"({"name": "npu", "configs": [{
      "pattern": "torch.nn.modules.linear.Linear",
      "dtype_configs": [{
        "input_dtype": {"dtype": "torch.quint8", "quant_min_lower_bound": 0,
                        "quant_max_upper_bound": 127},
        "output_dtype": {"dtype": "torch.quint8"},
        "weight_dtype": {"dtype": "torch.qint8", "scale_min_lower_bound": 0.000244140625},
        "bias_dtype": "torch.float32"}]}]})",
                                        "npu.json");
  return BackendConfigFromJson(file.root(), file);
}

OperatorCall Call(int32_t quant_max, float weight_scale) {
  OperatorCall call =
      BuildCall(RowFromId("t/linear.u8s8u8.per_tensor/m1.k8.n8.zx3.zy5/uniform"));
  call.inputs[0]->quant_max = quant_max;
  call.inputs[1]->scale = {weight_scale};
  return call;
}

std::vector<std::string> Cells(int32_t quant_max, float weight_scale) {
  return CellsOf(Config(), Call(quant_max, weight_scale));
}

TEST(ContractCells, ARowHasOneAndTwoForEveryBound) {
  const std::vector<std::string> all = ContractCells(Config());
  ASSERT_EQ(all.size(), 7u);
  const std::string base = all[0];
  EXPECT_NE(base.find(" | u8 s8 u8"), std::string::npos) << base;
  EXPECT_EQ(all[1], base + " | input quant_min at");
  EXPECT_EQ(all[2], base + " | input quant_min beyond");
  EXPECT_EQ(all[6], base + " | weight scale_min beyond");
}

TEST(ContractCells, ACallMeetsThemAtTheBoundAndBeyondIt) {
  const std::string base = ContractCells(Config())[0];
  EXPECT_EQ(Cells(100, 0.5f),
            (std::vector<std::string>{base, base + " | input quant_min at"}));
  EXPECT_EQ(Cells(127, 0x1p-12f),
            (std::vector<std::string>{base, base + " | input quant_min at",
                                      base + " | input quant_max at",
                                      base + " | weight scale_min at"}));
  EXPECT_EQ(Cells(128, 0.5f),
            (std::vector<std::string>{base + " | input quant_max beyond"}));
  // Two bounds broken at once say nothing about either.
  EXPECT_TRUE(Cells(128, 0x1p-13f).empty());
  OperatorCall other = Call(127, 0.5f);
  other.outputs[0].dtype = QC_S8;
  EXPECT_TRUE(CellsOf(Config(), other).empty());
}

}  // namespace
}  // namespace qconform
