#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "conformance/cases/build_call.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/compare/exact.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::string kSuite =
    std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites/first_light.csv";

constexpr const char* kHeader =
    "operator,x,w,y,weights,bias,activation,n,c,size,o,kernel,stride,dilation,padding,"
    "groups,zx,zw,zy,fill\n";
constexpr const char* kGood =
    "conv2d,u8,s8,u8,per_channel,f32,relu,1,4,5x5,8,3x3,,,0x0_1x1,2,128,,-0,uniform\n";

std::string ErrorOf(const std::string& text) {
  const std::string file = ::testing::TempDir() + "qconform_suite.csv";
  std::ofstream(file, std::ios::binary) << text;
  try {
    ReadSuite(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Suite, IdRebuildsTheRow) {
  std::set<std::string> ids;
  for (const SuiteRow& row : ReadSuite(kSuite)) {
    const std::string id = IdOf(row);
    EXPECT_EQ(id.find_first_of(":-*? "), std::string::npos) << id;
    SuiteRow again = RowFromId(id);
    again.tier = row.tier;  // is no part of the id
    EXPECT_TRUE(again == row) << id;
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  EXPECT_GE(ids.size(), 150u);
}

// Every case can show a fault: its expected codes are neither all alike nor clipped.
TEST(Suite, NoCaseIsTame) {
  for (const SuiteRow& row : ReadSuite(kSuite)) {
    const ConformanceCase c = BuildCase(row);
    EXPECT_EQ(ReasonForMistrust(c.call, c.want), "") << c.id;
  }
}

TEST(Suite, SameIdSameData) {
  const SuiteRow row = RowFromId(
      "first_light/linear.u8s8u8.per_channel.bias_f32/m2.k9.n7.zx128.zy3/uniform");
  const ConformanceCase a = BuildCase(row);
  const ConformanceCase b = BuildCase(row);
  EXPECT_EQ(a.want, b.want);
  EXPECT_EQ(a.call.inputs[0]->data, b.call.inputs[0]->data);
  // Written down once: the data of an id never change.
  const auto& x = a.call.inputs[0]->data;
  EXPECT_EQ(static_cast<int>(x[0]), 173);
}

TEST(Suite, BadFilesGiveOneLine) {
  const std::string head = kHeader;
  EXPECT_EQ(ErrorOf(head + kGood), "");
  EXPECT_NE(ErrorOf(head).find("no case in it"), std::string::npos);
  EXPECT_NE(ErrorOf(head + kGood + kGood).find(":3: this case stands in the file twice"),
            std::string::npos);
  EXPECT_NE(ErrorOf(std::string("operator,x\n") + kGood).find("expected a suite"),
            std::string::npos);
  const auto bad_field = [&](const std::string& from, const std::string& to) {
    std::string row = kGood;
    row.replace(row.find(from), from.size(), to);
    return ErrorOf(head + row);
  };
  EXPECT_NE(bad_field("uniform", "unifrom").find(":2: fill 'unifrom'"),
            std::string::npos);
  EXPECT_NE(bad_field("5x5", "5y5").find("no list of sizes"), std::string::npos);
  EXPECT_NE(bad_field(",2,128", ",3,128").find("divide"), std::string::npos);
  EXPECT_NE(bad_field("128", "256").find("zero point"), std::string::npos);
  EXPECT_NE(bad_field("3x3", "9x9").find("kernel larger"), std::string::npos);
  EXPECT_NE(bad_field("u8,per", "u9,per").find("dtype 'u9'"), std::string::npos);
  EXPECT_NE(bad_field("conv2d", "conv3d").find("number of sizes"), std::string::npos);
  EXPECT_NE(bad_field("conv2d", "conv9d").find("operator 'conv9d'"), std::string::npos);
  EXPECT_NE(bad_field("conv2d", "linear").find("expected linear to have none"),
            std::string::npos);
  EXPECT_NE(ErrorOf("operator,x,y,fill,colour\nrelu,u8,u8,uniform,red\n").find("colour"),
            std::string::npos);
  EXPECT_NE(ErrorOf("operator,x,y,shape,fill,tier\nrelu,u8,u8,4,uniform,daily\n")
                .find(":2: tier 'daily'"),
            std::string::npos);
}

TEST(Filter, SpeaksGoogleTestsGrammar) {
  EXPECT_TRUE(Filter("").Selects("a/b"));
  EXPECT_TRUE(Filter("a*:c*").Selects("c/d"));
  EXPECT_FALSE(Filter("a*:c*").Selects("b/d"));
  EXPECT_TRUE(Filter("*-*/relu").Selects("a/none"));
  EXPECT_FALSE(Filter("*-*/relu").Selects("a/relu"));
  EXPECT_FALSE(Filter("-a*").Selects("a"));
  EXPECT_TRUE(Filter("-a*").Selects("b"));
  EXPECT_TRUE(MatchesWildcard("a?c*", "abc/def"));
  EXPECT_FALSE(MatchesWildcard("a?c", "ac"));
  EXPECT_TRUE(MatchesWildcard("*aab", "aaaaaab"));
}

}  // namespace
}  // namespace qconform
