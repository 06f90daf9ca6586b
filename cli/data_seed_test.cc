// --data-seed as a user meets it: other data for every case, and ids that bring them
// back.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "cli/test_text.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/journal.h"

namespace qconform {
namespace {

class DataSeedOption : public FolderTest {
 protected:
  static std::string Backend(const std::string& fault) {
    return " --backend " + SaboteurFile("saboteur_" + fault).string();
  }
  static ShellOutcome Qconform(const std::string& arguments) {
    return RunShell(QCONFORM_BINARY " " + arguments);
  }
  ShellOutcome Run(const std::string& fault, const std::string& arguments) const {
    return Qconform("run" + Backend(fault) + " --filter '*linear*m1.*:*/n1.c3.i13x11*'" +
                    " --out " + Path("run.jsonl") + " " + arguments);
  }
  Journal Read() const { return ReadJournal(Path("run.jsonl")); }
};

TEST_F(DataSeedOption, TheSoundPassAndFaultsAreFound) {
  const ShellOutcome plain = Run("none", "");
  const ShellOutcome sound = Run("none", "--data-seed 7");
  EXPECT_EQ(sound.exit_code, 0) << sound.output;
  EXPECT_EQ(sound.LastLine(), plain.LastLine()) << "the same cases";
  for (const CaseRecord& record : Read().cases)
    EXPECT_TRUE(record.id.ends_with("/seed.7")) << record.id;
  for (const char* fault :
       {"round_half_away", "pair_saturation", "signedness", "no_bias"})
    EXPECT_EQ(Run(fault, "--data-seed 7").exit_code, 1) << fault;
}

TEST_F(DataSeedOption, TheReproLineIsEnough) {
  const ShellOutcome outcome = Run("round_half_away", "--data-seed 7");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(outcome.output, match,
                                std::regex(" qconform (repro .*/seed\\.7')")))
      << outcome.output;
  std::smatch wrong;
  ASSERT_TRUE(
      std::regex_search(outcome.output, wrong, std::regex("y\\[.*\\] got .* want .*")));
  const ShellOutcome repro = Qconform(match[1]);
  EXPECT_EQ(repro.exit_code, 1) << repro.output;
  EXPECT_NE(repro.output.find(wrong[0]), std::string::npos) << repro.output;
  const std::string line = match[1];
  const std::string by_option = std::regex_replace(line, std::regex("/seed\\.7"), "");
  EXPECT_EQ(Qconform(by_option + " --data-seed 7").output, repro.output);
}

TEST_F(DataSeedOption, AJournalGoesOnOnlyWithItsSeed) {
  const ShellOutcome whole = Run("none", "--data-seed 7");
  const std::string journal = Path("run.jsonl");
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) / 2);
  const std::string resume = "--resume " + journal;
  for (const char* other : {" --data-seed 8", ""})
    EXPECT_EQ(Run("none", resume + other).exit_code, 4) << other;
  const ShellOutcome resumed = Run("none", resume + " --data-seed 7");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
  EXPECT_EQ(resumed.LastLine(), whole.LastLine());
}

TEST_F(DataSeedOption, ListAndCaseNameIt) {
  const ShellOutcome list = Qconform("list --filter '*/one_hot' --data-seed 7");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.Lines(), Qconform("list --filter '*/one_hot'").Lines());
  EXPECT_TRUE(list.LastLine().ends_with("/one_hot/seed.7")) << list.output;
  const std::string id = "x/linear.u8s8u8.per_tensor/m4.k40.n24.zx9.zy3/";
  EXPECT_EQ(Qconform("list --case " + id + "ties --data-seed 7").output,
            id + "ties/seed.7\n");
  for (const std::string& refused :
       {"--case " + id + "ties/seed.3", "--case " + id + "codes.1.2",
        std::string("--golden digits.x86")}) {
    const ShellOutcome outcome = Qconform("list --data-seed 7 " + refused);
    EXPECT_EQ(outcome.exit_code, 4) << refused;
    EXPECT_EQ(outcome.Lines(), 1) << outcome.output;
    EXPECT_NE(outcome.output.find("--data-seed"), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(Run("none", "--contract --data-seed 7").exit_code, 4);
}

}  // namespace
}  // namespace qconform
