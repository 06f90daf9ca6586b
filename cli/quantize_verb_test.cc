// What quantize takes beyond a model and a config: QAT, a state_dict, custom configs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cli/shell_outcome.h"
#include "datasets/catalogue.h"
#include "reference/formats/safetensors.h"
#include "reference/golden/quantize_model.h"
#include "reference/observe/state_dict.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

const std::string kModel = QCONFORM_SOURCE_DIR "/datasets/models/digits";

std::string ReadText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class QuantizeVerb : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  std::string Written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return Path(name);
  }

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

  fs::path folder_;
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
                "expected");
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

}  // namespace
}  // namespace qconform
