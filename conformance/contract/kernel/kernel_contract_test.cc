// Every row and bound of a config is asked of a kernel backend: one that honours another
// config than it declares fails at the bound that differs, and an honest one passes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "conformance/cases/declared_row.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel/kernel_cases.h"
#include "conformance/contract/row_words.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using Config = std::shared_ptr<const BackendConfig>;

// Accepts what a config declares, and computes it right.
class ConfigBackend : public CallTarget {
 public:
  explicit ConfigBackend(Config config) : config_(std::move(config)) {}

  const LoadedBackend& Load() override { return loaded_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode) override {
    CallOutcome outcome;
    const auto outputs = DeclaredRow(*config_, call).empty()
                             ? std::nullopt
                             : ReferenceOutputs(call, call.scheme);
    outcome.reply.reason = "no row";
    if (!outputs) return outcome;
    outcome.reply.supported = true;
    outcome.reply.scheme = call.scheme;
    outcome.reply.runs.resize(1);
    outcome.reply.runs[0].path = "config";
    outcome.reply.runs[0].outputs = *outputs;
    return outcome;
  }

 private:
  const Config config_;
  LoadedBackend loaded_;
};

std::vector<CaseRecord> RunContract(const Config& declared, const Config& honoured) {
  ConfigBackend backend(honoured);
  std::vector<CaseRecord> records;
  for (const CaseSource& source : KernelContractCases(declared)) {
    EXPECT_EQ(source.id.find_first_of(":-*? "), std::string::npos) << source.id;
    records.push_back(source.run({backend, {}, declared.get()}));
  }
  return records;
}

// A bound of every kind. The numbers are those that the edits below look for.
constexpr char kConfig[] = R"({"name": "mine", "configs": [
{"pattern": "torch.nn.Linear",
 "dtype_configs": [
  {"input_dtype": {"dtype": "torch.quint8", "quant_min_lower_bound": 0,
    "quant_max_upper_bound": 127, "scale_min_lower_bound": 0.00390625},
   "output_dtype": {"dtype": "torch.quint8", "quant_min_lower_bound": 1,
    "quant_max_upper_bound": 254, "scale_max_upper_bound": 0.5},
   "weight_dtype": {"dtype": "torch.qint8", "quant_min_lower_bound": -127,
    "quant_max_upper_bound": 127, "scale_min_lower_bound": 0.000244140625,
    "qscheme": "symmetric", "granularity": "per_channel", "channel_axis": 0},
   "bias_dtype": "torch.float32"}]},
{"pattern": "torch.nn.Sigmoid",
 "dtype_configs": [
  {"input_dtype": "torch.quint8",
   "output_dtype": {"dtype": "torch.quint8", "scale_exact_match": 0.0078125,
    "zero_point_exact_match": 2}}]},
{"pattern": "torch.nn.Dropout",
 "dtype_configs": [{"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]},
{"pattern": "torch.flatten",
 "dtype_configs": [{"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]}
]})";

Config Parsed(const std::string& text) {
  const JsonFile file = JsonFile::Parse(text, "config");
  return std::make_shared<const BackendConfig>(BackendConfigFromJson(file.root(), file));
}

Config Edited(const std::string& from, const std::string& to) {
  std::string text = kConfig;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return Parsed(text.replace(at, from.size(), to));
}

TEST(KernelContract, AnHonestBackendPasses) {
  const Config config = Parsed(kConfig);
  std::set<std::string> not_asked;
  size_t passed = 0;
  for (const CaseRecord& record : RunContract(config, config)) {
    EXPECT_FALSE(IsFailed(record)) << record.id << " " << record.cause << " "
                                   << (record.details.empty() ? "" : record.details[0]);
    passed += IsPassed(record) ? 1 : 0;
    if (qconform::IsSkipped(record)) not_asked.insert(record.reason);
  }
  EXPECT_GE(passed, 35U);
  EXPECT_EQ(not_asked, (std::set<std::string>{
                           "exempt: computes nothing: no operator runs in its place (row "
                           "torch.nn.Dropout)"}));
}

struct Fault {
  const char* from;  // of kConfig
  const char* to;    // what the backend honours instead
  const char* step;  // that fails
};

// Each honours one step more than it declares, or one less.
constexpr Fault kFaults[] = {
    {R"("quant_max_upper_bound": 127, "scale_min_lower_bound": 0.00390625)",
     R"("quant_max_upper_bound": 128, "scale_min_lower_bound": 0.00390625)",
     "input.quant_max.one_above"},
    {R"("quant_max_upper_bound": 127, "scale_min_lower_bound": 0.00390625)",
     R"("scale_min_lower_bound": 0.00390625)", "input.range.unsaid"},
    {"0.00390625}", "0.003906249767169356}", "input.scale_min.one_ulp_below"},
    {"0.00390625}", "0.003906250465661287}", "input.scale_min.at"},
    {R"("quant_min_lower_bound": 1,)", R"("quant_min_lower_bound": 0,)",
     "output.quant_min.one_below"},
    {R"("quant_min_lower_bound": 1,)", R"("quant_min_lower_bound": 2,)", "satisfied"},
    {"254", "255", "output.quant_max.one_above"},
    {"254", "253", "satisfied"},
    {"0.5}", "0.5000000596046448}", "output.scale_max.one_ulp_above"},
    {"0.5}", "0.4999999701976776}", "output.scale_max.at"},
    {"-127", "-128", "weight.quant_min.one_below"},
    {"0.000244140625", "0.00024414061044808477", "weight.scale_min.one_ulp_below"},
    {R"(, "channel_axis": 0)", "", ""},
    {R"("granularity": "per_channel", "channel_axis": 0)",
     R"("granularity": "per_tensor")", "satisfied"},
    {R"(, "granularity": "per_channel", "channel_axis": 0)", "",
     "weight.granularity.per_tensor"},
    {R"("qscheme": "symmetric", )", "", "weight.zero_point.off_the_middle"},
    {R"(,
   "bias_dtype": "torch.float32")",
     "", "bias.dtype.other"},
    {"torch.float32", "torch.qint32", "satisfied"},
    {R"("scale_exact_match": 0.0078125,)", "", "output.scale.one_ulp_below"},
    {R"("scale_exact_match": 0.0078125,)",
     R"("scale_exact_match": 0.007812500931322575,)", "output.scale.one_ulp_above"},
    {R"("zero_point_exact_match": 2)", R"("zero_point_exact_match": 3)",
     "output.zero_point.one_above"},
    {R"({"pattern": "torch.nn.Dropout",)",
     R"({"pattern": "torch.nn.ReLU", "dtype_configs": []}, {"pattern": "torch.nn.Dropout",)",
     ""},
    {R"("dtype_configs": [{"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]}
])",
     R"("dtype_configs": [{"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]}
])",
     "satisfied"},
    {R"(  {"input_dtype": "torch.quint8",
   "output_dtype": {)",
     R"(  {"input_dtype": "torch.qint8",
   "output_dtype": {)",
     "input.dtype.other"},
    {R"("output_dtype": {"dtype": "torch.quint8", "scale_exact_match": 0.0078125,
    "zero_point_exact_match": 2})",
     R"("output_dtype": "torch.float32")", "output.dtype.float"},
};

TEST(KernelContract, EveryBoundThatIsNotHonouredFails) {
  const Config declared = Parsed(kConfig);
  for (const Fault& fault : kFaults) {
    const std::vector<CaseRecord> records =
        RunContract(declared, Edited(fault.from, fault.to));
    bool failed = false;
    bool found = false;
    for (const CaseRecord& record : records) {
      failed |= IsFailed(record);
      found |= IsFailed(record) && record.fill == fault.step;
    }
    // No step: what is declared is all the same.
    EXPECT_EQ(failed, *fault.step != '\0') << fault.from << " as " << fault.to;
    EXPECT_EQ(found, *fault.step != '\0') << fault.step << " at " << fault.to;
  }
}

// Looks at the first channel's zero point only, as if all were alike.
class FirstZeroPointBackend : public ConfigBackend {
 public:
  using ConfigBackend::ConfigBackend;
  CallOutcome Call(const OperatorCall& call, CallMode mode) override {
    OperatorCall seen = call;
    for (auto& input : seen.inputs) {
      if (input && input->axis >= 0 && !input->zero_point.empty())
        input->zero_point.assign(input->zero_point.size(), input->zero_point[0]);
    }
    return ConfigBackend::Call(seen, mode);
  }
};

TEST(KernelContract, EveryChannelsZeroPointIsLookedAt) {
  const std::string symmetric = R"("qscheme": "symmetric", )";
  for (const bool declares_symmetric : {true, false}) {
    const Config config = declares_symmetric ? Parsed(kConfig) : Edited(symmetric, "");
    const std::string step = declares_symmetric
                                 ? "weight.zero_point.last_channel_one_above"
                                 : "weight.zero_point.by_channel";
    FirstZeroPointBackend backend(config);
    std::set<std::string> failed;
    for (const CaseSource& source : KernelContractCases(config)) {
      const CaseRecord record = source.run({backend, {}, config.get()});
      if (IsFailed(record)) failed.insert(record.fill);
    }
    EXPECT_EQ(failed, std::set<std::string>{step});
  }
}

TEST(KernelContract, FusionAndQuantizationAtRunTimeAreDeclaredOrRefused) {
  const Config declared = Parsed(kConfig);
  const std::string row = R"({"pattern": ["torch.nn.Linear", "torch.nn.ReLU"],)";
  const std::string dtypes =
      R"("input_dtype": "torch.quint8", "weight_dtype": "torch.qint8")";
  const std::pair<std::string, std::string> more[] = {
      {row + R"("dtype_configs": [{"output_dtype": "torch.quint8",)" + dtypes + "}]},",
       "relu.fused"},
      {R"({"pattern": "torch.nn.functional.linear", "dtype_configs": [{"is_dynamic": true,
          "output_dtype": "torch.float32",)" +
           dtypes + "}]},",
       "dynamic"}};
  for (const auto& [rows, step] : more) {
    std::string text = kConfig;
    text.insert(text.find("[\n") + 1, rows);
    for (const CaseRecord& record : RunContract(declared, Parsed(text))) {
      EXPECT_EQ(IsFailed(record), record.fill == step) << record.id;
    }
  }
}

// The config that asks, and what the backend declares by itself and honours.
std::vector<CaseRecord> RunAsked(const Config& asking, const Config& own,
                                 const Config& honoured) {
  ConfigBackend backend(honoured);
  std::vector<CaseRecord> records;
  for (const CaseSource& source : KernelContractCases(asking))
    records.push_back(source.run({backend, {}, asking.get(), own.get()}));
  return records;
}

constexpr char kSigmoid[] = R"({"pattern": "torch.nn.Sigmoid",
 "dtype_configs": [
  {"input_dtype": "torch.quint8",
   "output_dtype": {"dtype": "torch.quint8", "scale_exact_match": 0.0078125,
    "zero_point_exact_match": 2}}]},)";

TEST(KernelContract, WhatTheOwnConfigLeavesOutMayBeRefused) {
  const Config asking = Parsed(kConfig);
  const Config own = Edited(kSigmoid, "");
  size_t refused = 0;
  for (const CaseRecord& record : RunAsked(asking, own, own)) {
    EXPECT_FALSE(IsFailed(record)) << record.id;
    const bool left_out = record.group.find("sigmoid") != std::string::npos;
    EXPECT_FALSE(qconform::IsSkipped(record) && left_out && !record.cause.empty());
    refused += qconform::IsSkipped(record) && left_out ? 1 : 0;
  }
  EXPECT_GT(refused, 0U);
  // What it declares it must not refuse.
  size_t failed = 0;
  for (const CaseRecord& record : RunAsked(asking, asking, own))
    failed += IsFailed(record) ? 1 : 0;
  EXPECT_EQ(failed, refused);
}

TEST(KernelContract, WhatTheOwnConfigDeclaresBeyondTheAskingOneIsJudged) {
  const Config own = Parsed(kConfig);
  const Config asking =
      Edited(R"("quant_max_upper_bound": 254)", R"("quant_max_upper_bound": 253)");
  size_t beyond = 0;
  for (const CaseRecord& record : RunAsked(asking, own, own)) {
    EXPECT_FALSE(IsFailed(record)) << record.id;
    beyond += record.fill == "output.quant_max.one_above" && !record.row.empty() ? 1 : 0;
  }
  EXPECT_EQ(beyond, 1U);
  // Without a config of its own it accepts what nobody declares.
  bool failed = false;
  for (const CaseRecord& record : RunContract(asking, own)) failed |= IsFailed(record);
  EXPECT_TRUE(failed);
}

// Where it ends: "" without an error.
std::string ContractError(const std::string& rows, const KernelContractOptions& options) {
  try {
    KernelContractCases(Parsed(R"({"name": "mine", "configs": [)" + rows + "]}"),
                        options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(KernelContract, ARowHasACaseOrAnExemption) {
  const std::string silu = R"({"pattern": "torch.nn.functional.silu", "dtype_configs":
      [{"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]})";
  const std::string relu = R"({"pattern": "torch.nn.ReLU", "dtype_configs":
      [{"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"}]})";
  EXPECT_NE(ContractError(silu, {}).find("rows without a case for a kernel backend: "
                                         "torch.nn.functional.silu "),
            std::string::npos)
      << ContractError(silu, {});
  const ExemptRow exempt = {"torch.nn.functional.silu", "any", "no such operator"};
  EXPECT_EQ(ContractError(silu, {{exempt}}), "");
  EXPECT_EQ(ContractError(silu, {{}, false}), "");
  EXPECT_NE(ContractError(relu, {{exempt}}).find("silu is no row that needs it"),
            std::string::npos);
  EXPECT_NE(ContractError(relu, {{{"torch.nn.ReLU", "any", "too hard"}}})
                .find("torch.nn.ReLU quint8.quint8.any.any has a case"),
            std::string::npos);
}

TEST(KernelContract, ExemptRowsAreReadFromCsv) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / "exempt_rows_test.csv";
  const auto read = [&](const std::string& text) {
    std::ofstream(file) << text;
    return ReadExemptRows(file);
  };
  const ExemptRows rows =
      read("# ours\nrow,dtypes,reason\n\"(a.B, c.D)\",any,\"neither, nor\"\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].row, "(a.B, c.D)");
  EXPECT_EQ(rows[0].reason, "neither, nor");
  for (const char* text : {"row,dtypes\na,any\n", "row,dtypes,reason\na,any,\n",
                           "row,dtypes,reason\na,any,b,c\n"})
    EXPECT_THROW(read(text), InputError) << text;
  std::filesystem::remove(file);
  EXPECT_THROW(ReadExemptRows(file), InputError);
}

class BuiltInKernels : public ::testing::TestWithParam<std::string> {};

// Of every row and dtype config there are cases, or an exemption with its reason.
TEST_P(BuiltInKernels, EveryRowIsAskedOrExempt) {
  const auto config =
      std::make_shared<const BackendConfig>(BuiltInBackendConfig(GetParam()));
  size_t passed = 0;
  for (const CaseRecord& record : RunContract(config, config)) {
    EXPECT_FALSE(IsFailed(record)) << record.id << " " << record.cause << " "
                                   << (record.details.empty() ? "" : record.details[0]);
    passed += IsPassed(record) ? 1 : 0;
    if (record.verdict == Verdict::kRefused) {
      EXPECT_TRUE(record.reason.starts_with(kNoCase)) << record.id;
    }
  }
  EXPECT_GT(passed, 0U);
}

TEST(KernelContract, EveryBuiltInExemptionIsOfUse) {
  std::set<const ExemptRow*> used;
  for (const std::string& name : BuiltInBackendNames()) {
    const BackendConfig& config = BuiltInBackendConfig(name);
    for (const BackendConfig::Entry& entry : config.entries())
      for (const DTypeConfig& dtypes : entry.config.dtype_configs)
        used.insert(FindExemption(BuiltInExemptRows(), PatternOf(entry).HumanText(),
                                  OperatorOfPattern(PatternOf(entry)),
                                  DTypeWords(dtypes)));
  }
  for (const ExemptRow& row : BuiltInExemptRows())
    EXPECT_TRUE(used.contains(&row)) << row.row << " " << row.dtypes;
}

INSTANTIATE_TEST_SUITE_P(Configs, BuiltInKernels,
                         ::testing::ValuesIn(BuiltInBackendNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace qconform
