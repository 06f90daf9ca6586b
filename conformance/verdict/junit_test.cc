#include "conformance/verdict/junit.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

namespace qconform {
namespace {

CaseRecord Record(const std::string& id, Verdict verdict) {
  CaseRecord record;
  record.id = "s/g/" + id;
  record.group = "s/g";
  record.verdict = verdict;
  record.scheme_declared = "copy";
  record.fill = "ties";
  record.details = {"y[0] got 1 want 2"};
  return record;
}

class JUnit : public ::testing::Test {
 protected:
  void SetUp() override {
    CaseRecord refused = Record("refused", Verdict::kRefused);
    refused.reason = "no kernel";
    CaseRecord declared = Record("declared", Verdict::kRefused);
    declared.row = "Linear";
    CaseRecord crash = Record("crash", Verdict::kCrash);
    crash.signal = "SIGSEGV";
    crash.printed = "\x01<bad>\xff";
    const std::string text =
        JUnitOf(RunHeader{},
                {Record("pass", Verdict::kPass), Record("fail", Verdict::kFail), refused,
                 declared, crash, Record("hang", Verdict::kHang),
                 Record("known", Verdict::kKnown)},
                "qconform repro --backend b.so");
    ASSERT_TRUE(document_.load_string(text.c_str())) << text;
  }

  pugi::xml_node Case(const char* name) {
    return document_.child("testsuites")
        .child("testsuite")
        .find_child_by_attribute("testcase", "name", name);
  }
  std::string Property(const char* name, const char* property) {
    return Case(name)
        .child("properties")
        .find_child_by_attribute("property", "name", property)
        .attribute("value")
        .value();
  }

  pugi::xml_document document_;
};

TEST_F(JUnit, MapsTheClosedSetToFourStates) {
  EXPECT_FALSE(Case("pass").child("failure"));
  EXPECT_FALSE(Case("pass").child("skipped"));
  EXPECT_STREQ(Case("fail").child("failure").text().get(), "y[0] got 1 want 2");
  EXPECT_STREQ(Case("refused").child("skipped").attribute("message").value(),
               "REFUSED, no kernel");
  EXPECT_TRUE(Case("declared").child("failure"));
  EXPECT_STREQ(Case("crash").child("error").attribute("message").value(),
               "CRASH(SIGSEGV)");
  EXPECT_TRUE(Case("hang").child("error"));
  EXPECT_TRUE(Case("known").child("skipped"));
  const pugi::xml_node suite = document_.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 7);
  EXPECT_EQ(suite.attribute("failures").as_int(), 2);
  EXPECT_EQ(suite.attribute("errors").as_int(), 2);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 2);
}

TEST_F(JUnit, KeepsWhatJUnitHasNoStateFor) {
  EXPECT_EQ(Property("hang", "verdict"), "HANG");
  EXPECT_EQ(Property("fail", "scheme"), "copy");
  EXPECT_EQ(Property("fail", "fill"), "ties");
  EXPECT_EQ(Property("fail", "repro"), "qconform repro --backend b.so 's/g/fail'");
  EXPECT_STREQ(Case("crash").child("system-out").text().get(), "?<bad>\xEF\xBF\xBD");
}

}  // namespace
}  // namespace qconform
