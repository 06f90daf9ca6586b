// Every row of every built-in config has cases, and they reach the row.
#include <gtest/gtest.h>

#include <set>

#include "conformance/cases/contract_cells.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/pipeline_cases.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/ir/error.h"
#include "reference/match/find_matches.h"
#include "reference/observe/used_modules.h"

namespace qconform {
namespace {

class BuiltIn : public ::testing::TestWithParam<std::string> {
 protected:
  const std::shared_ptr<const BackendConfig> config_ =
      std::make_shared<const BackendConfig>(BuiltInBackendConfig(GetParam()));
};

TEST_P(BuiltIn, EveryRowHasCasesWithIdsOfTheirOwn) {
  const std::vector<ContractCase> cases = ExpandContract(*config_);
  std::set<std::string> ids;
  std::set<const BackendConfig::Entry*> rows;
  for (const ContractCase& c : cases) {
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
    EXPECT_EQ(c.id.find_first_of(":-*? "), std::string::npos) << c.id;
    rows.insert(c.entry);
  }
  for (const BackendConfig::Entry& entry : config_->entries()) {
    EXPECT_TRUE(rows.contains(&entry)) << entry.key.HumanText();
  }
}

// In what prepare makes of the row's own graph: what was fused, and what matched.
bool Reaches(const Prepared& prepared, const BackendConfig::Entry& entry) {
  for (const auto& [name, match] : prepared.fusion_matches) {
    if (match.entry == &entry) return true;
  }
  for (const auto& [name, match] : prepared.matches) {
    if (match->entry == &entry) return true;
  }
  return false;
}

TEST_P(BuiltIn, EveryRowIsReachedByItsFirstCase) {
  for (const ContractCase& c : ExpandContract(*config_)) {
    if (c.about != "satisfied") continue;
    const PipelineRequest request = RequestOf(c, config_, Mode::kTorch);
    PrepareOptions options;
    options.is_qat = request.is_qat;
    try {
      const Prepared prepared =
          PrepareFx(request.graph, request.mapping, request.config, options);
      EXPECT_TRUE(Reaches(prepared, *c.entry)) << c.id;
    } catch (const PipelineError& error) {
      // Two rows of torch's onednn name a function where the fused class takes none, and
      // its QAT classes take no PlaceholderObserver, which all float16 weights have.
      const bool no_class = c.id.find("torch.tanh(nn.Linear)") != std::string::npos ||
                            c.id.find("F.leaky_relu(nn.Linear)") != std::string::npos;
      const bool half_in_training = c.id.find("qat.") != std::string::npos &&
                                    c.id.find(".float16.") != std::string::npos;
      EXPECT_TRUE(no_class || (half_in_training && error.kind() == "TypeError"))
          << c.id << " " << error.what();
    }
  }
}

// Each bound of each row and dtype config: stood at, and overstepped.
TEST(Contract, EveryCellOfAConfigIsExercisedByAPipeline) {
  const JsonFile file =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/conformance/contract/bounds.json");
  const auto config =
      std::make_shared<const BackendConfig>(BackendConfigFromJson(file.root(), file));
  std::set<std::string> exercised;
  for (const ContractCase& c : ExpandContract(*config)) {
    for (const std::string& cell : CellsOfStep(c)) exercised.insert(cell);
  }
  for (const std::string& cell : ContractCells(*config)) {
    EXPECT_TRUE(exercised.contains(cell)) << cell;
  }
}

TEST(Contract, ARowWithoutACaseIsAnErrorThatNamesIt) {
  BackendConfig config("mine");
  BackendPatternConfig row(Pattern::Module("mine.Unknown"));
  row.dtype_configs = {DTypeConfig{DType::kQUInt8, DType::kQUInt8, {}, {}, {}}};
  config.Set(row);
  try {
    ExpandContract(config);
    FAIL() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("mine.Unknown"), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, BuiltIn, ::testing::ValuesIn(BuiltInBackendNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace qconform
