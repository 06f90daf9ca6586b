// Every recorded case in torch mode: the same annotations, warnings and refusals.
#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/quantizers/quantizer_json.h"
#include "reference/quantizers/recorded_program.h"

namespace qconform {
namespace {

// What Python prints of a function has its kind in it, which nobody needs.
std::string WithoutFunction(const std::string& warning) {
  const size_t from = warning.find(" for ");
  const size_t to = warning.rfind(" by ");
  if (!warning.starts_with("function: ") || to == std::string::npos) return warning;
  return warning.substr(0, from) + warning.substr(to);
}

TEST(RecordedAnnotations, AreTorchaos) {
  ASSERT_EQ(TheRecordedCases().cases.size(), 578u);
  for (const RecordedCase& recorded : TheRecordedCases().cases) {
    SCOPED_TRACE(recorded.name);
    const ordered_json& json = recorded.json;
    ExportedProgram program = ProgramOfRecord(*recorded.program);
    Annotations annotations;
    std::string error;
    std::shared_ptr<AccountingQuantizer> quantizer;
    try {
      quantizer = QuantizerFromJson(json["settings"], "settings", Mode::kTorch);
      quantizer->TransformForAnnotation(program);
      quantizer->Annotate(program, annotations);
    } catch (const PipelineError& refused) {
      error = refused.kind();
    }
    EXPECT_EQ(error, json.value("error", ""));
    if (!error.empty() || json.contains("error")) continue;
    EXPECT_EQ(DifferenceToRecord(program, annotations, json), "");
    std::vector<std::string> warnings;
    for (const std::string& warning : quantizer->Warnings()) {
      warnings.push_back(WithoutFunction(warning));
    }
    std::vector<std::string> wanted;
    for (const ordered_json& warning : json["warnings"]) {
      wanted.push_back(WithoutFunction(warning.get<std::string>()));
    }
    EXPECT_EQ(warnings, wanted);
  }
}

}  // namespace
}  // namespace qconform
