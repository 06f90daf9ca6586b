// The suite of public reports: every number has its rows and its saboteur or another
// test, and the codes that are right there are the reference's.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "conformance/cases/build_call.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/compare/exact.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::vector<SuiteRow>& Rows() {
  static const auto* const rows = new std::vector<SuiteRow>(
      ReadSuite(std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites/reported.csv"));
  return *rows;
}

constexpr struct {
  const char* name;
  const char* number;
} kFaults[] = {
#define FAULT(name, verdict, cause, number, text) {#name, number},
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

struct ReportedCase {
  std::string number;
  std::string kind;
  std::string test;
};

const std::vector<ReportedCase> kCases = {
#define REPORTED(number, kind, what, test) {#number, #kind, test},
#include "conformance/cases/reported_cases.inc"
#undef REPORTED
};

bool Holds(const std::string& file, const std::string& text) {
  std::ifstream stream(std::string(QCONFORM_SOURCE_DIR) + "/" + file);
  std::ostringstream all;
  all << stream.rdbuf();
  return all.str().find(text) != std::string::npos;
}

struct Numbered {
  std::set<std::string> rows, saboteurs;
};

Numbered AllNumbers() {
  Numbered numbers;
  for (const SuiteRow& row : Rows()) numbers.rows.insert(row.reported);
  for (const auto& fault : kFaults)
    if (*fault.number != 0) numbers.saboteurs.insert(fault.number);
  return numbers;
}

// Neither a row without a saboteur, which nothing shows to catch the mistake, nor a
// saboteur without a row, whose right codes nobody wrote down.
TEST(Reported, EveryNumberHasARowAndASaboteurOrATest) {
  const Numbered numbers = AllNumbers();
  for (const ReportedCase& c : kCases) {
    if (!c.test.empty()) {
      EXPECT_TRUE(Holds(c.test, c.number)) << c.number << " in " << c.test;
    } else if (c.kind == "kernel" || c.kind == "numerics" || c.kind == "harness") {
      EXPECT_TRUE(numbers.rows.contains(c.number)) << c.number;
      EXPECT_TRUE(numbers.saboteurs.contains(c.number)) << c.number;
    } else {
      EXPECT_TRUE(numbers.rows.contains(c.number) || numbers.saboteurs.contains(c.number))
          << c.number;
    }
  }
}

TEST(Reported, NoNumberIsUnknown) {
  const Numbered numbers = AllNumbers();
  std::set<std::string> known;
  for (const ReportedCase& c : kCases)
    EXPECT_TRUE(known.insert(c.number).second) << c.number << " stands there twice";
  for (const auto* used : {&numbers.rows, &numbers.saboteurs})
    for (const std::string& number : *used)
      EXPECT_TRUE(known.contains(number)) << "'" << number << "'";
}

TEST(Reported, EveryRowRunsInTheSmokeTier) {
  for (const SuiteRow& row : Rows()) EXPECT_EQ(row.tier, Tier::kSmoke) << IdOf(row);
}

TEST(Reported, TheReferenceGivesTheRightCodes) {
  for (const SuiteRow& row : Rows()) {
    const ConformanceCase c = BuildCase(row);
    const int64_t count = NumElements(c.call.outputs[0].shape);
    // Without elements there is nothing to be right about.
    if (row.want.empty()) {
      EXPECT_TRUE(count == 0 || row.reported == "QB33") << c.id;
      continue;
    }
    ASSERT_GT(count, 0) << c.id;
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(ElementAt(c.call.outputs[0], c.want[0], i),
                static_cast<double>(row.want[static_cast<size_t>(i) % row.want.size()]))
          << row.reported << " " << c.id << " element " << i;
  }
}

// QB53: padding beyond half of the window has no definition.
TEST(Reported, IllegalPaddingIsRefused) {
  try {
    RowFromId("s/max_pool2d.u8u8/n2.c3.i11x9.k2x2.s2x2.p2x2.zx7.zy7/uniform");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("padding is more than half of the kernel"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace qconform
