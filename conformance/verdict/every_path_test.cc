#include "conformance/verdict/every_path.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

CaseRecord On(const std::string& path, Verdict verdict, const std::string& bits) {
  CaseRecord record;
  record.id = "s/g/a";
  record.path = path;
  record.verdict = verdict;
  record.bits = bits;
  return record;
}

TEST(EveryPath, AgreeingPathsAreOneRecord) {
  const CaseRecord record = CombinePaths({{"sse41", On("sse41", Verdict::kPass, "1")},
                                          {"avx2", On("avx2", Verdict::kPass, "1")}});
  EXPECT_EQ(record.verdict, Verdict::kPass);
  EXPECT_EQ(record.path, "sse41=avx2");
}

TEST(EveryPath, DisagreeingPathsAreClustered) {
  const CaseRecord record =
      CombinePaths({{"scalar", On("scalar", Verdict::kPass, "1")},
                    {"avx2", On("avx2", Verdict::kPass, "1")},
                    {"avx512vnni", On("avx512vnni", Verdict::kFail, "2")}});
  EXPECT_EQ(record.verdict, Verdict::kPathsDisagree);
  EXPECT_EQ(record.path, "scalar=avx2 != avx512vnni");
  EXPECT_EQ(record.details.front(),
            "clusters {scalar,avx2}, {avx512vnni}; FAIL on avx512vnni");
  // A crash gives no bits at all.
  EXPECT_EQ(CombinePaths({{"sse41", On("sse41", Verdict::kPass, "1")},
                          {"avx2", On("", Verdict::kCrash, "")}})
                .verdict,
            Verdict::kPathsDisagree);
}

TEST(EveryPath, PathsThatDidNotRunDoNotCount) {
  const CaseRecord refused = On("", Verdict::kRefused, "");
  const CaseRecord record = CombinePaths({{"scalar", refused},
                                          {"sse41", On("sse41", Verdict::kPass, "1")},
                                          {"avx2", On("sse41", Verdict::kPass, "2")}});
  EXPECT_EQ(record.path, "sse41");
  EXPECT_EQ(record.verdict, Verdict::kPass);
  EXPECT_EQ(CombinePaths({{"scalar", refused}, {"sse41", refused}}).verdict,
            Verdict::kRefused);
}

TEST(EveryPath, TheMachineSaysWhatItCanRun) {
  const auto paths = PathsOf({{"architecture", "x86_64"}, {"features", "sse4_1 avx2"}});
  std::string can;
  std::string cannot;
  for (const auto& [name, can_run] : paths) (can_run ? can : cannot) += " " + name;
  EXPECT_EQ(can, " scalar sse41 avx2");
  EXPECT_EQ(cannot, " avxvnni avx512 avx512vnni avx512amx");
}

}  // namespace
}  // namespace qconform
