// Which rule of a quantizer wins: three conv-bn-relu from torch.export's archives,
// counted as torchao 0.18.0 counts them.
#include <gtest/gtest.h>

#include "reference/exported/pt2_file.h"
#include "reference/observe/calibrate.h"
#include "reference/pt2e/convert_pt2e.h"
#include "reference/quantizers/quantizer_json.h"

namespace qconform {
namespace {

ExportedProgram Chain(bool strict) {
  const std::string folder = QCONFORM_SOURCE_DIR "/reference/exported/testdata/";
  return ReadPt2File(folder + (strict ? "chain_strict.pt2" : "chain.pt2"));
}

// The settings after "quantizer": the calls of the class, in order.
std::shared_ptr<AccountingQuantizer> WithSettings(const char* quantizer,
                                                  const char* settings) {
  const ordered_json json = {{"quantizer", quantizer},
                             {"settings", ordered_json::parse(settings)}};
  return QuantizerFromJson(json, "settings", Mode::kTorch);
}

int CountQuantizeAndDequantize(bool strict, const char* settings) {
  const auto quantizer = WithSettings("x86_inductor", settings);
  PreparedProgram prepared = PreparePt2e(Chain(strict), *quantizer);
  RunObserved(prepared.program.module, {Tensor(DType::kFloat32, {2, 3, 6, 6})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
  int count = 0;
  for (const Node& node : converted.program.module.graph.nodes()) {
    count += node.target().starts_with("quantized_decomposed.");
  }
  return count;
}

const char* const kGlobal = R"({"call": "set_global", "config": {"is_qat": false}})";
const char* const kType = R"({"call": "set_module_type_qconfig",
    "type": "torch.nn.Conv2d", "config": {"is_qat": false}})";
const char* const kStem = R"({"call": "set_module_name_qconfig", "name": "stem",
    "config": {"is_qat": false}})";
const char* const kNoBlock =
    R"({"call": "set_module_name_qconfig", "name": "block", "config": null})";

TEST(PriorityTable, CountsOfTorchao) {
  const auto list = [](const std::vector<std::string>& calls) {
    std::string text;
    for (const std::string& call : calls) text += (text.empty() ? "[" : ", ") + call;
    return text + "]";
  };
  const std::pair<std::string, int> rows[] = {{list({kGlobal}), 9},
                                              {list({kGlobal, kType}), 9},
                                              {list({kGlobal, kType, kStem}), 9},
                                              {list({kGlobal, kNoBlock}), 6},
                                              {list({kStem}), 3}};
  for (const bool strict : {false, true}) {
    for (const auto& [settings, count] : rows) {
      EXPECT_EQ(CountQuantizeAndDequantize(strict, settings.c_str()), count)
          << (strict ? "strict " : "") << settings;
    }
  }
}

// The convolution is in stem, the attribute nodes of its weight and bias are in no
// module.
TEST(PriorityTable, XnnpacksModuleNameNeverReachesAConvolution) {
  const auto quantizer = WithSettings(
      "xnnpack", R"([{"call": "set_module_name", "name": "stem", "config": {}}])");
  const PreparedProgram prepared = PreparePt2e(Chain(false), *quantizer);
  for (const Node& node : prepared.program.module.graph.nodes()) {
    EXPECT_FALSE(node.name().starts_with("activation_post_process")) << node.name();
  }
}

}  // namespace
}  // namespace qconform
