// The suite of public reports: every number has its row or its saboteur, and the codes
// that are right there are the reference's.
#include <gtest/gtest.h>

#include <set>
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

// Kernel, numerics and harness; the last one is of benchmarks.
constexpr const char* kNumbers[] = {"QB39", "QB43", "QB49", "QB50", "QB53", "QB55",
                                    "QB59", "QB63", "QB65", "QB67", "QB68", "QB71"};

TEST(Reported, EveryNumberHasARowAndASaboteur) {
  std::set<std::string> rows, saboteurs;
  for (const SuiteRow& row : Rows()) rows.insert(row.reported);
  for (const auto& fault : kFaults) saboteurs.insert(fault.number);
  for (const char* number : kNumbers) {
    EXPECT_TRUE(rows.contains(number)) << number;
    EXPECT_TRUE(saboteurs.contains(number)) << number;
  }
  EXPECT_FALSE(rows.contains("")) << "a row without a number";
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
