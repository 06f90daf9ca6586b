// probe and infer as a user meets them: the lines, their order, exit codes, files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"
#include "conformance/adapters/scalar/scalar_config.h"
#include "conformance/saboteurs/saboteur_files.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

ShellOutcome Qconform(const std::string& arguments) {
  return RunShell(QCONFORM_BINARY " " + arguments);
}

std::string Saboteur(const std::string& fault) {
  return SaboteurFile("saboteur_" + fault).string();
}

// Each pattern matches a line, and behind the one before it.
void ExpectLines(const std::string& text, const std::vector<std::string>& patterns) {
  auto from = text.cbegin();
  for (const std::string& pattern : patterns) {
    std::smatch match;
    ASSERT_TRUE(std::regex_search(from, text.cend(), match, std::regex(pattern)))
        << pattern << "\nin\n"
        << text;
    from = match[0].second;
  }
}

class ProbeInfer : public FolderTest {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
};

TEST_F(ProbeInfer, ProbeNamesTheScheme) {
  const ShellOutcome outcome =
      Qconform("probe " + std::string(QCONFORM_SCALAR_BACKEND) + " --op requantize");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  ExpectLines(
      outcome.output,
      {"accumulator +s32, wraps +\\(evidence: ([0-9]+) of \\1 witnesses\\)\n",
       "multiplier +f32, .*\\(not .*: acc=.* -> -?[0-9]+, not -?[0-9]+\\)\n",
       "ties +half to even +\\(not half .*: acc=.* -> -?[0-9]+, not -?[0-9]+\\)\n",
       "bias +f32, not rounded +\\(not rounded to s32, then added: acc=",
       "zero point +added after rounding +\\(not added before rounding: acc=",
       "clamp +after zero point\n", "relu +at the zero point\n",
       "beyond s32 +products saturate", "NaN +becomes code 0 ",
       "scheme +f32/one/even/bias_f32/zp_after +[0-9]+ probes in [0-9]+ calls, "
       "unique among 128 known schemes\n",
       "declare it: +requantize = \"f32/one/even/bias_f32/zp_after\"\n",
       "declares +\"f32/one/even/bias_f32/zp_after\"\n"});
  EXPECT_EQ(
      Qconform("probe --op requantize " + std::string(QCONFORM_SCALAR_BACKEND)).output,
      outcome.output)
      << "the same every time";
}

TEST_F(ProbeInfer, ProbeSaysWhatHasNoNameAndWhatIsNotDeclared) {
  const ShellOutcome lie = Qconform("probe " + Saboteur("round_half_up"));
  EXPECT_EQ(lie.exit_code, 1) << lie.output;
  ExpectLines(lie.output, {"ties +half toward \\+inf +\\(not half to even: acc=",
                           "scheme +f32/one/up/bias_f32/zp_after ",
                           "declares +\"f32/one/even/bias_f32/zp_after\": that is not "
                           "what it does\n"});
  const ShellOutcome none = Qconform("probe " + Saboteur("multiplier_16_bits"));
  EXPECT_EQ(none.exit_code, 1) << none.output;
  ExpectLines(none.output,
              {"scheme +no known scheme ", "closest +[^ ]+, [0-9]+ of [0-9]+ codes\n",
               "disagrees +acc=.* -> -?[0-9]+, not -?[0-9]+\n"});
  const ShellOutcome crash = Qconform("probe " + Saboteur("crash_in_run"));
  EXPECT_EQ(crash.exit_code, 1) << crash.output;
  EXPECT_NE(crash.output.find("CRASH(SIGSEGV) in run"), std::string::npos);
  const ShellOutcome refused = Qconform("probe " + Saboteur("refuse_declared"));
  EXPECT_EQ(refused.exit_code, 5) << refused.output;
  EXPECT_NE(refused.output.find("not today"), std::string::npos);
  EXPECT_EQ(Qconform("probe " + Saboteur("refuse_declared") + " --op add").exit_code, 5);
  EXPECT_EQ(Qconform("probe nowhere.so").exit_code, 6);
  const ShellOutcome unknown = Qconform("probe " + Saboteur("none") + " --op frobnicate");
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_EQ(unknown.Lines(), 1) << unknown.output;
}

TEST_F(ProbeInfer, ProbeAsksOperatorsAndSpeaksJson) {
  const std::string scalar = QCONFORM_SCALAR_BACKEND;
  const ShellOutcome add = Qconform("probe " + scalar + " --op add");
  EXPECT_EQ(add.exit_code, 0) << add.output;
  ExpectLines(add.output, {"multiplier +none: f32 values, times 1/so +\\(not ",
                           "ties +half to even +\\(not ", "scheme +real/one/even/",
                           "declare it: +add = \"real/one/even/bias_f32/zp_after\"\n"});
  const ShellOutcome json = Qconform("probe " + scalar + " --op quantize --json");
  EXPECT_EQ(json.exit_code, 0) << json.output;
  ExpectLines(json.output, {"\"subject\": \"quantize\"", "\"name\": \"NaN\"",
                            "\"schemes\": ", "real/one/even/bias_f32/zp_after"});
}

TEST_F(ProbeInfer, ProbeLeavesOpenWhatNoAnswerTells) {
  const std::string scalar = QCONFORM_SCALAR_BACKEND;
  const ShellOutcome sigmoid = Qconform("probe --backend " + scalar + " --op sigmoid");
  EXPECT_EQ(sigmoid.exit_code, 0) << sigmoid.output;
  ExpectLines(sigmoid.output,
              {"repeatable +same bits on a second call", "cannot be told apart: ",
               "undecided +[0-9]+ schemes give every code that was seen",
               "declares +\"real/one/even/bias_f32/zp_after\": one of these\n"});
  EXPECT_EQ(sigmoid.output.find("declare it:"), std::string::npos);
}

TEST_F(ProbeInfer, ProbeAsksForAllThatABackendTakes) {
  const ShellOutcome all = Qconform("probe " + Saboteur("none") + " --op all");
  EXPECT_EQ(all.exit_code, 0) << all.output;
  ExpectLines(all.output, {"^== requantize\nasked +", "\n\n== relu\nasked +"});
  EXPECT_EQ(all.output.find("refused"), std::string::npos);
  EXPECT_EQ(Qconform("probe " + Saboteur("refuse_declared") + " --op all").exit_code, 5);
  const ShellOutcome wrong = Qconform("probe --nonsense");
  EXPECT_EQ(wrong.exit_code, 4);
  EXPECT_EQ(wrong.Lines(), 1) << wrong.output;
  EXPECT_NE(wrong.output.find("`qconform probe --help`"), std::string::npos)
      << wrong.output;
}

// The scalar backend declares all that it computes.
TEST_F(ProbeInfer, InferredEqualsDeclaredWhereABackendIsHonest) {
  const std::string declared = Write("declared.json", ScalarConfig());
  const ShellOutcome outcome = Qconform("infer " + std::string(QCONFORM_SCALAR_BACKEND) +
                                        " --only-declared -o " + Path("inferred.json"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  ExpectLines(outcome.output,
              {"^declared +[0-9]+ honoured, 0 refused\n", "beyond +0 honoured",
               "left out +0 accepted", "wrote +.*inferred.json after [0-9]+ calls\n"});
  const ShellOutcome diff = Qconform("diff " + declared + " " + Path("inferred.json"));
  EXPECT_EQ(diff.output, "");
  EXPECT_EQ(diff.exit_code, 0);
}

TEST_F(ProbeInfer, InferShowsWhatABackendReallyHonours) {
  const std::string declared = Write("declared.json", R"({"name": "saboteur", "configs": [
        {"pattern": "torch.nn.modules.linear.Linear", "dtype_configs": [
          {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8",
           "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]}]})");
  const std::string options =
      " --config " + declared + " -o " + Path("inferred.json") + " ";
  const ShellOutcome narrow =
      Qconform("infer " + Saboteur("pair_saturation") + options + "--only-declared");
  EXPECT_EQ(narrow.exit_code, 0) << narrow.output;
  ExpectLines(narrow.output,
              {"honours +torch.nn.*Linear .*: input quant_min_lower_bound 0, "
               "input quant_max_upper_bound 1[0-9]+\n"});
  const ShellOutcome diff = Qconform("diff " + declared + " " + Path("inferred.json"));
  EXPECT_EQ(diff.exit_code, 1);
  EXPECT_NE(diff.output.find("quant_max_upper_bound"), std::string::npos) << diff.output;
  const ShellOutcome wide = Qconform("infer " + Saboteur("none") + options);
  EXPECT_EQ(wide.exit_code, 0) << wide.output;
  ExpectLines(wide.output, {"beyond +torch.nn.*Linear .*qint8.qint8.qint8.float32"});
  const ShellOutcome wrong =
      Qconform("infer " + Saboteur("zero_point_twice") + options + "--only-declared");
  EXPECT_EQ(wrong.exit_code, 1) << wrong.output;
  ExpectLines(wrong.output,
              {"wrong +torch.nn.*Linear .*: y\\[.* got ", "left out +1 accepted"});
  EXPECT_EQ(
      Qconform("infer " + Saboteur("none") + " --under f32/none" + options).exit_code, 4);
}

#ifdef QCONFORM_HALIDE_BACKEND
TEST_F(ProbeInfer, HalideIsWhatItDeclares) {
  const std::string halide = QCONFORM_HALIDE_BACKEND;
  const ShellOutcome probe = Qconform("probe " + halide);
  EXPECT_EQ(probe.exit_code, 0) << probe.output;
  ExpectLines(probe.output, {"accumulator +s32, wraps ",
                             "scheme +f32/one/even/bias_f32/zp_after .*unique among"});
  const ShellOutcome infer =
      Qconform("infer " + halide + " --only-declared -o " + Path("inferred.json"));
  EXPECT_EQ(infer.exit_code, 0) << infer.output;
  // No call of the harness holds packed codes of four bits.
  std::ifstream file(QCONFORM_SOURCE_DIR "/kernels/backend/config.json");
  std::stringstream declared;
  declared << file.rdbuf();
  std::ofstream(Path("declared.json")) << std::regex_replace(
      declared.str(), std::regex(",\\s*\\{[^{}]*quint4x2[^{}]*\\}"), "");
  const ShellOutcome diff =
      Qconform("diff " + Path("declared.json") + " " + Path("inferred.json"));
  EXPECT_EQ(diff.output, "");
  EXPECT_EQ(diff.exit_code, 0);
}
#endif

}  // namespace
}  // namespace qconform
