// What quantize takes beyond a model and a config: QAT, a state_dict, custom configs, an
// engine, several inputs, mappings by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"
#include "datasets/catalogue.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/safetensors.h"
#include "reference/golden/quantize_model.h"
#include "reference/ir/test_module.h"
#include "reference/observe/state_dict.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const std::string kModel = QCONFORM_SOURCE_DIR "/datasets/models/digits";

class QuantizeVerb : public FolderTest {
 protected:
  // Quantizes digits for x86 to the folder `out`.
  ShellOutcome Quantize(const std::string& out, const std::string& options) const {
    return RunShell(QCONFORM_BINARY " quantize --quiet --model " + kModel +
                    " --config x86 --out " + Path(out) + " " + options);
  }

  void ExpectRefused(const ShellOutcome& outcome, const std::string& what) const {
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
    EXPECT_NE(outcome.output.find(what), std::string::npos) << outcome.output;
  }
};

// The state_dict of digits prepared for QAT and calibrated, as a trainer would leave it.
OrderedMap<Tensor> TrainedState() {
  const Model model = ReadModel(kModel);
  QuantizationSettings settings = BuiltInSettings("x86");
  settings.is_qat = true;
  settings.mapping = GetDefaultQatQConfigMapping("x86");
  return StateDict(
      QuantizeModel(model.graph, settings, model.calibration).prepared.module);
}

TEST_F(QuantizeVerb, QatGoldenIsMadeAgain) {
  ASSERT_EQ(Quantize("qat", "--qat").exit_code, 0);
  ASSERT_EQ(Quantize("static", "").exit_code, 0);
  EXPECT_NE(ReadText(folder_ / "qat/prepared.graph.json").find("torch.ao.nn.qat"),
            std::string::npos);
  EXPECT_NE(ReadText(folder_ / "qat/reference.safetensors"),
            ReadText(folder_ / "static/reference.safetensors"));
  const std::string verify = QCONFORM_BINARY " golden verify " + Path("qat") +
                             " --model " + kModel + " --config x86";
  EXPECT_EQ(RunShell(verify + " --qat").exit_code, 0);
  EXPECT_EQ(RunShell(verify).exit_code, 1);
}

TEST_F(QuantizeVerb, StateDictTakesThePlaceOfCalibration) {
  WriteSafetensors(Path("trained.safetensors"), TrainedState());
  ASSERT_EQ(Quantize("qat", "--qat").exit_code, 0);
  const ShellOutcome loaded =
      Quantize("loaded", "--qat --state-dict " + Path("trained.safetensors"));
  ASSERT_EQ(loaded.exit_code, 0) << loaded.output;
  for (const char* file : {"reference.graph.json", "reference.safetensors",
                           "program.json", "program.safetensors"}) {
    EXPECT_EQ(ReadText(folder_ / "loaded" / file), ReadText(folder_ / "qat" / file))
        << file;
  }
  EXPECT_NE(ReadText(folder_ / "loaded/manifest.json").find("trained_state"),
            std::string::npos);
}

TEST_F(QuantizeVerb, StateDictOfAnotherPreparationIsRefused) {
  OrderedMap<Tensor> state = TrainedState();
  WriteSafetensors(Path("trained.safetensors"), state);
  // Prepared for PTQ the model has no fake-quantizers to load.
  ExpectRefused(Quantize("out", "--state-dict " + Path("trained.safetensors")),
                "trained.safetensors: no ");
  state.Set("unknown.weight", Tensor(DType::kFloat32, {1}));
  WriteSafetensors(Path("trained.safetensors"), state);
  ExpectRefused(Quantize("out", "--qat --state-dict " + Path("trained.safetensors")),
                "unknown.weight");
  EXPECT_FALSE(fs::exists(Path("out")));
}

TEST_F(QuantizeVerb, CustomConfigsAreTaken) {
  const std::string prepare =
      Written("prepare.json", R"({"preserved_attributes": ["absent"]})");
  const std::string convert =
      Written("convert.json", R"({"preserved_attributes": ["absent"]})");
  const std::string options =
      "--prepare-custom-config " + prepare + " --convert-custom-config " + convert;
  ASSERT_EQ(Quantize("custom", options).exit_code, 0);
  const std::string manifest = ReadText(folder_ / "custom/manifest.json");
  EXPECT_NE(manifest.find("prepare_custom_config"), std::string::npos);
  EXPECT_NE(manifest.find("convert_custom_config"), std::string::npos);

  const std::string quantized_output =
      Written("outputs.json", R"({"output_quantized_idxs": [0]})");
  ASSERT_EQ(Quantize("outputs", "--prepare-custom-config " + quantized_output).exit_code,
            0);
  ASSERT_EQ(Quantize("plain", "").exit_code, 0);
  EXPECT_NE(ReadText(folder_ / "outputs/reference.graph.json"),
            ReadText(folder_ / "plain/reference.graph.json"));

  Written("wrong.json", R"({"preserved_attributes": 3})");
  ExpectRefused(Quantize("out", "--convert-custom-config " + Path("wrong.json")),
                "wrong.json");
}

// The last argument of every quantize_per_tensor_dynamic.
std::vector<bool> ReducedRanges(const fs::path& graph) {
  std::vector<bool> ranges;
  const GraphModule module = ReadGraphFile(graph);
  for (const Node& node : module.graph.nodes()) {
    if (node.target() != "torch.quantize_per_tensor_dynamic") continue;
    ranges.push_back(*node.args().back().As<bool>());
  }
  return ranges;
}

// torch: x86, its default engine, and fbgemm reduce the range; qnnpack does not, whatever
// the config is called.
TEST_F(QuantizeVerb, DynamicRangeIsTheEngines) {
  const std::string mapping =
      Written("dynamic.json", R"({"global": "default_dynamic_qconfig"})");
  const auto quantize = [&](const std::string& out, const std::string& options) {
    return RunShell(QCONFORM_BINARY " quantize --quiet --model " + kModel + " --out " +
                    Path(out) + " --mapping " + mapping + " " + options);
  };
  const struct {
    const char* out;
    const char* options;
    bool reduced;
    bool recorded;  // only what is not the default
  } cases[] = {{"native", "--config native", true, false},
               {"native_x86", "--config native --engine x86", true, false},
               {"native_qnnpack", "--config native --engine qnnpack", false, true},
               {"qnnpack", "--config qnnpack", false, false},
               {"qnnpack_fbgemm", "--config qnnpack --engine fbgemm", true, true}};
  for (const auto& each : cases) {
    const ShellOutcome outcome = quantize(each.out, each.options);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
    const std::vector<bool> ranges =
        ReducedRanges(folder_ / each.out / "reference.graph.json");
    ASSERT_FALSE(ranges.empty());
    for (const bool reduced : ranges) EXPECT_EQ(reduced, each.reduced) << each.out;
    const std::string manifest = ReadText(folder_ / each.out / "manifest.json");
    EXPECT_EQ(manifest.find("\"engine\"") != std::string::npos, each.recorded)
        << each.out;
  }
  EXPECT_EQ(ReadText(folder_ / "native/manifest.json"),
            ReadText(folder_ / "native_x86/manifest.json"));
  const std::string verify = QCONFORM_BINARY " golden verify " + Path("native_qnnpack") +
                             " --model " + kModel + " --config native --mapping " +
                             mapping;
  EXPECT_EQ(RunShell(verify + " --engine qnnpack").exit_code, 0);
  EXPECT_EQ(RunShell(verify).exit_code, 1);
  ExpectRefused(quantize("out", "--config native --engine cuda"), "cuda");
}

Tensor Reals(Shape shape, const std::vector<float>& values) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), values);
}

// forward(x, y): a(x) + b(y); weight i/8 - shift, bias (-1/4, 0, 1/4).
GraphModule SumOfTwoLinears() {
  GraphModule model;
  Node* const x = model.graph.Append(Op::kPlaceholder, "x");
  Node* const y = model.graph.Append(Op::kPlaceholder, "y");
  std::vector<Argument> sum;
  for (const auto& [path, input, shift] :
       {std::tuple("a", x, 0.5F), std::tuple("b", y, 1.0F)}) {
    auto linear = ModuleOf("torch.nn.Linear");
    linear->attributes = {{"in_features", 3}, {"out_features", 3}};
    std::vector<float> weight;
    for (int i = 0; i < 9; ++i) weight.push_back(static_cast<float>(i) / 8 - shift);
    linear->parameters.Set("weight", Reals({3, 3}, weight));
    linear->parameters.Set("bias", Reals({3}, {-0.25F, 0, 0.25F}));
    model.SetModule(path, linear);
    sum.emplace_back(model.graph.Append(Op::kCallModule, path, {input}));
  }
  Node* const add = model.graph.Append(Op::kCallFunction, "operator.add", sum);
  model.graph.Append(Op::kOutput, "output", {add});
  return model;
}

class TwoInputs : public QuantizeVerb {
 protected:
  void SetUp() override {
    QuantizeVerb::SetUp();
    WriteGraphFile(Path("sum.graph.json"), SumOfTwoLinears());
    OrderedMap<Tensor> data;
    data.Set("0.x", Reals({2, 3}, {-1, 0, 2, 0.5F, 1, -0.25F}));
    data.Set("0.y", Reals({2, 3}, {4, -4, 1, 0, 2, -8}));
    data.Set("1.x", Reals({1, 3}, {3, 0, -2}));
    data.Set("1.y", Reals({1, 3}, {0, 0, 1}));
    WriteSafetensors(Path("data.safetensors"), data);
    Written("min_max.json", R"({"global": {
        "activation": {"class": "MinMaxObserver", "kwargs": {"dtype": "torch.quint8"}},
        "weight": {"class": "MinMaxObserver", "kwargs": {
            "dtype": "torch.qint8", "qscheme": "torch.per_tensor_symmetric"}}}})");
  }
  std::string Options() const {
    return " --graph " + Path("sum.graph.json") + " --calibration " +
           Path("data.safetensors") + " --config native --mapping " +
           Path("min_max.json") + " ";
  }
  ShellOutcome QuantizeSum(const std::string& options) const {
    return RunShell(QCONFORM_BINARY " quantize --out " + Path("golden") + Options() +
                    options);
  }
};

// Ranges and zero points are torch's after the same two batches.
TEST_F(TwoInputs, EachSeesItsOwnData) {
  const ShellOutcome outcome = QuantizeSum("");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("calibrating, batch 2 of 2"), std::string::npos);
  const JsonFile qparams = JsonFile::Read(folder_ / "golden/qparams.json");
  const struct {
    const char* observes;
    double min;
    double max;
    int64_t zero_point;
  } expected[] = {{"x", -2, 3, 102},
                  {"y", -8, 4, 170},
                  {"a", -1.25, 1, 142},
                  {"b", -1.5, 4, 70},
                  {"add", -2.25, 3.1875, 106}};
  ASSERT_EQ(qparams.root().size(), std::size(expected));
  for (const auto& want : expected) {
    const auto found =
        std::find_if(qparams.root().begin(), qparams.root().end(),
                     [&](const auto& each) { return each["observes"] == want.observes; });
    ASSERT_NE(found, qparams.root().end()) << want.observes;
    EXPECT_EQ((*found)["min"], want.min) << want.observes;
    EXPECT_EQ((*found)["max"], want.max) << want.observes;
    EXPECT_EQ((*found)["zero_point"], want.zero_point) << want.observes;
  }
  // The sample is the first row of each.
  const OrderedMap<Tensor> values =
      ReadSafetensors(folder_ / "golden/values.safetensors");
  for (const auto& [name, row] : {std::pair("x", Reals({1, 3}, {-1, 0, 2})),
                                  std::pair("y", Reals({1, 3}, {4, -4, 1}))}) {
    const Tensor* value = values.Find(name);
    ASSERT_NE(value, nullptr) << name;
    EXPECT_TRUE(BitEqual(*value, row)) << name;
  }
  const ShellOutcome verified =
      RunShell(QCONFORM_BINARY " golden verify " + Path("golden") + Options());
  EXPECT_EQ(verified.exit_code, 0) << verified.output;
  const ShellOutcome explained = RunShell(
      QCONFORM_BINARY " explain --config native --graph " + Path("sum.graph.json"));
  EXPECT_EQ(explained.exit_code, 0) << explained.output;
}

TEST_F(TwoInputs, WhatIsNotNamedAfterThemIsRefused) {
  OrderedMap<Tensor> data;
  data.Set("batch0", Reals({1, 3}, {1, 2, 3}));
  WriteSafetensors(Path("data.safetensors"), data);
  ExpectRefused(QuantizeSum(""), "expected BATCH.INPUT, that is 0.x, 0.y, 1.x, ...");
}

// _convert_to_reference_decomposed_fx on the same model and data.
TEST_F(TwoInputs, DecomposedReferenceIsTorchs) {
  ASSERT_EQ(QuantizeSum("--quiet --decomposed").exit_code, 0);
  const GraphModule module = ReadGraphFile(Path("golden.decomposed.graph.json"));
  std::vector<std::string> targets;
  std::vector<int64_t> zero_points;
  for (const Node& node : module.graph.nodes()) {
    targets.push_back(node.target());
    if (node.target() == "quantized_decomposed.quantize_per_tensor.default") {
      zero_points.push_back(*node.args()[2].As<int64_t>());
      EXPECT_EQ(*node.args()[3].As<int64_t>(), 0);
      EXPECT_EQ(*node.args()[4].As<int64_t>(), 255);
      EXPECT_EQ(*node.args()[5].As<DType>(), DType::kUInt8);
    }
  }
  const std::string q = "quantized_decomposed.quantize_per_tensor.default";
  const std::string dq = "quantized_decomposed.dequantize_per_tensor.default";
  EXPECT_EQ(targets, (std::vector<std::string>{"x", q, dq, "y", q, dq, "a", q, dq, "b", q,
                                               dq, "operator.add", q, dq, "output"}));
  EXPECT_EQ(zero_points, (std::vector<int64_t>{102, 170, 142, 70, 106}));
}

// A built-in mapping, what export prints of it, and names inside a file are one thing.
TEST_F(QuantizeVerb, MappingsGoByName) {
  const std::string exported = Path("exported.json");
  ASSERT_EQ(RunShell(QCONFORM_BINARY " export mapping symmetric_qnnpack > " + exported)
                .exit_code,
            0);
  ASSERT_EQ(Quantize("named", "--mapping symmetric_qnnpack").exit_code, 0);
  ASSERT_EQ(Quantize("exported", "--mapping " + exported).exit_code, 0);
  ASSERT_EQ(Quantize("default", "--mapping default:x86").exit_code, 0);
  ASSERT_EQ(Quantize("none", "").exit_code, 0);
  EXPECT_EQ(ReadText(folder_ / "named/manifest.json"),
            ReadText(folder_ / "exported/manifest.json"));
  EXPECT_EQ(ReadText(folder_ / "default/manifest.json"),
            ReadText(folder_ / "none/manifest.json"));
  EXPECT_NE(ReadText(folder_ / "named/manifest.json"),
            ReadText(folder_ / "none/manifest.json"));
  ExpectRefused(Quantize("out", "--mapping default:x68"), "default_qat:qnnpack");
  ExpectRefused(
      Quantize("out",
               "--mapping " + Written("typo.json", "{\n\"global\": \"defalt_qconfig\"}")),
      "typo.json:2: unknown qconfig 'defalt_qconfig', expected 'default_qconfig'");
}

TEST_F(QuantizeVerb, IgnoredKeysOfAConfigAreNoted) {
  std::string text = RunShell(QCONFORM_BINARY " export config x86").output;
  const std::string field = "\"observation_type\"";
  text.replace(text.find(field), field.size(),
               "\"observation_typ\": 1, \"observation_type\"");
  const ShellOutcome outcome = RunShell(QCONFORM_BINARY " explain --model " + kModel +
                                        " --config " + Written("typo.json", text));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("unknown key 'observation_typ' of an entry of a backend "
                                "config is ignored, expected 'observation_type'"),
            std::string::npos)
      << outcome.output.substr(0, 500);
}

}  // namespace
}  // namespace qconform
