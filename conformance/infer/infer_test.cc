// The config that a backend honours: what it declares where it is honest, and what it
// really does where it is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/adapters/scalar/scalar_config.h"
#include "conformance/cases/declared_row.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/infer/infer_config.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "reference/config/backend_config_json.h"
#include "reference/diff/config_diff.h"

namespace qconform {
namespace {

BackendConfig ConfigFrom(const std::string& text) {
  const JsonFile file = JsonFile::Parse(text, "test");
  return BackendConfigFromJson(file.root(), file);
}

std::string Difference(const BackendConfig& declared, const BackendConfig& inferred) {
  return ToText(DiffConfigs(declared, inferred));
}

std::string LinearConfig(const std::string& input = R"({"dtype": "torch.quint8"})",
                         const std::string& weight = R"({"dtype": "torch.qint8"})") {
  return R"({"name": "own", "configs": [
    {"pattern": "torch.nn.modules.linear.Linear", "dtype_configs": [
      {"input_dtype": )" +
         input + R"(, "output_dtype": {"dtype": "torch.quint8"}, "weight_dtype": )" +
         weight + R"(, "bias_dtype": "torch.float32"}]}]})";
}

// The reference in this process; refuses where `objection` says so, and errs where
// `errs` does.
class ReferenceTarget : public CallTarget {
 public:
  std::function<bool(const OperatorCall&)> refuses = [](const OperatorCall&) {
    return false;
  };
  std::function<bool(const OperatorCall&)> errs = [](const OperatorCall&) {
    return false;
  };
  const LoadedBackend& Load() override { return nobody_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode) override {
    CallOutcome outcome;
    auto outputs = ReferenceOutputs(call, "");
    outcome.reply.supported = outputs.has_value() && !refuses(call);
    outcome.reply.reason = "not mine";
    if (!outcome.reply.supported) return outcome;
    if (errs(call))
      for (std::byte& byte : (*outputs)[0]) byte ^= std::byte{1};
    outcome.reply.runs.emplace_back();
    outcome.reply.runs[0].outputs = std::move(*outputs);
    return outcome;
  }

 private:
  LoadedBackend nobody_;
};

const InferOptions kOnlyDeclared{true, ""};

BackendConfig Infer(CallTarget& target, const BackendConfig& declared,
                    const InferOptions& options = kOnlyDeclared) {
  return InferConfig(target, declared.name(), &declared, options).config;
}

TEST(Infer, GivesBackWhatAnHonestBackendDeclares) {
  const BackendConfig declared = ConfigFrom(ScalarConfig());
  ReferenceTarget target;
  const InferReport report =
      InferConfig(target, declared.name(), &declared, kOnlyDeclared);
  EXPECT_EQ(Difference(declared, report.config), "");
  for (const InferredRow& row : report.rows) {
    EXPECT_EQ(row.not_tried, "") << row.row;
    EXPECT_EQ(row.answer.honour, Honour::kRight) << row.row << row.answer.why;
  }
  EXPECT_LT(report.calls, 60 * static_cast<int64_t>(report.rows.size()));
}

// Each bound to the code and to the unit in the last place.
TEST(Infer, FindsBoundsThatQueryKeeps) {
  const BackendConfig declared =
      ConfigFrom(LinearConfig(R"({"dtype": "torch.quint8", "quant_min_lower_bound": 3,
                       "quant_max_upper_bound": 201})",
                              R"({"dtype": "torch.qint8", "quant_min_lower_bound": -127,
                       "quant_max_upper_bound": 127,
                       "scale_min_lower_bound": 0.000244140625,
                       "scale_max_upper_bound": 64.0})"));
  ReferenceTarget target;
  target.refuses = [&](const OperatorCall& call) {
    return DeclaredRow(declared, call).empty();
  };
  EXPECT_EQ(Difference(declared, Infer(target, declared)), "");
  // The same without being told.
  const BackendConfig silent = ConfigFrom(LinearConfig());
  EXPECT_EQ(Difference(declared, Infer(target, silent)), "");
}

TEST(Infer, FindsWhereAScaleStopsBeingRight) {
  const BackendConfig declared = ConfigFrom(LinearConfig());
  ReferenceTarget target;
  target.errs = [](const OperatorCall& call) {
    return call.inputs[0]->scale[0] < 0.001f;
  };
  const BackendConfig inferred = Infer(target, declared);
  ASSERT_EQ(inferred.entries().size(), 1u);
  const DTypeConfig& dtypes = inferred.entries()[0].config.dtype_configs[0];
  EXPECT_EQ(dtypes.input_dtype.scale_min_lower_bound, double{0.001f});
  EXPECT_FALSE(dtypes.input_dtype.scale_max_upper_bound);
  EXPECT_FALSE(dtypes.output_dtype.scale_min_lower_bound);
}

InferReport InferSaboteur(const std::string& fault, const BackendConfig& declared) {
  Worker worker(SaboteurFile("saboteur_" + fault), TestWorkerOptions());
  return InferConfig(worker, declared.name(), &declared, kOnlyDeclared);
}

// Pairs that saturate at 16 bits are right up to 128: 2 * 128 * -128 is the last sum that
// fits. That is what reduce_range is for.
TEST(Infer, FindsTheRangeThatPairSaturationLeaves) {
  const BackendConfig declared = ConfigFrom(LinearConfig());
  const InferReport honest = InferSaboteur("none", declared);
  EXPECT_EQ(Difference(declared, honest.config), "");
  const InferReport report = InferSaboteur("pair_saturation", declared);
  ASSERT_EQ(report.config.entries().size(), 1u);
  const DTypeConfig& dtypes = report.config.entries()[0].config.dtype_configs[0];
  ASSERT_TRUE(dtypes.input_dtype.quant_max_upper_bound);
  EXPECT_LT(*dtypes.input_dtype.quant_max_upper_bound, 192);
  EXPECT_GE(*dtypes.input_dtype.quant_max_upper_bound, 127);
  EXPECT_NE(Difference(declared, report.config), "");
}

TEST(Infer, LeavesOutWhatIsComputedWrongly) {
  const BackendConfig declared = ConfigFrom(LinearConfig());
  const InferReport report = InferSaboteur("zero_point_twice", declared);
  EXPECT_TRUE(report.config.entries().empty());
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].answer.honour, Honour::kWrong);
  EXPECT_NE(report.rows[0].answer.why.find(" got "), std::string::npos);
  EXPECT_EQ(InferSaboteur("refuse_declared", declared).rows[0].answer.why, "not today");
  EXPECT_EQ(InferSaboteur("crash_in_run", declared).rows[0].answer.honour,
            Honour::kFailed);
}

BackendConfig ConvolutionConfig() {
  return ConfigFrom(R"({"name": "own", "configs": [
    {"pattern": "torch.nn.modules.conv.Conv2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8",
       "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]}]})");
}

// Faults that no single call of the smallest shape shows.
class InferFault : public ::testing::TestWithParam<const char*> {};

TEST_P(InferFault, IsNotHonoured) {
  const BackendConfig declared = ConvolutionConfig();
  const InferReport report = InferSaboteur(GetParam(), declared);
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_TRUE(report.rows[0].answer.honour == Honour::kWrong ||
              report.rows[0].answer.honour == Honour::kFailed);
  EXPECT_NE(report.rows[0].answer.why, "");
  EXPECT_TRUE(report.config.entries().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Infer, InferFault,
    ::testing::Values("stale_scratch", "second_call", "data_race", "assumes_alignment",
                      "one_plan_at_a_time", "depends_on_threads", "changes_its_answer",
                      "strided_groups", "strided_single_taps", "beyond_64_channels",
                      "compensation_of_first_group", "depthwise_multiplier_order",
                      "group_off_by_one", "strides_ignored"),
    [](const auto& info) { return std::string(info.param); });

TEST(Infer, HonoursASoundConvolution) {
  const BackendConfig declared = ConvolutionConfig();
  const InferReport report = InferSaboteur("none", declared);
  EXPECT_EQ(Difference(declared, report.config), "");
  EXPECT_TRUE(report.rows[0].notes.empty());
}

// No config can say so.
TEST(Infer, NotesShapesThatAreRefused) {
  const BackendConfig declared = ConvolutionConfig();
  ReferenceTarget target;
  target.refuses = [](const OperatorCall& call) { return call.attributes.groups > 1; };
  const InferReport report =
      InferConfig(target, declared.name(), &declared, kOnlyDeclared);
  EXPECT_EQ(report.rows[0].answer.honour, Honour::kRight);
  EXPECT_EQ(report.rows[0].notes,
            (std::vector<std::string>{"refuses strided_groups: not mine",
                                      "refuses depthwise: not mine"}));
}

// Neither signed activations nor transposed convolutions are declared.
TEST(Infer, ShowsRowsThatWereNotDeclared) {
  const BackendConfig declared = ConfigFrom(LinearConfig());
  ReferenceTarget target;
  target.refuses = [](const OperatorCall& call) {
    return call.kind != QC_LINEAR && call.kind != QC_CONV_TRANSPOSE;
  };
  const InferReport report = InferConfig(target, declared.name(), &declared, {});
  const auto beyond = [&](const std::string& row, const std::string& dtypes) {
    return std::any_of(report.rows.begin(), report.rows.end(), [&](const InferredRow& r) {
      return r.row == row && r.dtypes == dtypes && !r.declared &&
             r.answer.honour == Honour::kRight && r.not_tried.empty();
    });
  };
  EXPECT_TRUE(beyond("torch.nn.Linear", "qint8.qint8.qint8.float32"));
  EXPECT_TRUE(beyond("torch.nn.Linear", "quint8.quint8.qint8.qint32"));
  EXPECT_TRUE(beyond("torch.nn.ConvTranspose2d", "quint8.quint8.qint8.float32"));
  EXPECT_FALSE(beyond("torch.nn.Sigmoid", "quint8.quint8.any.any"));
  EXPECT_EQ(Difference(declared, report.config).find("< row"), std::string::npos);
  // What it writes, the reader reads.
  const BackendConfig again = ConfigFrom(BackendConfigToJson(report.config).dump());
  EXPECT_EQ(Difference(report.config, again), "");
}

}  // namespace
}  // namespace qconform
