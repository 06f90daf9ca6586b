#include "conformance/verdict/known_failures.h"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance/verdict/known_update.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kHeader = "id,verdict,where,reason,issue,owner,since,expires\n";
constexpr const char* kRest =
    "\"kernel, fixed in rev 7\",npu-812,npu-team,0.3,2027-02-01\n";

std::string Write(const std::string& rows) {
  const std::string file = ::testing::TempDir() + "qconform_known.csv";
  std::ofstream(file) << kHeader << rows;
  return file;
}

KnownFailures Read(const std::string& rows) { return ReadKnownFailures(Write(rows)); }

std::string ErrorOf(const std::string& rows) {
  try {
    Read(rows);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

CaseRecord Record(const std::string& id, Verdict verdict, const std::string& path = "") {
  CaseRecord record;
  record.id = id;
  record.verdict = verdict;
  record.path = path;
  record.row = "Linear";
  return record;
}

Verdict After(const std::string& rows, CaseRecord record, const std::string& today,
              const Facts& machine = {}) {
  ApplyKnown(Read(rows), machine, today, record);
  return record.verdict;
}

TEST(KnownFailures, EveryFieldIsRequired) {
  const std::string good = std::string("s/*,FAIL,any,") + kRest;
  EXPECT_EQ(ErrorOf(good), "");
  const KnownFailures known = Read("# a remark\n" + good);
  ASSERT_EQ(known.entries.size(), 1u);
  EXPECT_EQ(known.entries[0].reason, "kernel, fixed in rev 7");
  EXPECT_EQ(known.entries[0].line, 3);
  const std::string file = Write("");
  EXPECT_EQ(ErrorOf("s/*,FAIL,any,why,npu-1,,0.3,2027-02-01\n"),
            file + ":2: owner is missing, expected every field of an entry");
  EXPECT_NE(ErrorOf("s/*,FAIL,any,why\n").find(file + ":2: "), std::string::npos);
  for (const char* row : {"s/*,BAD,any,", "s/*,PASS,any,", "s/*,EXPIRED,any,",
                          "s/*,FAIL,moon=full,", "s/*,FAIL,isa=,", ",FAIL,any,"})
    EXPECT_NE(ErrorOf(good + row + kRest).find(":3: "), std::string::npos) << row;
  EXPECT_NE(ErrorOf("s/*,FAIL,any,why,npu-1,me,0.3,soon\n").find("expires 'soon'"),
            std::string::npos);
  EXPECT_THROW(ReadKnownFailures("/nowhere.csv"), InputError);
}

TEST(KnownFailures, EveryWayOfGoingStaleFails) {
  const std::string row = std::string("s/*/ties,FAIL,any,") + kRest;
  const CaseRecord fails = Record("s/g/ties", Verdict::kFail);
  EXPECT_EQ(After(row, fails, "2027-01-31"), Verdict::kKnown);
  EXPECT_EQ(After(row, fails, "2027-02-01"), Verdict::kExpired);
  EXPECT_EQ(After(row, Record("s/g/ties", Verdict::kPass), "2027-01-01"),
            Verdict::kUnexpectedPass);
  // Another failure than the listed one, and another case.
  EXPECT_EQ(After(row, Record("s/g/ties", Verdict::kCrash), "2027-01-01"),
            Verdict::kCrash);
  EXPECT_EQ(After(row, Record("s/g/uniform", Verdict::kFail), "2027-01-01"),
            Verdict::kFail);
  const KnownFailures known = Read(row);
  EXPECT_TRUE(StaleEntries(known, {"s/g/a/ties"}).empty());
  const auto stale = StaleEntries(known, {"s/g/uniform"});
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_EQ(stale[0].id, "known/qconform_known/line2");
}

// A listed failure is listed whatever its data; that it passes with others is no news.
TEST(KnownFailures, EntriesSpeakOfEverySeed) {
  const std::string row = std::string("s/*/ties,FAIL,any,") + kRest;
  const std::string today = "2027-01-01";
  EXPECT_EQ(After(row, Record("s/g/ties/seed.7", Verdict::kFail), today),
            Verdict::kKnown);
  EXPECT_EQ(After(row, Record("s/g/ties/seed.7", Verdict::kPass), today), Verdict::kPass);
  EXPECT_TRUE(StaleEntries(Read(row), {"s/g/ties/seed.7"}).empty());
  const std::string seeded = std::string("s/*/ties/seed.7,FAIL,any,") + kRest;
  EXPECT_EQ(After(seeded, Record("s/g/ties/seed.7", Verdict::kPass), today),
            Verdict::kUnexpectedPass);
  EXPECT_EQ(After(seeded, Record("s/g/ties/seed.8", Verdict::kFail), today),
            Verdict::kFail);
}

TEST(KnownFailures, WhereIsMatchedAgainstPathAndMachine) {
  const std::string row = std::string("s/*,CRASH,isa=avx2;cpu=EPYC,") + kRest;
  const Facts machine = {{"cpu", "AMD EPYC 9B14"}, {"features", "avx2 avx512f"}};
  const std::string today = "2026-12-01";
  EXPECT_EQ(After(row, Record("s/a", Verdict::kCrash, "avx2"), today, machine),
            Verdict::kKnown);
  EXPECT_EQ(After(row, Record("s/a", Verdict::kCrash, "avx512"), today, machine),
            Verdict::kCrash);
  EXPECT_EQ(After(row, Record("s/a", Verdict::kCrash, "avx2"), today, {}),
            Verdict::kCrash);
  // It died before it could name its path.
  EXPECT_EQ(After(row, Record("s/a", Verdict::kCrash), today, machine), Verdict::kKnown);
}

TEST(KnownFailures, UpdateIsAPatchThatAPersonMustFinish) {
  const std::string rows = std::string("s/a,FAIL,any,") + kRest + "s/gone,FAIL,any," +
                           kRest + "s/b,FAIL,any," + kRest;
  const std::string file = Write(rows);
  Journal run;
  run.header = RunHeader{};
  CaseRecord passes = Record("s/a", Verdict::kUnexpectedPass);
  passes.listed = "PASS";
  CaseRecord known = Record("s/b", Verdict::kKnown);
  known.listed = "FAIL";
  run.cases = {passes, known, Record("s/c", Verdict::kCrash)};
  run.footer = RunFooter{};
  run.footer->complete = true;
  EXPECT_EQ(PatchOf(Read(rows), kHeader + rows, run),
            "--- " + file + "\n+++ " + file + "\n@@ -2,1 +1,0 @@\n-s/a,FAIL,any," +
                kRest + "@@ -3,1 +1,0 @@\n-s/gone,FAIL,any," + kRest +
                "@@ -4,0 +3,1 @@\n+s/c,CRASH,any,,,,,\n");
  run.cases = {known};
  run.footer->complete = false;
  const std::string one = std::string("s/b,FAIL,any,") + kRest;
  EXPECT_EQ(PatchOf(Read(one), kHeader + one, run), "");
}

}  // namespace
}  // namespace qconform
