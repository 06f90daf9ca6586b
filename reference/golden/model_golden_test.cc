// The shipped models end to end: the reference graph is torch's, the program keeps the
// accuracy, and the committed goldens are what is made now.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>

#include "datasets/catalogue.h"
#include "datasets/metrics.h"
#include "reference/formats/json_file.h"
#include "reference/golden/quantize_model.h"
#include "reference/ir/rows.h"
#include "reference/lower/float_results.h"
#include "reference/lower/lower.h"
#include "reference/lower/run_program.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const fs::path kDatasets = QCONFORM_SOURCE_DIR "/datasets";

struct Case {
  const char* model;
  const char* config;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.model << " under " << value.config;
}

class ModelGoldenTest : public testing::TestWithParam<Case> {
 protected:
  // Quantizing takes a while, so each model and config is done once.
  struct Made {
    Model model;
    QuantizationSettings settings;
    std::vector<Tensor> samples;
    QuantizedModel quantized;
  };
  static const Made& Make(const Case& which) {
    static std::map<std::string, std::unique_ptr<Made>> made;
    auto& entry = made[std::string(which.model) + "/" + which.config];
    if (entry == nullptr) {
      entry = std::make_unique<Made>();
      entry->model = ReadModel(kDatasets / "models" / which.model);
      entry->settings = BuiltInSettings(which.config);
      entry->samples = {Rows(entry->model.calibration.at(0).at(0), 0, 1)};
      entry->quantized =
          QuantizeModel(entry->model.graph, entry->settings, entry->model.calibration);
    }
    return *entry;
  }
};

TEST_P(ModelGoldenTest, ReferenceGraphIsTorchs) {
  const Made& made = Make(GetParam());
  const JsonFile file = JsonFile::Read(made.model.folder / "torch.json");
  const ordered_json& nodes = file.root().at(GetParam().config).at("reference_graph");
  size_t i = 0;
  for (const Node& node : made.quantized.reference.graph.nodes()) {
    ASSERT_LT(i, nodes.size());
    const ordered_json& expected = nodes[i++];
    ASSERT_EQ(node.name(), expected.at("name"));
    EXPECT_EQ(OpName(node.op()), expected.at("op"));
    EXPECT_EQ(node.target(), expected.at("target"));
    if (!expected.contains("scale")) continue;
    const Tensor* scale =
        made.quantized.reference.FindTensor(node.args()[1].AsNode()->target());
    const Tensor* zero_point =
        made.quantized.reference.FindTensor(node.args()[2].AsNode()->target());
    ASSERT_NE(scale, nullptr);
    ASSERT_NE(zero_point, nullptr);
    // Observers behind a float convolution see sums that torch takes in another order:
    // one bin of the histogram's 2048 is the bound.
    const double torchs = expected.at("scale").get<double>();
    EXPECT_NEAR(scale->ValueAt(0), torchs, torchs / 2048) << node.name();
    EXPECT_EQ(zero_point->IntegerAt(0), expected.at("zero_point").get<int64_t>())
        << node.name();
  }
  EXPECT_EQ(i, nodes.size());
}

TEST_P(ModelGoldenTest, AccuracyIsKept) {
  const Made& made = Make(GetParam());
  const Program program =
      Lower(made.quantized.reference, made.samples, {GetParam().config, {}});
  const EvaluationData& data = made.model.evaluation;
  const Tensor outputs = RunProgramOverRows(program, data.inputs);
  const Tensor float_outputs = RunGraph(made.model.graph, {data.inputs}).at(0);
  for (const Tensor* each : {&float_outputs, &outputs}) {
    for (const Metric& metric : MeasureAgainstTruth(data, *each)) {
      std::printf("%s %s %s %s: %.4f %s\n", GetParam().model, GetParam().config,
                  each == &outputs ? "int8" : "float", metric.name.c_str(), metric.value,
                  metric.unit.c_str());
    }
  }
  const std::vector<Metric> lost = MeasureAgainstFloat(data, outputs, float_outputs);
  for (const Metric& metric : lost) {
    std::printf("%s %s %s: %.4f %s\n", GetParam().model, GetParam().config,
                metric.name.c_str(), metric.value, metric.unit.c_str());
  }
  // What int8 may cost: half a point of accuracy; a cent in the median and 5 at most.
  if (data.metric == MetricKind::kTopOne) {
    EXPECT_LE(lost.at(0).value, 0.5);
  } else {
    EXPECT_LE(lost.at(0).value, 1.0);
    EXPECT_LE(lost.at(1).value, 5.0);
    EXPECT_LE(MeasureAgainstTruth(data, float_outputs).at(0).value, 5.0);
  }
}

TEST_P(ModelGoldenTest, CommittedGoldenIsWhatIsMade) {
  const Made& made = Make(GetParam());
  const fs::path folder = kDatasets / "goldens" / GetParam().model / GetParam().config;
  const GoldenSource source =
      MakeGoldenSource(made.model.name, made.model.graph_file, made.settings,
                       made.model.calibration, made.samples);
  const Golden golden = MakeModelGolden(source, made.quantized.reasons,
                                        made.quantized.prepared.module.Clone(),
                                        made.quantized.reference.Clone(), made.samples);
  for (const std::string& error : VerifyGolden(folder, &source, &golden)) {
    ADD_FAILURE() << error;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, ModelGoldenTest,
                         testing::Values(Case{"digits", "x86"}, Case{"digits", "qnnpack"},
                                         Case{"crepe_tiny", "x86"},
                                         Case{"crepe_tiny", "qnnpack"}),
                         [](const auto& info) {
                           return std::string(info.param.model) + "_" + info.param.config;
                         });

}  // namespace
}  // namespace qconform
