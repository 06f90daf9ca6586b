#include "conformance/verdict/run_difference.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

CaseRecord Record(const std::string& id, Verdict verdict, const std::string& bits = "1") {
  CaseRecord record;
  record.id = id;
  record.suite = "s";
  record.group = "s/g";
  record.verdict = verdict;
  record.bits = bits;
  return record;
}

Journal RunOf(const std::vector<CaseRecord>& cases) {
  Journal journal;
  journal.header = RunHeader{};
  journal.header->suite = "s";
  journal.header->suite_digest = "12";
  journal.cases = cases;
  journal.footer = RunFooter{};
  journal.footer->complete = true;
  return journal;
}

TEST(RunDifference, NothingIsSaidOfTheSame) {
  const Journal run = RunOf({Record("a", Verdict::kPass)});
  const RunDifference difference = DiffRuns(run, run);
  EXPECT_EQ(difference.text, "");
  EXPECT_FALSE(difference.verdicts_differ || difference.bits_differ);
}

TEST(RunDifference, OtherBitsAreNoOtherVerdict) {
  CaseRecord before = Record("a", Verdict::kPass, "1");
  CaseRecord after = Record("a", Verdict::kPass, "2");
  before.scheme_declared = "q31/two";
  after.scheme_declared = "q31/one";
  const RunDifference difference = DiffRuns(RunOf({before, Record("b", Verdict::kPass)}),
                                            RunOf({after, Record("b", Verdict::kPass)}));
  EXPECT_TRUE(difference.bits_differ);
  EXPECT_FALSE(difference.verdicts_differ);
  EXPECT_EQ(difference.text,
            "same bits 1, same verdict, other bits 1\n"
            "other bits      1 in s/g, scheme q31/two -> q31/one\n");
}

TEST(RunDifference, ClassesAreCountedAndNamed) {
  CaseRecord worse = Record("worse", Verdict::kFail);
  worse.cause = "rounding";
  const RunDifference difference =
      DiffRuns(RunOf({Record("worse", Verdict::kPass), Record("better", Verdict::kFail),
                      Record("refused", Verdict::kPass), Record("other", Verdict::kFail),
                      Record("gone", Verdict::kPass)}),
               RunOf({worse, Record("better", Verdict::kPass),
                      Record("refused", Verdict::kRefused),
                      Record("other", Verdict::kCrash), Record("new", Verdict::kPass)}));
  EXPECT_TRUE(difference.verdicts_differ);
  EXPECT_EQ(difference.text,
            "newly failing 1, newly passing 1, newly refused 1, other verdict 1, gone 1, "
            "new 1\n"
            "newly failing   worse   PASS -> FAIL  rounding\n"
            "newly passing   better   FAIL -> PASS\n"
            "newly refused   refused   PASS -> REFUSED\n"
            "other verdict   other   FAIL -> CRASH\n"
            "gone            gone   (the other run did not select it)\n"
            "new             new   PASS (the other run did not select it)\n");
}

TEST(RunDifference, TellsWhatElseChanged) {
  const Journal before = RunOf({Record("a", Verdict::kPass)});
  Journal after = RunOf({});
  after.header->suite_digest = "13";
  after.header->machine["cpu"] = "other";
  after.header->backend.version = "0.4";
  const std::string text = DiffRuns(before, after).text;
  for (const char* part :
       {"a   (the suite dropped it; not the backend)\n", "< suite s 12\n",
        "> machine cpu other\n", "> backend  0.4 sha256"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  Journal killed = RunOf({});
  killed.footer.reset();
  EXPECT_NE(DiffRuns(before, killed).text.find("(the other run did not end)"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform
