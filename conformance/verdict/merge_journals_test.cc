#include "conformance/verdict/merge_journals.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"

namespace qconform {
namespace {

NamedJournal Part(const std::string& shard, const std::vector<std::string>& ids) {
  NamedJournal part{shard + ".jsonl", {}};
  part.journal.header = RunHeader{};
  part.journal.header->suite = "s";
  part.journal.header->suite_digest = "digest";
  part.journal.header->shard = shard;
  part.journal.header->cases = static_cast<int64_t>(ids.size());
  for (const std::string& id : ids) {
    CaseRecord record;
    record.id = id;
    record.group = "g";
    record.verdict = id == "bad" ? Verdict::kFail : Verdict::kPass;
    part.journal.cases.push_back(record);
  }
  RunFooter footer;
  footer.complete = true;
  footer.rows = {{"Linear", static_cast<int64_t>(ids.size())}, {"Conv2d", 0}};
  part.journal.footer = footer;
  return part;
}

std::string ErrorOf(const std::vector<NamedJournal>& parts) {
  try {
    MergeJournals(parts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MergeJournals, TheOrderOfShardsDoesNotMatter) {
  const NamedJournal one = Part("1/3", {"d", "a"});
  const NamedJournal two = Part("2/3", {"bad"});
  const NamedJournal three = Part("3/3", {});
  const Journal merged = MergeJournals({one, two, three});
  EXPECT_EQ(merged.footer->passed, 2);
  EXPECT_EQ(merged.footer->failed, 1);
  EXPECT_EQ(merged.footer->selected, 3);
  EXPECT_TRUE(merged.footer->complete);
  EXPECT_EQ(merged.footer->rows[0].cases, 3);
  EXPECT_EQ(merged.footer->rows[1].cases, 0);
  EXPECT_EQ(merged.header->shard, "");
  const Journal other = MergeJournals({three, two, one});
  EXPECT_EQ(nlohmann::ordered_json(merged.cases), nlohmann::ordered_json(other.cases));
  EXPECT_EQ(nlohmann::ordered_json(*merged.footer),
            nlohmann::ordered_json(*other.footer));
}

TEST(MergeJournals, MissingShardsAreListed) {
  const Journal merged = MergeJournals({Part("2/4", {"a"}), Part("4/4", {"b"})});
  EXPECT_EQ(merged.footer->missing, (std::vector<std::string>{"1/4", "3/4"}));
  EXPECT_FALSE(merged.footer->complete);
  NamedJournal killed = Part("", {"a"});
  killed.journal.footer.reset();
  EXPECT_FALSE(MergeJournals({killed}).footer->complete);
}

TEST(MergeJournals, UnlikeJournalsAreRefused) {
  const NamedJournal one = Part("1/2", {"a"});
  NamedJournal other = Part("2/2", {"b"});
  EXPECT_EQ(ErrorOf({one, other}), "");
  other.journal.header->suite_digest = "edited";
  EXPECT_NE(ErrorOf({one, other}).find("2/2.jsonl: is of another content of the suite"),
            std::string::npos);
  other = Part("2/2", {"b"});
  other.journal.header->backend.sha256 = "rebuilt";
  EXPECT_NE(ErrorOf({one, other}).find("another build of the backend"),
            std::string::npos);
  EXPECT_NE(ErrorOf({one, one}).find("case a is in"), std::string::npos);
  EXPECT_NE(ErrorOf({one, Part("1/2", {"c"})}).find("shard 1/2 is there twice"),
            std::string::npos);
  EXPECT_NE(ErrorOf({one, Part("2/3", {"c"})}).find("is a shard of 3"),
            std::string::npos);
  EXPECT_NE(ErrorOf({}), "");
}

}  // namespace
}  // namespace qconform
