// The contract suite can fail: it kills every pipeline with a planted fault, and the
// sound one passes.
#include <gtest/gtest.h>

#include "conformance/contract/answer_difference.h"
#include "conformance/contract/pipeline_cases.h"
#include "conformance/host/call_target.h"
#include "conformance/saboteurs/pipeline_fault.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"

namespace qconform {
namespace {

std::shared_ptr<const BackendConfig> Bounds() {
  static const auto* const config = [] {
    const JsonFile file = JsonFile::Read(std::string(QCONFORM_SOURCE_DIR) +
                                         "/conformance/contract/bounds.json");
    return new std::shared_ptr<const BackendConfig>(
        std::make_shared<BackendConfig>(BackendConfigFromJson(file.root(), file)));
  }();
  return *config;
}

// The first case that tells the fault from the reference; "" if none does.
std::string Killer(const PipelineFault& fault,
                   const std::shared_ptr<const BackendConfig>& config) {
  const auto faulty = FaultyConfig(fault, *config);
  for (const ContractCase& c : ExpandContract(*config)) {
    const PipelineAnswer want = AnswerByReference(RequestOf(c, config, Mode::kTorch));
    PipelineRequest request = RequestOf(c, config, Mode::kTorch);
    request.config = faulty;
    if (FindAnswerDifference(want, AnswerWithFault(fault, std::move(request)))) {
      return c.id;
    }
  }
  return "";
}

TEST(PipelineSaboteurs, EveryFaultIsKilledAndTheSoundOnePasses) {
  size_t killed = 0;
  for (const PipelineFault& fault : PipelineFaults()) {
    const std::string killer = Killer(fault, Bounds());
    std::cout << fault.name << ": " << (killer.empty() ? "survives" : killer) << "\n";
    if (std::string(fault.name) == "none") {
      EXPECT_EQ(killer, "");
    } else {
      EXPECT_NE(killer, "") << fault.name << ": " << fault.text;
      killed += killer.empty() ? 0 : 1;
    }
  }
  std::cout << "killed " << killed << " of " << PipelineFaults().size() - 1 << "\n";
  EXPECT_GE(PipelineFaults().size(), 26U);
}

std::vector<CaseRecord> RunCases(const std::string& command, size_t count) {
  const auto config = Bounds();
  std::vector<ContractCase> cases = ExpandContract(*config);
  cases.resize(count);
  PipelineOptions options;
  options.time_limit_ms = 5000;
  const auto subject = std::make_shared<PipelineSubject>(command, config, options);
  NoCallTarget no_target;
  const Subject identity{no_target, IdentityOfCommand(command)};
  std::vector<CaseRecord> records;
  for (const CaseSource& source : PipelineCases(cases, subject, config, Mode::kTorch)) {
    records.push_back(source.run(identity));
  }
  return records;
}

TEST(PipelineSubject, AsksACommandThroughFiles) {
  const std::string saboteur = QCONFORM_PIPELINE_SABOTEUR;
  for (const CaseRecord& record : RunCases(saboteur + " none", 40)) {
    EXPECT_EQ(record.verdict, Verdict::kPass) << record.id << " " << record.cause;
  }
  int failed = 0;
  for (const CaseRecord& record : RunCases(saboteur + " zero_point_off", 40)) {
    failed += record.verdict == Verdict::kFail ? 1 : 0;
  }
  EXPECT_GT(failed, 0);
}

TEST(PipelineSubject, EveryCaseOfACommandThatNeverAnswersHasAVerdict) {
  for (const CaseRecord& record : RunCases("false", 3)) {
    EXPECT_EQ(record.verdict, Verdict::kCrash);
    EXPECT_EQ(record.signal, "exit 1");
  }
  for (const CaseRecord& record : RunCases("touch \"$0\"/000000/done; true", 2)) {
    EXPECT_NE(record.verdict, Verdict::kPass);
  }
}

}  // namespace
}  // namespace qconform
