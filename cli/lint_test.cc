// `qconform lint` as a user meets it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "reference/formats/json_file.h"

namespace qconform {
namespace {

ShellOutcome Lint(const std::string& arguments) {
  return RunShell(std::string(QCONFORM_BINARY) + " lint " + arguments);
}

std::string Write(const std::string& name, const std::string& text) {
  const std::string file = ProcessFolder() / name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

// The drawing in the users' second job: a one-sided bound and one that is never read.
constexpr const char* kConfig = R"({"name": "npu", "configs": [
 {"pattern": "torch.nn.Linear",
  "root_module": "torch.nn.Linear",
  "reference_quantized_module_for_root": "torch.ao.nn.quantized.reference.Linear",
  "dtype_configs": [
   {"input_dtype": {"dtype": "torch.qint8",
     "quant_max_upper_bound": 127},
    "output_dtype": {"dtype": "torch.qint8",
     "scale_max_upper_bound": 0.5},
    "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]}]}
)";

TEST(LintVerb, OneLineAFindingWithItsPlaceAndBothModes) {
  const std::string file = Write("config.json", kConfig);
  const ShellOutcome outcome = Lint(file);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_EQ(outcome.Lines(), 3) << outcome.output;
  EXPECT_NE(outcome.output.find(file + ":7  error    torch.nn.Linear input"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find(file + ":9  warning  torch.nn.Linear output"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("(strict: enforced)"), std::string::npos);
  EXPECT_EQ(outcome.LastLine(),
            "2 findings: 2 differ between --mode=torch and --mode=strict");
  const ShellOutcome strict = Lint(file + " --mode strict");
  EXPECT_EQ(strict.exit_code, 0) << strict.output;
  EXPECT_EQ(strict.LastLine(),
            "0 findings: 0 differ between --mode=torch and --mode=strict");
}

TEST(LintVerb, JsonForm) {
  const std::string file = Write("json.json", kConfig);
  const ShellOutcome outcome = Lint(file + " --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const JsonFile json = JsonFile::Parse(outcome.output, "output");
  ASSERT_EQ(json.root()["findings"].size(), 2u);
  EXPECT_EQ(json.root()["findings"][0]["kind"], "one_sided_bound");
  EXPECT_EQ(json.root()["findings"][0]["modes_differ"], true);
}

TEST(LintVerb, BuiltInConfigsAndTables) {
  const ShellOutcome qnnpack = Lint("qnnpack");
  EXPECT_EQ(qnnpack.exit_code, 0) << qnnpack.output;
  EXPECT_NE(qnnpack.output.find("qnnpack row "), std::string::npos) << qnnpack.output;
  const ShellOutcome table = Lint("x86 --table");
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.output.rfind("pattern ", 0), 0u);
  EXPECT_GT(table.Lines(), 192);
}

// The pipeline cannot load such a config; lint judges it all the same.
TEST(LintVerb, UnknownDTypeIsAFinding) {
  std::string config = kConfig;
  config.replace(config.find("torch.qint8"), 11, "torch.qunit8");
  const ShellOutcome outcome = Lint(Write("dtype.json", config));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("nearest known name torch.quint8"), std::string::npos)
      << outcome.output;
}

TEST(LintVerb, Mapping) {
  const std::string file = Write("mapping.json", R"({"object_type": [
 ["torch.nn.Linera", null]],
 "module_name_regex": [["features(", null]],
 "module_name": [["", null]]})");
  const ShellOutcome outcome = Lint("--mapping " + file);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find(":2  error"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("nearest known name torch.nn.Linear"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("does not compile"), std::string::npos) << outcome.output;
}

TEST(LintVerb, BadInputIsOneLineAndExitCode4) {
  for (const std::string& arguments :
       {std::string(), std::string("nowhere.json"), std::string("x86 --mode loose"),
        std::string("--table"), "--mapping " + Write("list.json", "[]"),
        Write("no_configs.json", "{}"), Write("cut.json", R"({"configs": [)"),
        Write("number.json", R"({"configs": [{"pattern": 3}]})"),
        Write("long.json", R"({"configs": [{"pattern": ["a", "b", "c", "d"]}]})"),
        Write("twice.json", R"({"configs": [], "configs": []})")}) {
    const ShellOutcome outcome = Lint(arguments);
    EXPECT_EQ(outcome.exit_code, 4) << arguments << "\n" << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << arguments << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace qconform
