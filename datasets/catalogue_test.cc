#include "datasets/catalogue.h"

#include <gtest/gtest.h>

#include <fstream>

#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = QCONFORM_SOURCE_DIR "/datasets/models";

TEST(Catalogue, Digits) {
  const Model model = ReadModel(kModels / "digits");
  EXPECT_EQ(model.name, "digits");
  EXPECT_EQ(model.calibration.size(), 4u);
  EXPECT_EQ(model.calibration[0].at(0).shape(), (Shape{16, 1, 8, 8}));
  EXPECT_EQ(model.evaluation.inputs.shape(), (Shape{600, 1, 8, 8}));
  EXPECT_EQ(model.evaluation.labels.numel(), 600);
  EXPECT_EQ(model.graph.FindModule("conv1")->type, "torch.nn.Conv2d");
  EXPECT_EQ(model.graph.scopes.at("conv1").path, "conv1");
}

TEST(Catalogue, CrepeTiny) {
  const Model model = ReadModel(kModels / "crepe_tiny");
  EXPECT_EQ(model.calibration.size(), 4u);
  EXPECT_EQ(model.calibration[3].at(0).shape(), (Shape{8, 1024}));
  EXPECT_EQ(model.evaluation.inputs.shape(), (Shape{60, 1024}));
  EXPECT_EQ(model.evaluation.frequencies.size(), 60u);
  EXPECT_NE(model.graph.FindModule("net.conv1_BN"), nullptr);
}

TEST(Catalogue, TwoModes) {
  const Model model = ReadModel(kModels / "two_modes");
  EXPECT_EQ(model.calibration.size(), 3u);
  EXPECT_EQ(model.calibration[0].at(0).shape(), (Shape{4, 1, 6, 6}));
  EXPECT_EQ(model.evaluation.metric, MetricKind::kNone);
  EXPECT_EQ(model.graph.FindModule("conv1")->Text("padding_mode", ""), "reflect");
}

TEST(Catalogue, NetworksWithoutWeights) {
  const Model model =
      ReadModel(QCONFORM_SOURCE_DIR "/datasets/vision/mobilenet_v3_small");
  EXPECT_EQ(model.calibration.size(), 2u);
  EXPECT_EQ(model.calibration[1].at(0).shape(), (Shape{2, 3, 64, 64}));
  EXPECT_FALSE(BitEqual(model.calibration[0].at(0), model.calibration[1].at(0)));
  EXPECT_EQ(model.graph.FindTensor("features.0.0.weight")->shape(), (Shape{16, 3, 3, 3}));
}

TEST(Catalogue, BertLayer) {
  const Model model = ReadModel(kModels / "bert_layer");
  EXPECT_EQ(model.benchmark_inputs.at(0).shape(), (Shape{1, 128, 768}));
  EXPECT_EQ(model.graph.FindTensor("intermediate.weight")->shape(), (Shape{3072, 768}));
}

// What the error line of a changed model.json starts with.
std::string ErrorOf(const std::string& text) {
  const fs::path folder = fs::path(testing::TempDir()) / "catalogue_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const char* file : {"float.graph.json", "float.safetensors"}) {
    fs::copy(kModels / "digits" / file, folder);
  }
  std::ofstream(folder / "model.json") << text;
  try {
    ReadModel(folder);
  } catch (const InputError& error) {
    return std::string(error.what()).substr(folder.string().size() + 1);
  }
  return "";
}

TEST(Catalogue, BenchmarkInputsHaveTheirShapeOrOneRow) {
  const Model vision =
      ReadModel(fs::path(QCONFORM_SOURCE_DIR) / "datasets/vision/mobilenet_v2");
  ASSERT_EQ(vision.benchmark_inputs.size(), 1u);
  EXPECT_EQ(vision.benchmark_inputs[0].shape(), (Shape{1, 3, 224, 224}));
  const Model digits =
      ReadModel(fs::path(QCONFORM_SOURCE_DIR) / "datasets/models/digits");
  Shape row = digits.calibration.at(0).at(0).shape();
  row[0] = 1;
  ASSERT_EQ(digits.benchmark_inputs.size(), 1u);
  EXPECT_EQ(digits.benchmark_inputs[0].shape(), row);
}

TEST(Catalogue, MalformedModelFilesSayWhereAndWhat) {
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "../x.graph.json",
"calibration": {}, "evaluation": {}, "metric": "top1"})"),
            "model.json:1: '../x.graph.json' is no file of this folder, expected a plain "
            "file name");
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "float.graph.json",
"calibration": {"source": "web"}, "evaluation": {}, "metric": "top1"})"),
            "model.json:2: source is 'web', expected 'file' or 'tones'");
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "float.graph.json",
"calibration": {"source": "tones", "seed": 1, "count": 0},
"evaluation": {}, "metric": "top1"})"),
            "model.json:2: count is 0, expected 1 to 100000");
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "float.graph.json",
"calibration": {"source": "fill", "shape": [1, 3, 8, 8]}, "metric": "none"})"),
            "model.json:2: the model has no fill, expected 'fill': NAME");
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "float.graph.json",
"calibration": {"source": "tones", "seed": 1, "count": 1},
"benchmark_shape": [1, 3], "metric": "none"})"),
            "model.json:3: the model has no fill, expected 'fill': NAME");
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "float.graph.json", "fill": "he",
"calibration": {}, "metric": "none"})"),
            "model.json:1: there is no fill 'he', expected kaiming.SEED, SEED a decimal "
            "number");
  EXPECT_EQ(ErrorOf(R"({"name": "a", "graph": "float.graph.json",
"calibration": {"source": "tones", "seed": 1, "count": 1},
"evaluation": {"source": "tones", "seed": 1, "count": 1}, "metric": "top1"})"),
            "model.json:3: metric top1 with this source, expected 'cents' with tones, "
            "others with a file");
}

}  // namespace
}  // namespace qconform
