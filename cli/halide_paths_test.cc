// The Halide backend on every path of this machine: equal to the reference to the bit
// on the first suite and on the committed models' goldens. A copy with one wrong
// rounding must fail, or these passes mean nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"

namespace qconform {
namespace {

bool MachineHas(const std::string& path) {
  if (path == "sse41") return __builtin_cpu_supports("sse4.1");
  if (path == "avx2") return __builtin_cpu_supports("avx2");
  const bool avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  return path == "avx512" ? avx512 : avx512 && __builtin_cpu_supports("avx512vnni");
}

class HalidePath : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!MachineHas(GetParam())) GTEST_SKIP() << GetParam() << " is not on this machine";
    folder_ = ProcessFolder() / GetParam();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  ShellOutcome Judge(const std::string& backend, const std::string& what) const {
    return RunShell("QCONFORM_ISA=" + std::string(GetParam()) + " " QCONFORM_BINARY +
                    " run --backend " + backend + " " + what + " --out " +
                    (folder_ / "run.jsonl").string());
  }

  // Everything that ran passed, and it ran on the path that was asked for.
  void ExpectEqual(const std::string& what) const {
    const ShellOutcome outcome = Judge(QCONFORM_HALIDE_BACKEND, what);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find(" 0 failed"), std::string::npos) << outcome.output;
    const ShellOutcome paths = RunShell("grep -o '\"path\":\"[a-z0-9]*\"' " +
                                        (folder_ / "run.jsonl").string() + " | sort -u");
    EXPECT_EQ(paths.output, "\"path\":\"" + std::string(GetParam()) + "\"\n");
  }

  std::filesystem::path folder_;
};

TEST_P(HalidePath, EqualsTheReferenceOnTheSuite) { ExpectEqual("--suite first_light"); }

TEST_P(HalidePath, AcceptsWhatItDeclaresAndNothingElse) { ExpectEqual("--contract"); }

// Each convolution and linear of the committed goldens is declared and equal: a backend
// that declared less would only be skipped.
TEST_P(HalidePath, EqualsTheReferenceOnTheGoldens) {
  for (const auto& [model, operators] : {std::pair("digits", 5), {"crepe_tiny", 7}}) {
    for (const char* config : {"x86", "qnnpack"}) {
      ExpectEqual(std::string("--golden " QCONFORM_SOURCE_DIR "/datasets/goldens/") +
                  model + "/" + config);
      int passed = 0;
      std::ifstream journal(folder_ / "run.jsonl");
      for (std::string line; std::getline(journal, line);) {
        const auto record = nlohmann::json::parse(line);
        const std::string kind = record.value("kind", "");
        if (!kind.starts_with("conv") && kind != "linear") continue;
        EXPECT_EQ(record.value("verdict", ""), "PASS") << line;
        ++passed;
      }
      EXPECT_EQ(passed, operators) << model << " for " << config;
    }
  }
}

TEST_P(HalidePath, OneWrongRoundingFails) {
  const ShellOutcome outcome =
      Judge(QCONFORM_WRONG_ROUNDING_BACKEND, "--suite first_light");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("rounding"), std::string::npos) << outcome.output;
}

// All paths in one run, clustered by their bits.
TEST(HalidePaths, AgreeOnEveryPath) {
  const std::string journal = ProcessFolder() / "run.jsonl";
  const ShellOutcome outcome =
      RunShell(QCONFORM_BINARY " run --isa all --backend " QCONFORM_HALIDE_BACKEND
                               " --filter '*linear*' --out " +
               journal);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("paths       sse41=avx2"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("!="), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Paths, HalidePath,
                         testing::Values("sse41", "avx2", "avx512", "avx512vnni"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace qconform
