// Bounds, relations and goldens as a user meets them: on the console and in the journal.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/shell_outcome.h"
#include "cli/test_folder.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/journal.h"

namespace qconform {
namespace {

class BoundVerbs : public FolderTest {
 protected:
  ShellOutcome Run(const std::string& fault, const std::string& arguments) const {
    return RunShell(" " QCONFORM_BINARY " run --backend " +
                    SaboteurFile("saboteur_" + fault).string() + " " + arguments +
                    " --out " + Path("run.jsonl"));
  }
  std::vector<CaseRecord> Records() const { return ReadJournal(Path("run.jsonl")).cases; }
};

constexpr char kTies[] =
    "linear/linear.u8s8u8.per_channel.bias_f32/m3.k5.n7.zx1.zy77/ties";

TEST_F(BoundVerbs, AnUndeclaredSchemeIsJudgedByItsBound) {
  const ShellOutcome outcome =
      Run("names_no_scheme", std::string("--case '") + kTies + "'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("bounded by int32 sums, float32 multiplier: e = gamma_4 "
                                "(|acc| sx sw + |b|)"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("levels      linear 1\n"), std::string::npos)
      << outcome.output;
  const std::vector<CaseRecord> records = Records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, Verdict::kPass);
  EXPECT_EQ(records[0].level, 1);
  EXPECT_GT(records[0].differing_elements, 0);
  EXPECT_NE(records[0].bound.find("n = 5, sx = 0.03125"), std::string::npos)
      << records[0].bound;
  const ShellOutcome again =
      RunShell(" " QCONFORM_BINARY " repro '" + std::string(kTies) + "' --backend " +
               SaboteurFile("saboteur_names_no_scheme").string());
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.output.find("bound       int32 sums"), std::string::npos)
      << again.output;
  EXPECT_NE(again.output.find("elements differ from the reference's, inside their sets"),
            std::string::npos);
}

TEST_F(BoundVerbs, TheMetamorphicSuiteNamesWhatIsBroken) {
  const ShellOutcome outcome =
      Run("raw_zero_padding", "--suite metamorphic --filter '*conv2d*'");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("FAIL, relation pad_with_zero_point"), std::string::npos)
      << outcome.output;
  for (const CaseRecord& record : Records()) {
    EXPECT_NE(record.relation, "");
    EXPECT_EQ(IsFailed(record), record.cause == "relation " + record.relation)
        << record.id;
  }
}

TEST_F(BoundVerbs, AGoldenTellsItsAccuracy) {
  const ShellOutcome outcome =
      Run("none", "--golden " QCONFORM_SOURCE_DIR "/datasets/goldens/digits/x86");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("SQNR to the golden: no noise, to the float model: "),
            std::string::npos)
      << outcome.output;
  const std::vector<CaseRecord> records = Records();
  const auto program =
      std::find_if(records.begin(), records.end(),
                   [](const CaseRecord& record) { return record.kind == "program"; });
  ASSERT_NE(program, records.end());
  EXPECT_GT(program->accuracy.at("sqnr_float_db"), 20);
  EXPECT_EQ(program->accuracy.at("top1_agreement"), 1);
}

TEST_F(BoundVerbs, AGoldenNamesTheFirstWrongNode) {
  const ShellOutcome outcome = Run("zero_point_twice", "--golden " QCONFORM_SOURCE_DIR
                                                       "/datasets/goldens/digits/x86 "
                                                       "--filter '*/program/*'");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("is the first that leaves its allowed set: y["),
            std::string::npos)
      << outcome.output;
}

}  // namespace
}  // namespace qconform
