#include "conformance/verdict/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "conformance/verdict/summary.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

CaseRecord Record(const std::string& id, Verdict verdict, const std::string& row = "") {
  CaseRecord record;
  record.id = id;
  record.group = "g";
  record.verdict = verdict;
  record.row = row;
  record.details = {"y[0] got 1 want 2"};
  return record;
}

std::string JournalOf(int cases) {
  const std::string file = ::testing::TempDir() + "qconform_journal.jsonl";
  JournalWriter writer(file, JournalWriter::Mode::kNew);
  writer.Write(RunHeader{});
  for (int i = 0; i < cases; ++i)
    writer.Write(Record("case" + std::to_string(i), Verdict::kFail));
  return file;
}

TEST(Journal, RecordsComeBack) {
  const Journal journal = ReadJournal(JournalOf(2));
  ASSERT_EQ(journal.cases.size(), 2u);
  EXPECT_EQ(journal.cases[1].id, "case1");
  EXPECT_EQ(journal.cases[1].verdict, Verdict::kFail);
  EXPECT_EQ(journal.cases[1].details, std::vector<std::string>{"y[0] got 1 want 2"});
}

// A killed run: the line in flight is cut anywhere.
TEST(Journal, LosesAtMostTheLineInFlight) {
  const std::string file = JournalOf(3);
  const auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size - 5);
  EXPECT_EQ(ReadJournal(file).cases.size(), 2u);
  {
    JournalWriter writer(file, JournalWriter::Mode::kResume);
    writer.Write(Record("again", Verdict::kPass));
  }
  const Journal journal = ReadJournal(file);
  ASSERT_EQ(journal.cases.size(), 3u);
  EXPECT_EQ(journal.cases[2].id, "again");
}

TEST(Journal, BadLinesHaveNumbers) {
  const std::string file = JournalOf(1);
  std::ofstream(file, std::ios::app) << "{]\n{}\n";
  try {
    ReadJournal(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(":3: "), std::string::npos) << error.what();
  }
  EXPECT_THROW(ReadJournal("/nowhere/run.jsonl"), InputError);
}

TEST(Summary, NeverAddsPassedAndSkipped) {
  Summary summary;
  summary.Add(Record("a", Verdict::kPass));
  summary.Add(Record("b", Verdict::kRefused));
  summary.Add(Record("c", Verdict::kRefused, "Linear"));  // declared, so it fails
  summary.Add(Record("d", Verdict::kPassScheme));
  summary.Add(Record("e", Verdict::kMistrusted));
  summary.Add(Record("f", Verdict::kKnown));
  EXPECT_EQ(summary.LastLine(), "2 passed, 2 failed, 2 skipped");
  EXPECT_EQ(summary.ExitCode(6, false), 1);
  EXPECT_EQ(summary.ExitCode(6, true), 2);
}

TEST(Summary, NothingIsNoSuccess) {
  Summary summary;
  EXPECT_EQ(summary.ExitCode(0, false), 5);
  summary.Add(Record("a", Verdict::kRefused));
  EXPECT_EQ(summary.ExitCode(1, false), 1) << "nothing was run";
  summary.Add(Record("b", Verdict::kPass));
  EXPECT_EQ(summary.ExitCode(2, false), 0);
}

TEST(Record, NamesAreAClosedSet) {
  for (size_t i = 0; i < kVerdictNames.size(); ++i)
    EXPECT_EQ(ParseVerdict(kVerdictNames[i]), static_cast<Verdict>(i));
  EXPECT_EQ(ParseVerdict("OK"), std::nullopt);
}

}  // namespace
}  // namespace qconform
