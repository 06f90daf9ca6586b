// Shards and merge, repro, shrink, known failures and JUnit, as a user meets them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/journal.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

ShellOutcome Qconform(const std::string& arguments, const std::string& environment = "") {
  return RunShell(environment + " " QCONFORM_BINARY " " + arguments);
}

class JudgeVerbs : public FolderTest {
 protected:
  static std::string Backend(const std::string& fault) {
    return " --backend " + SaboteurFile("saboteur_" + fault).string();
  }
  // Small cases of the suite.
  ShellOutcome Run(const std::string& fault, const std::string& arguments,
                   const std::string& environment = "") const {
    return Qconform(
        "run" + Backend(fault) + " --filter '*linear*m1.*:*/n1.c3.i13x11*' " + arguments +
            (arguments.find("--out") == std::string::npos ? " --out " + Path("run.jsonl")
                                                          : ""),
        environment);
  }
  std::string FirstFailure(const std::string& fault) const {
    const ShellOutcome outcome = Run(fault, "--out " + Path("first.jsonl"));
    std::smatch match;
    EXPECT_TRUE(std::regex_search(outcome.output, match, std::regex("first +(.*)")))
        << outcome.output;
    return match[1];
  }
};

TEST_F(JudgeVerbs, MergedShardsAreTheWholeRun) {
  const ShellOutcome whole = Run("none", "-j 3 --shuffle --out " + Path("whole.jsonl"));
  EXPECT_EQ(whole.exit_code, 0) << whole.output;
  EXPECT_NE(whole.output.find("shuffled    --seed "), std::string::npos);
  EXPECT_EQ(Run("none", "--shard 1/3 --out " + Path("1.jsonl")).exit_code, 0);
  EXPECT_EQ(Run("none", "--shard 3/3 --out " + Path("3.jsonl")).exit_code, 0);
  const std::string parts = Path("1.jsonl") + " " + Path("3.jsonl");
  const ShellOutcome missing = Qconform("merge " + parts + " -o " + Path("m.jsonl"));
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.output.find("missing     shard 2/3\n"), std::string::npos)
      << missing.output;
  EXPECT_EQ(
      Run("none", "--out " + Path("2.jsonl"), "GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=1")
          .exit_code,
      0);
  const ShellOutcome merged =
      Qconform("merge " + parts + " " + Path("2.jsonl") + " -o " + Path("m.jsonl"));
  EXPECT_EQ(merged.exit_code, 0) << merged.output;
  EXPECT_EQ(merged.LastLine(), whole.LastLine());
  const ShellOutcome diff =
      Qconform("diff --bits " + Path("whole.jsonl") + " " + Path("m.jsonl"));
  EXPECT_EQ(diff.output, "");
  EXPECT_EQ(diff.exit_code, 0);
  Run("print", "--shard 2/3 --out " + Path("other.jsonl"));
  const ShellOutcome unlike =
      Qconform("merge " + parts + " " + Path("other.jsonl") + " -o " + Path("n.jsonl"));
  EXPECT_EQ(unlike.exit_code, 4);
  EXPECT_EQ(unlike.Lines(), 1) << unlike.output;
  EXPECT_FALSE(fs::exists(Path("n.jsonl")));
}

TEST_F(JudgeVerbs, ABackendThatAlwaysCrashesStillEnds) {
  const ShellOutcome outcome = Run("crash_in_run", "-j 2 --junit " + Path("junit.xml"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("restarts "), std::string::npos) << outcome.output;
  EXPECT_TRUE(
      std::regex_search(outcome.output, std::regex("all [0-9]+ failures share: CRASH")))
      << outcome.output;
  const std::string junit = ReadText(Path("junit.xml"));
  EXPECT_NE(junit.find("<error message=\"CRASH(SIGSEGV)"), std::string::npos);
  EXPECT_NE(junit.find("value=\"qconform repro --backend "), std::string::npos);
}

TEST_F(JudgeVerbs, ReproNeedsNothingButTheId) {
  const std::string id = FirstFailure("round_half_away");
  for (const char* how : {"", " --in-process"}) {
    const ShellOutcome outcome =
        Qconform("repro '" + id + "'" + Backend("round_half_away") + how);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_TRUE(std::regex_search(outcome.output, std::regex("verdict +FAIL, rounding")))
        << outcome.output;
    EXPECT_NE(outcome.output.find(" got "), std::string::npos);
    EXPECT_EQ(outcome.LastLine(), "0 passed, 1 failed, 0 skipped");
  }
  EXPECT_EQ(Qconform("repro '" + id + "'" + Backend("none")).exit_code, 0);
  EXPECT_EQ(
      Qconform("repro digits.x86/program/end_to_end/real" + Backend("none")).exit_code, 0)
      << "a golden's case by its name";
  EXPECT_EQ(Qconform("repro nonsense" + Backend("none")).exit_code, 4);
  EXPECT_EQ(Qconform("repro '" + id + "' --break" + Backend("none")).exit_code, 4)
      << "a debugger cannot stop in a worker";
}

TEST_F(JudgeVerbs, ShrinkWritesOneRowThatFailsAlike) {
  const std::string id = FirstFailure("round_half_away");
  const std::string shrink = "shrink '" + id + "'" + Backend("round_half_away") +
                             " --budget 300s --out " + Path("found.csv");
  const ShellOutcome outcome = Qconform(shrink);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("deterministic"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("wrote one row to"), std::string::npos) << outcome.output;
  const std::string text = ReadText(Path("found.csv"));
  const ShellOutcome again = Qconform(shrink);
  EXPECT_NE(again.output.find("holds it already"), std::string::npos) << again.output;
  EXPECT_EQ(ReadText(Path("found.csv")), text);
  const ShellOutcome run = Qconform("run" + Backend("round_half_away") + " --suite " +
                                    Path("found.csv") + " --out " + Path("found.jsonl"));
  EXPECT_EQ(run.LastLine(), "0 passed, 1 failed, 0 skipped") << run.output;
  EXPECT_NE(run.output.find("FAIL, rounding"), std::string::npos) << run.output;
  EXPECT_EQ(Qconform("shrink '" + id + "'" + Backend("none")).exit_code, 4);
}

// Before it would make the folders, and it tried the cases first.
TEST_F(JudgeVerbs, ShrinkWritesWhereItIsTold) {
  const std::string id = FirstFailure("round_half_away");
  const auto shrink = [&](const std::string& arguments) {
    return RunShell("cd " + folder_.string() + " && " QCONFORM_BINARY " shrink '" + id +
                    "'" + Backend("round_half_away") + " --budget 300s" + arguments);
  };
  const ShellOutcome nowhere = shrink(" --out no/found.csv");
  EXPECT_EQ(nowhere.exit_code, 4);
  EXPECT_EQ(nowhere.Lines(), 1) << nowhere.output;
  EXPECT_NE(nowhere.output.find("there is no folder"), std::string::npos);
  EXPECT_FALSE(fs::exists(Path("no")));
  const std::string wrote = "wrote one row to found.csv   (commit this)\n";
  EXPECT_TRUE(shrink("").output.ends_with(wrote + "run it with --suite found.csv\n"));
  EXPECT_TRUE(fs::exists(Path("found.csv")));
  EXPECT_FALSE(fs::exists(Path("datasets")));
  fs::create_directories(folder_ / "datasets/suites");
  EXPECT_EQ(shrink("").LastLine(), "run it with --suite datasets/suites/found.csv");
}

TEST_F(JudgeVerbs, ShrinkTakesRowsOfSuitesOnly) {
  for (const char* id :
       {"digits.x86/linear.u8s8u8.per_channel/classifier/real",
        "doctor/linear.u8s8u8.per_tensor.bias_f32/m1.k8.n8.zx3.zy5/ones"}) {
    const ShellOutcome outcome =
        Qconform("shrink " + std::string(id) + Backend("crash_in_run"));
    EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
    EXPECT_NE(outcome.output.find("is no row of a suite"), std::string::npos)
        << outcome.output;
  }
}

TEST_F(JudgeVerbs, KnownFailuresAreSkippedUntilTheyAreNot) {
  const std::string header = "id,verdict,where,reason,issue,owner,since,expires\n";
  const std::string rest = ",any,why,npu-1,me,0.3,";
  std::ofstream(Path("known.csv"))
      << header << "first_light/*,CRASH" << rest << "9999-01-01\n";
  const std::string known = "--known " + Path("known.csv");
  const ShellOutcome outcome = Run("crash_in_run", known);
  EXPECT_TRUE(
      std::regex_search(outcome.output, std::regex("known +[1-9][0-9]* \\(0 expired\\)")))
      << outcome.output;
  EXPECT_NE(outcome.output.find(" 0 failed, "), std::string::npos) << outcome.output;
  const ShellOutcome passes = Run("none", known);
  EXPECT_EQ(passes.exit_code, 1);
  EXPECT_NE(passes.output.find("UNEXPECTED PASS"), std::string::npos) << passes.output;
  const ShellOutcome patch = Qconform("known update " + Path("run.jsonl") + " " + known);
  EXPECT_EQ(patch.exit_code, 1);
  EXPECT_NE(patch.output.find("\n-first_light/*,CRASH"), std::string::npos)
      << patch.output;
  std::ofstream(Path("known.csv"))
      << header << "first_light/*,CRASH" << rest << "2026-01-01\n"
      << "nothing/*,FAIL" << rest << "9999-01-01\n";
  const ShellOutcome stale = Run("crash_in_run", known);
  EXPECT_EQ(stale.exit_code, 1);
  EXPECT_NE(stale.output.find("EXPIRED"), std::string::npos) << stale.output;
  EXPECT_EQ(ReadText(Path("run.jsonl")).find("\"verdict\":\"KNOWN\""), std::string::npos);
  EXPECT_NE(ReadText(Path("run.jsonl")).find("'nothing/*' matches no case"),
            std::string::npos);
}

TEST_F(JudgeVerbs, KnownUpdateBeginsAList) {
  Run("crash_in_run", "");
  const std::string update =
      "known update " + Path("run.jsonl") + " --known " + Path("new.csv");
  const ShellOutcome patch = Qconform(update);
  EXPECT_EQ(patch.exit_code, 1) << patch.output;
  EXPECT_EQ(patch.output.find("--- /dev/null\n+++ " + Path("new.csv") + "\n@@ -0,0 +1,"),
            0u)
      << patch.output;
  EXPECT_NE(patch.output.find("\n+id,verdict,where,reason,issue,owner,since,expires\n+"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(Path("new.csv"))) << "it only prints";
}

// Nothing else is known of a backend whose calls crash.
TEST_F(JudgeVerbs, DoctorCallsNothingOkThatWasNotRun) {
  const ShellOutcome outcome =
      Qconform("doctor " + SaboteurFile("saboteur_crash_in_run").string());
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex("\nruns +CRASH.* FAIL ")))
      << outcome.output;
  for (const char* check : {"twice", "threads", "aligned", "bounds", "quiet"})
    EXPECT_TRUE(std::regex_search(
        outcome.output, std::regex("\n" + std::string(check) + " .* not run\n")))
        << outcome.output;
  const ShellOutcome wrong =
      Qconform("doctor " + SaboteurFile("saboteur_round_half_away").string());
  EXPECT_EQ(wrong.output.find("not run"), std::string::npos) << wrong.output;
}

TEST_F(JudgeVerbs, DoctorHearsWhatIsPrintedOnLoad) {
  const ShellOutcome outcome =
      Qconform("doctor " + SaboteurFile("saboteur_prints_on_load").string());
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_NE(outcome.output.find("prints 'saboteur: loaded' while it is loaded"),
            std::string::npos)
      << outcome.output;
}

TEST_F(JudgeVerbs, AConfigThatCannotBeReadIsTheBackendsFault) {
  const ShellOutcome outcome =
      Qconform("doctor " + SaboteurFile("unusable_unreadable_config").string());
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
  EXPECT_NE(outcome.output.find("config of unusable"), std::string::npos)
      << outcome.output;
}

TEST_F(JudgeVerbs, DoctorSaysHowToSeeItAgain) {
  const std::string backend = SaboteurFile("saboteur_write_past_end").string();
  const ShellOutcome outcome = Qconform("doctor " + backend);
  EXPECT_EQ(outcome.exit_code, 6);
  std::smatch match;
  ASSERT_TRUE(std::regex_search(outcome.output, match,
                                std::regex("bounds .* FAIL  qconform (repro .*)")))
      << outcome.output;
  EXPECT_EQ(Qconform(match[1]).exit_code, 1);
  for (const char* check : {"abi ", "identity ", "declares ", "runs ", "twice ",
                            "threads ", "aligned ", "bounds "})
    EXPECT_NE(("\n" + outcome.output).find(std::string("\n") + check), std::string::npos)
        << check;
}

}  // namespace
}  // namespace qconform
