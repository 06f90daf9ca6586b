// The verbs as a user meets them: what they print last, and their exit codes.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/journal.h"

extern char** environ;

namespace qconform {
namespace {

namespace fs = std::filesystem;

ShellOutcome Qconform(const std::string& arguments) {
  return RunShell(QCONFORM_BINARY " " + arguments);
}

std::string Backend(const std::string& name) { return SaboteurFile(name).string(); }

class RunVerb : public FolderTest {};
class ListVerb : public FolderTest {};
class DoctorVerb : public FolderTest {};

constexpr const char* kSmall = " --filter '*linear*m1.*:*/n1.c8.i5x5*'";

std::string RunCommand(const std::string& backend, const std::string& journal) {
  return "run --backend " + Backend(backend) + kSmall + " --timeout 60 --out " + journal;
}

TEST_F(RunVerb, AnHonestBackendPasses) {
  const std::string journal = Path("none.jsonl");
  const ShellOutcome outcome = Qconform(RunCommand("saboteur_none", journal));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(std::regex_match(
      outcome.LastLine(), std::regex("[1-9][0-9]* passed, 0 failed, [0-9]+ skipped")))
      << outcome.output;
  const Journal read = ReadJournal(journal);
  ASSERT_TRUE(read.footer);
  EXPECT_TRUE(read.footer->complete);
  EXPECT_EQ(read.footer->selected, static_cast<int64_t>(read.cases.size()));
}

TEST_F(RunVerb, IgnoredKeysOfTheConfigAreNoted) {
  const std::string config = Path("ignored.json");
  std::ofstream(config) << "{\"name\": \"npu\",\n\"confgs\": []}";
  const std::string note = "note: " + config +
                           ":2: unknown key 'confgs' of a backend config is ignored, "
                           "expected 'configs'\n";
  for (const std::string& arguments : {RunCommand("saboteur_none", Path("ignored.jsonl")),
                                       "doctor " + Backend("saboteur_none")}) {
    const ShellOutcome outcome = Qconform(arguments + " --config " + config);
    EXPECT_NE(outcome.output.find(note), std::string::npos) << outcome.output;
  }
}

// It would declare nothing, and every refusal would pass.
TEST_F(RunVerb, AMisspeltRowOfTheConfigIsAMistake) {
  const std::string config = Path("misspelt.json");
  std::ofstream(config) << R"({"name": "npu", "configs": [
    {"pattern": "torch.nn.Linaer",
     "dtype_configs": [{"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]}
    ]})";
  const ShellOutcome outcome = Qconform(
      RunCommand("saboteur_none", Path("misspelt.jsonl")) + " --config " + config);
  EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
  EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
  EXPECT_NE(outcome.output.find(config), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("torch.nn.Linaer"), std::string::npos) << outcome.output;
  const ShellOutcome exempt = Qconform(
      RunCommand("saboteur_none", Path("misspelt.jsonl")) + " --exempt " + config);
  EXPECT_EQ(exempt.exit_code, 4) << "exempt rows, and no contract that asks for rows";
  EXPECT_EQ(exempt.Lines(), 1) << exempt.output;
}

// One line each would hide what there is to read.
TEST_F(RunVerb, RefusalsAreCountedBehindTheFirst) {
  const std::string journal = Path("refused.jsonl");
  const ShellOutcome outcome =
      Qconform("run --backend " + Backend("saboteur_refuse_declared") +
               " --suite activation --suite pooling --tier smoke -o " + journal);
  size_t told = 0;
  for (size_t at = 0;
       (at = outcome.output.find("refused (config has no row)", at)) != std::string::npos;
       ++at)
    ++told;
  EXPECT_EQ(told, 4u) << outcome.output;
  EXPECT_TRUE(std::regex_search(
      outcome.output, std::regex("\n[1-9][0-9]* more groups +[1-9][0-9]* refused "
                                 "\\(config has no row\\) +listed in .*refused.jsonl\n")))
      << outcome.output;
}

TEST_F(RunVerb, ACrashFailsAndLosesNothing) {
  const std::string journal = Path("crash.jsonl");
  const ShellOutcome outcome = Qconform(RunCommand("saboteur_crash_in_run", journal));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("CRASH(SIGSEGV)"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(" 'first_light/"), std::string::npos);
  const Journal read = ReadJournal(journal);
  EXPECT_EQ(read.header->cases, static_cast<int64_t>(read.cases.size()));
}

TEST_F(RunVerb, ExitCodesOfUsage) {
  const std::string none = "run --backend " + Backend("saboteur_none");
  const std::string out = " --out " + Path("usage.jsonl");
  EXPECT_EQ(Qconform(none + out + " --filter no_such_case").exit_code, 5);
  EXPECT_EQ(Qconform(none + out + " --suite no_such_suite").exit_code, 4);
  EXPECT_EQ(Qconform(none + out + " --case first_light/nonsense").exit_code, 4);
  EXPECT_EQ(Qconform("run" + out).exit_code, 4);
  for (const char* zero : {"--threads 0", "--timeout -1", "--repeat x"}) {
    const ShellOutcome outcome = Qconform(none + out + " " + zero);
    EXPECT_EQ(outcome.exit_code, 4) << zero;
    EXPECT_NE(outcome.output.find("is no number above 0, expected"), std::string::npos)
        << outcome.output;
  }
  const ShellOutcome junit = Qconform(none + out + " --junit /proc/x.xml");
  EXPECT_EQ(junit.exit_code, 4);
  EXPECT_EQ(junit.Lines(), 1) << "known before the run: " << junit.output;
  const ShellOutcome missing = Qconform("run --backend /nowhere.so" + out);
  EXPECT_EQ(missing.exit_code, 6);
  EXPECT_EQ(missing.Lines(), 1) << missing.output;
  const ShellOutcome other =
      Qconform("run --backend " + Backend("unusable_other_major") + out);
  EXPECT_EQ(other.exit_code, 6);
  EXPECT_EQ(other.Lines(), 1) << other.output;
}

TEST_F(ListVerb, TiersHoldTheOnesBeforeThem) {
  const auto cases = [](const std::string& options) {
    return Qconform("list --suite all" + options).Lines();
  };
  const auto smoke = cases(" --tier smoke");
  const auto ci = cases("");
  EXPECT_GT(smoke, 50);
  EXPECT_GT(ci, smoke);
  EXPECT_EQ(cases(" --tier ci"), ci);
  EXPECT_GT(cases(" --tier nightly"), ci);
  EXPECT_EQ(Qconform("list --tier daily").exit_code, 4);
}

TEST_F(RunVerb, OneCaseByItsIdAlone) {
  const ShellOutcome outcome =
      Qconform("run --backend " + Backend("saboteur_round_half_away") + " --out " +
               Path("case.jsonl") +
               " --case 'x/linear.u8s8u8.per_tensor/m4.k40.n24.zx9.zy3/ties'");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("FAIL, rounding"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.LastLine(), "0 passed, 1 failed, 0 skipped");
}

// A killed run: half of the journal and a piece of a line are left.
TEST_F(RunVerb, ResumeGoesOn) {
  const std::string journal = Path("resume.jsonl");
  const std::string command = RunCommand("saboteur_none", journal);
  const ShellOutcome whole = Qconform(command);
  const size_t cases = ReadJournal(journal).cases.size();
  ASSERT_GT(cases, 4u);
  fs::resize_file(journal, fs::file_size(journal) / 2);
  const ShellOutcome resumed = Qconform(command + " --resume " + journal);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
  EXPECT_EQ(resumed.LastLine(), whole.LastLine());
  EXPECT_NE(resumed.output.find("resumed"), std::string::npos);
  EXPECT_EQ(ReadJournal(journal).cases.size(), cases);
  const ShellOutcome other = Qconform(RunCommand("saboteur_print", Path("other.jsonl")) +
                                      " --resume " + journal);
  EXPECT_EQ(other.exit_code, 4) << "another backend's journal";
}

TEST_F(RunVerb, InterruptGivesTheSummarySoFar) {
  const std::string journal = Path("interrupt.jsonl");
  std::vector<std::string> words = {
      QCONFORM_BINARY, "run", "--backend", Backend("saboteur_hang_in_run"),
      "--timeout",     "1",   "--out",     journal};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  ASSERT_EQ(
      posix_spawn(&process, QCONFORM_BINARY, nullptr, nullptr, arguments.data(), environ),
      0);
  // The header is written once everything is set up.
  while (!fs::exists(journal) || fs::file_size(journal) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(process, SIGINT);
  int status = 0;
  waitpid(process, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  const Journal read = ReadJournal(journal);
  ASSERT_TRUE(read.footer);
  EXPECT_FALSE(read.footer->complete);
}

TEST_F(DoctorVerb, SaysWhatIsWrong) {
  const ShellOutcome good = Qconform("doctor " + Backend("saboteur_none"));
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_NE(good.output.find("identity"), std::string::npos);
  const ShellOutcome bounds = Qconform("doctor " + Backend("saboteur_write_past_end"));
  EXPECT_EQ(bounds.exit_code, 6);
  EXPECT_TRUE(std::regex_search(
      bounds.output, std::regex("bounds +writes past the end of output 0.* FAIL")))
      << bounds.output;
  const ShellOutcome twice = Qconform("doctor " + Backend("saboteur_second_call"));
  EXPECT_EQ(twice.exit_code, 6);
  EXPECT_TRUE(std::regex_search(twice.output, std::regex("twice +.* FAIL")))
      << twice.output;
  const ShellOutcome printing = Qconform("doctor " + Backend("saboteur_print"));
  EXPECT_EQ(printing.exit_code, 6);
  EXPECT_TRUE(std::regex_search(printing.output, std::regex("quiet +prints .* FAIL")))
      << printing.output;
  const std::string text = Path("text.so");
  std::ofstream(text) << "no shared object\n";
  const ShellOutcome unusable = Qconform("doctor " + text);
  EXPECT_EQ(unusable.exit_code, 6);
  EXPECT_EQ(unusable.Lines(), 1) << unusable.output;
}

TEST_F(ListVerb, PrintsIds) {
  const ShellOutcome outcome = Qconform("list --filter '*/one_hot'");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_GT(outcome.Lines(), 2);
  const ShellOutcome nothing = Qconform("list --filter nothing");
  EXPECT_EQ(nothing.exit_code, 5);
  EXPECT_EQ(nothing.Lines(), 1) << nothing.output;
}

}  // namespace
}  // namespace qconform
