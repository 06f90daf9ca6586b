// The goldens of both modes for a model on which torch does not do what it declares: each
// is what is made now, torch's is torch's own result, and they differ where they must.
#include <gtest/gtest.h>

#include <cmath>

#include "datasets/catalogue.h"
#include "reference/formats/json_file.h"
#include "reference/golden/quantize_model.h"
#include "reference/ir/rows.h"
#include "reference/lower/float_results.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const fs::path kDatasets = QCONFORM_SOURCE_DIR "/datasets";

struct Made {
  Model model;
  QuantizationSettings settings;
  std::vector<Tensor> samples;
  QuantizedModel quantized;
};

Made Make(Mode mode) {
  Made made;
  made.model = ReadModel(kDatasets / "models/two_modes");
  made.settings = BuiltInSettings("x86", mode);
  made.samples = {Rows(made.model.calibration.at(0).at(0), 0, 1)};
  made.quantized = QuantizeModel(made.model.graph, made.settings, made.model.calibration);
  return made;
}

std::vector<std::string> Names(const GraphModule& module) {
  std::vector<std::string> names;
  for (const Node& node : module.graph.nodes()) names.push_back(node.name());
  return names;
}

// Largest difference of the first sample's outputs.
double Distance(const Tensor& a, const Tensor& b) {
  double largest = 0;
  for (int64_t i = 0; i < a.numel(); ++i) {
    largest = std::max(largest, std::fabs(a.ValueAt(i) - b.ValueAt(i)));
  }
  return largest;
}

TEST(ModeGolden, EachIsWhatIsMade) {
  for (const auto& [mode, name] :
       {std::pair(Mode::kTorch, "x86.torch"), {Mode::kStrict, "x86.strict"}}) {
    Made made = Make(mode);
    const GoldenSource source =
        MakeGoldenSource(made.model.name, made.model.graph_file, made.settings,
                         made.model.calibration, made.samples);
    const Golden golden = MakeModelGolden(
        source, made.quantized.reasons, std::move(made.quantized.prepared.module),
        std::move(made.quantized.reference), made.samples);
    for (const std::string& error :
         VerifyGolden(kDatasets / "goldens/two_modes" / name, &source, &golden)) {
      ADD_FAILURE() << error;
    }
  }
}

TEST(ModeGolden, TorchsIsTorchsOwn) {
  const Made made = Make(Mode::kTorch);
  const JsonFile file = JsonFile::Read(made.model.folder / "torch.json");
  const ordered_json& record = file.root().at("x86");
  const ordered_json& nodes = record.at("reference_graph");
  size_t i = 0;
  for (const Node& node : made.quantized.reference.graph.nodes()) {
    ASSERT_LT(i, nodes.size());
    const ordered_json& expected = nodes[i++];
    ASSERT_EQ(node.name(), expected.at("name"));
    EXPECT_EQ(node.target(), expected.at("target"));
    if (!expected.contains("scale")) continue;
    const Tensor* scale =
        made.quantized.reference.FindTensor(node.args()[1].AsNode()->target());
    ASSERT_NE(scale, nullptr);
    // Behind float convolutions: within one bin of the histogram.
    const double torchs = expected.at("scale").get<double>();
    EXPECT_NEAR(scale->ValueAt(0), torchs, torchs / 2048) << node.name();
  }
  EXPECT_EQ(i, nodes.size());
  const Tensor output = RunGraph(made.quantized.reference, made.samples).at(0);
  const ordered_json& torchs = record.at("first_outputs")[0];
  for (int64_t k = 0; k < output.numel(); ++k) {
    // Equal codes: the outputs are multiples of one scale, far wider than this.
    EXPECT_NEAR(output.ValueAt(k), torchs[static_cast<size_t>(k)].get<double>(), 1e-4);
  }
}

TEST(ModeGolden, TheyDifferWhereTorchDoesNotDoWhatItDeclares) {
  const Made torch = Make(Mode::kTorch);
  const Made strict = Make(Mode::kStrict);
  // torch folds the batch norm into both calls, strict mode into none.
  EXPECT_EQ(torch.quantized.reference.graph.Find("bn"), nullptr);
  EXPECT_NE(strict.quantized.reference.graph.Find("bn"), nullptr);
  EXPECT_NE(Names(torch.quantized.reference), Names(strict.quantized.reference));
  for (const Made* made : {&torch, &strict}) {
    std::vector<std::string> kinds;
    for (const ModeDifference& difference : made->quantized.differences) {
      kinds.push_back(difference.kind);
    }
    for (const char* kind : {"shared_module_fused", "sharing_broken",
                             "padding_mode_ignored", "symmetric_scheme_lost"}) {
      EXPECT_NE(std::find(kinds.begin(), kinds.end(), kind), kinds.end()) << kind;
    }
    EXPECT_TRUE(made->quantized.data_differences.empty());
  }
  // What is declared is nearer to the float model.
  const Tensor real = RunGraph(torch.model.graph, torch.samples).at(0);
  EXPECT_LT(
      10 * Distance(real, RunGraph(strict.quantized.reference, strict.samples).at(0)),
      Distance(real, RunGraph(torch.quantized.reference, torch.samples).at(0)));
}

}  // namespace
}  // namespace qconform
