// The lines that people come for, job by job: what a command prints has these shapes,
// whatever the numbers are. A log is read from its last lines, so these are fixed too.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "conformance/saboteurs/saboteur_files.h"

namespace qconform {
namespace {

constexpr const char* kDigest = "[0-9a-f]{12}";

class JobShapes : public FolderTest {
 protected:
  ShellOutcome Qconform(const std::string& arguments) const {
    return RunShell("cd " + folder_.string() + " && " QCONFORM_BINARY " " + arguments);
  }
  static std::string Backend(const std::string& fault) {
    return SaboteurFile("saboteur_" + fault).string();
  }
  std::string OneSidedConfig() const {
    return Written("my_npu.json", R"({"name": "my_npu", "configs": [
 {"pattern": "torch.nn.Linear",
  "root_module": "torch.nn.Linear",
  "reference_quantized_module_for_root": "torch.ao.nn.quantized.reference.Linear",
  "dtype_configs": [{"input_dtype": {"dtype": "torch.quint8", "quant_max_upper_bound": 127},
   "weight_dtype": "torch.qint8", "output_dtype": "torch.quint8"}]}]})");
  }
};

// Each shape is that of a whole line, one after the other, with other lines between.
void ExpectShapes(const ShellOutcome& outcome, const std::vector<std::string>& shapes) {
  std::istringstream lines(outcome.output);
  std::string line;
  size_t next = 0;
  while (next < shapes.size() && std::getline(lines, line))
    next += std::regex_match(line, std::regex(shapes[next])) ? 1 : 0;
  if (next < shapes.size()) {
    ADD_FAILURE() << "no line like '" << shapes[next] << "' in its place in\n"
                  << outcome.output;
  }
}

TEST_F(JobShapes, Job1IsMyBackendSane) {
  const ShellOutcome outcome = Qconform("doctor " + Backend("write_past_end"));
  EXPECT_EQ(outcome.exit_code, 6);
  ExpectShapes(
      outcome,
      {R"(abi +\d+\.\d+  \(harness speaks \d+\.\d+ - \d+\.\d+\) +ok)",
       std::string(R"(identity +\S+ \S+  sha256 )") + kDigest + " +ok",
       R"(declares +\d+ rows in config(, \d+ without any operator that implements it)? +(ok|warn  rows [\d, ]+))",
       R"(runs +linear \S+ \S+ on zeros, ones, ramp +ok)",
       R"(twice +(same bits on a second call +ok|the calls end before it +not run))",
       R"(bounds +writes past the end of output 0, at \+\d+ B +FAIL  qconform repro --backend \S+ 'doctor/\S+')"});
  EXPECT_EQ(Qconform("doctor " + Backend("none")).exit_code, 0);
}

TEST_F(JobShapes, Job2IsMyConfigSayingWhatIMean) {
  const std::string config = OneSidedConfig();
  const ShellOutcome lint = Qconform("lint my_npu.json");
  EXPECT_EQ(lint.exit_code, 1);
  ExpectShapes(
      lint,
      {R"(my_npu\.json:\d+ .*quant_max_upper_bound 127 without .*always satisfied.*)",
       R"(\d+ findings?: \d+ differs? between --mode=torch and --mode=strict)"});
  const ShellOutcome explain = Qconform("explain my_npu.json " QCONFORM_SOURCE_DIR
                                        "/datasets/models/digits/float.graph.json");
  ExpectShapes(
      explain,
      {R"(node \d+ +\w+ \(\S+\): float: no pattern of backend config my_npu matches \S+)",
       R"(node \d+ +classifier \(\S+\): quantized .* by pattern \S+, qconfig .*)",
       R"(\d+ nodes: .*)"});
  const ShellOutcome diff = Qconform("diff x86 my_npu.json");
  EXPECT_EQ(diff.exit_code, 1);
  ExpectShapes(diff, {"[<>] .*", R"(config  \d+ rows? changed, .*)"});
}

TEST_F(JobShapes, Job3RunTheSuiteAndReadTheVerdicts) {
  const ShellOutcome outcome =
      Qconform("run --backend " + Backend("pair_saturation") +
               " --suite first_light --suite elementwise --tier ci -j2");
  EXPECT_EQ(outcome.exit_code, 1);
  ExpectShapes(
      outcome,
      {std::string(R"(backend +\S+ \S+  sha256 )") + kDigest + "  config .*",
       R"(first_light/conv2d\.u8s8u8\.per_channel +\d+ pass +\d+ FAIL)",
       R"(first_light/\S+ +\d+ refused \(config has no row\)   \S.*)",
       R"(contract +\d+ of \d+ cells exercised(; \d+ listed in \S+, "contract")?)",
       R"(saboteurs +(\d+ of \d+ caught by these suites \(cached, harness \S+\)(; \d+ of \d+ cases did not run here)?|not known: .*))",
       R"(first +first_light/\S+)",
       R"( +FAIL, pair saturation; \d+ of \d+ failures share: .*)",
       R"( +y\[[\d,]+\] got -?\d+ want -?\d+ .*)",
       R"( +qconform repro --backend \S+ '\S+')",
       R"(crashed \d+, refused \d+, known \d+, unexpected passes \d+.*)",
       R"(\d+ passed, [1-9]\d* failed, \d+ skipped)"});
  const ShellOutcome scheme = Qconform("run --backend " + Backend("other_scheme") +
                                       " --suite first_light --filter '*linear*m4.*'");
  ExpectShapes(scheme,
               {R"(first_light/linear\S+ .* pass, exact modulo scheme \S+ \(declared\))",
                R"(\d+ passed, 0 failed, \d+ skipped)"});
  const ShellOutcome crash = Qconform("run --backend " + Backend("crash_in_run") +
                                      " --suite first_light --filter '*linear*m1.*'");
  ExpectShapes(crash, {R"(first_light/linear\S+ +\d+ CRASH\(SIGSEGV\))",
                       R"( +CRASH\(SIGSEGV\); all \d+ failures share: .*)",
                       R"(0 passed, \d+ failed, 0 skipped)"});
}

TEST_F(JobShapes, Job4ReproduceAndShrinkOneFailure) {
  const std::string backend = " --backend " + Backend("round_half_away");
  const std::string id = "x/linear.u8s8u8.per_tensor/m4.k40.n24.zx9.zy3/ties";
  const ShellOutcome repro = Qconform("repro '" + id + "'" + backend + " --in-process");
  EXPECT_EQ(repro.exit_code, 1);
  ExpectShapes(
      repro,
      {R"(case +\S+)", R"(backend +\S+ .*)", R"(verdict +FAIL, rounding.*)",
       R"( +y\[[\d,]+\] got -?\d+ want -?\d+ .*)", R"(0 passed, 1 failed, 0 skipped)"});
  const ShellOutcome shrink =
      Qconform("shrink '" + id + "'" + backend + " --budget 300s --out found.csv");
  ExpectShapes(shrink,
               {R"(\S+ -> \S+   \d+ candidates tried, deterministic)", R"(case +\S+)",
                R"(wrote one row to found\.csv   \(commit this\))"});
}

TEST_F(JobShapes, Job6LiveWithAKnownFailure) {
  const std::string header = "id,verdict,where,reason,issue,owner,since,expires\n";
  Written("known.csv", header +
                           "first_light/linear*/*/*,FAIL,any,halves go away from zero,"
                           "npu-812,npu-team,0.3,9999-02-01\n");
  const std::string run = "run --backend " + Backend("round_half_away") +
                          " --filter '*linear*m1.*' --known known.csv --out run.jsonl";
  const ShellOutcome outcome = Qconform(run);
  ExpectShapes(outcome, {R"(known +\d+ \(\d+ expired\)(   UNEXPECTED PASS \d+: \S+)?)",
                         R"(\d+ passed, \d+ failed, \d+ skipped)"});
  ExpectShapes(Qconform("known update run.jsonl --known known.csv"),
               {R"(--- .*known\.csv)", R"(\+\+\+ .*known\.csv)", R"(@@ .*)"});
}

TEST_F(JobShapes, Job7WhatChangedBetweenTwoReleases) {
  const std::string run = " --filter '*linear*' --out ";
  Qconform("run --backend " + Backend("none") + run + "old.jsonl");
  Qconform("run --backend " + Backend("pair_saturation") + run + "new.jsonl");
  const ShellOutcome diff = Qconform("diff old.jsonl new.jsonl");
  EXPECT_EQ(diff.exit_code, 1);
  ExpectShapes(diff, {R"(same bits \d+, newly failing \d+.*)",
                      R"(newly failing +first_light/\S+   PASS -> FAIL  .*)",
                      std::string("< backend .* sha256 ") + kDigest,
                      std::string("> backend .* sha256 ") + kDigest});
  EXPECT_EQ(Qconform("diff old.jsonl old.jsonl").exit_code, 0);
}

#ifdef QCONFORM_HALIDE_BACKEND
TEST_F(JobShapes, Job9SameBitsOnEveryPath) {
  const ShellOutcome outcome =
      Qconform("run --backend " QCONFORM_HALIDE_BACKEND
               " --suite first_light --filter '*linear*m1.*' --isa all");
  EXPECT_EQ(outcome.exit_code, 0);
  ExpectShapes(outcome, {R"(paths +\w+(=\w+)*   \d+ cases)",
                         R"(\d+ passed, 0 failed, \d+ skipped)"});
}
#endif

}  // namespace
}  // namespace qconform
