// What quantize writes, where, and what it says of it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class QuantizeWrites : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    fs::copy(fs::path(QCONFORM_SOURCE_DIR) / "datasets/models/digits", folder_ / "model");
  }

  ShellOutcome Quantize(const std::string& options) const {
    return RunShell(QCONFORM_BINARY " quantize --model " + Path("model") +
                    " --config x86 " + options);
  }

  // Nothing in the folder changes.
  void ExpectRefused(const std::string& options, const std::string& what) const {
    const auto files = [&] {
      std::string text;
      for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        text += entry.path().string() + "\n";
        if (entry.is_regular_file()) text += ReadText(entry.path());
      }
      return text;
    };
    const std::string before = files();
    const ShellOutcome outcome = Quantize(options);
    EXPECT_EQ(outcome.exit_code, 4) << options << "\n" << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << options << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(what), std::string::npos) << outcome.output;
    EXPECT_TRUE(files() == before) << options;
  }
};

TEST_F(QuantizeWrites, PlacesAreCheckedBeforeAnythingIsDone) {
  const std::string out = "--out " + Path("out") + " ";
  const std::string file = Written("file", "mine");
  ExpectRefused(out + "--summary " + Path("file/summary.json"), "cannot be written");
  ExpectRefused(out + "--summary " + Path("model"), "this is a folder");
  ExpectRefused(out + "--summary " + Path("out"), "collides with the golden's folder");
  ExpectRefused(out + "--summary " + Path("model/../out/summary.json"),
                "collides with the golden's folder");
  ExpectRefused(out + "--decomposed --summary " + Path("out.decomposed.safetensors"),
                "is written twice");
  ExpectRefused(out + "--summary " + Path("model/float.graph.json"), "is read as well");
  ExpectRefused("--out " + file, "cannot be written");
  // Its float.safetensors is the model's too.
  ExpectRefused("--out " + Path("model"), "which is read, lies in it");
  fs::create_directories(Path("out.fbgemm.graph.json"));
  ExpectRefused(out + "--native fbgemm", "this is a folder");
}

// What it wrote into the model's folder is no input of the second run.
TEST_F(QuantizeWrites, TwiceIntoTheModelsFolder) {
  for (int run = 0; run < 2; ++run) {
    const ShellOutcome outcome =
        Quantize("--quiet --native x86 --out " + Path("model/golden"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  }
}

TEST_F(QuantizeWrites, EverythingInItsPlace) {
  const ShellOutcome outcome =
      Quantize("--quiet --native fbgemm --decomposed --out " + Path("new/out/") +
               " --summary " + Path("new/summary.json"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  for (const char* file : {"out/manifest.json", "out.fbgemm.graph.json",
                           "out.decomposed.graph.json", "summary.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / "new" / file)) << file;
  }
}

// explain says the same.
TEST_F(QuantizeWrites, CustomSettingsWithoutEffectAreListed) {
  const std::string prepare =
      Written("prepare.json", R"({"preserved_attributes": ["anchors"],
"non_traceable_module_name": ["conv1"], "output_quantized_idxs": [7]})");
  const std::string convert =
      Written("convert.json", R"({"preserved_attributes": ["sizes"]})");
  const ShellOutcome outcome = Quantize(
      "--quiet --out " + Path("out") + " --summary " + Path("summary.json") +
      " --prepare-custom-config " + prepare + " --convert-custom-config " + convert);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  const std::string summary = ReadText(folder_ / "summary.json");
  for (const char* setting : {"preserved_attributes anchors", "output_quantized_idxs 7",
                              "preserved_attributes sizes"}) {
    EXPECT_NE(summary.find(std::string(setting) + " took effect nowhere: "),
              std::string::npos)
        << summary;
  }
  EXPECT_EQ(summary.find("conv1 took effect nowhere"), std::string::npos);
}

TEST_F(QuantizeWrites, QuantizedInputsAreNoted) {
  const std::string prepare = Written("prepare.json", R"({"input_quantized_idxs": [0]})");
  const ShellOutcome outcome =
      Quantize("--quiet --out " + Path("out") + " --prepare-custom-config " + prepare);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output.rfind("note: input_quantized_idxs: ", 0), 0u)
      << outcome.output;
  EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
}

// mobilenet_v2 ends in a dropout, which is random in training, and has no weights.
TEST_F(QuantizeWrites, QatSwitchesDropoutOffAndTheFillIsNamed) {
  const std::string options = " --config qnnpack --qat --model " QCONFORM_SOURCE_DIR
                              "/datasets/vision/mobilenet_v2";
  const ShellOutcome outcome =
      RunShell(QCONFORM_BINARY " quantize --quiet --out " + Path("out") + options);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(ReadText(folder_ / "out/manifest.json").find(R"("fill": "kaiming.1")"),
            std::string::npos);
  const ShellOutcome verified = RunShell(QCONFORM_BINARY " golden verify " + Path("out"));
  EXPECT_EQ(verified.exit_code, 0) << verified.output;
}

}  // namespace
}  // namespace qconform
