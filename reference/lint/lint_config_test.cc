// For each kind of finding a config that has it and the same config without the fault.
#include "reference/lint/lint_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/ir/error.h"
#include "reference/lint/config_table.h"

namespace qconform {
namespace {

LintFindings FindIn(const std::string& rows) {
  const JsonFile file =
      JsonFile::Parse("{\"name\": \"npu\", \"configs\": [\n" + rows + "\n]}", "npu.json");
  return LintBackendConfig(file);
}

const LintFinding* Find(const LintFindings& findings, const std::string& kind) {
  for (const LintFinding& finding : findings) {
    if (finding.kind == kind) return &finding;
  }
  return nullptr;
}

std::string Texts(const LintFindings& findings) {
  std::string text;
  for (const LintFinding& finding : findings) {
    text += finding.kind + ": " + ToText(finding) + "\n";
  }
  return text;
}

const std::string kD1 =  // NOLINT
    R"({"input_dtype": "torch.quint8", "output_dtype": "torch.quint8",
 "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"})";
const std::string kD4 =  // NOLINT
    R"({"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"})";
const std::string kConv =  // NOLINT
    R"({"pattern": "torch.nn.Conv2d", "root_module": "torch.nn.Conv2d",
 "reference_quantized_module_for_root": "torch.ao.nn.quantized.reference.Conv2d",
 "dtype_configs": [)" +
    kD1 + "]}";

std::string Row(const std::string& pattern, const std::string& rest = "",
                const std::string& dtype_configs = kD4) {
  const char* key = pattern[0] == '!' ? "pattern_complex_format" : "pattern";
  return std::string("{\"") + key + "\": " + pattern.substr(pattern[0] == '!') +
         ", \"dtype_configs\": [" + dtype_configs + "]" + rest + "}";
}

// A row with one constrained input.
std::string Input(const std::string& constraints) {
  return Row("\"torch.nn.ReLU\"", "",
             "{\"input_dtype\": {\"dtype\": \"torch.quint8\", " + constraints +
                 "}, \"output_dtype\": \"torch.quint8\"}");
}

std::string Fusion(const std::string& pattern, const std::string& rest = "") {
  return Row(pattern,
             ", \"fuser_method\": \"_sequential_wrapper2(torch.ao.nn.intrinsic."
             "ConvReLU2d)\"" +
                 rest,
             kD1);
}

struct Case {
  const char* kind;
  std::string faulty;
  std::string sound;  // does not have this kind
  bool modes_differ = false;
};

std::vector<Case> Cases() {
  const std::string relu = Row("\"torch.nn.ReLU\"");
  return {
      {"one_sided_bound", Input(R"("quant_max_upper_bound": 127)"),
       Input(R"("quant_min_lower_bound": 0, "quant_max_upper_bound": 127)"), true},
      {"unread_bound", Input(R"("scale_max_upper_bound": 0.5)"),
       Input(R"("scale_min_lower_bound": 0.5)"), true},
      {"lone_exact_match", Input(R"("scale_exact_match": 0.5)"),
       Input(R"("scale_exact_match": 0.5, "zero_point_exact_match": 0)"), true},
      {"fixed_qparams_and_scale_bounds",
       Input(R"("scale_exact_match": 0.5, "zero_point_exact_match": 0,
"scale_min_lower_bound": 0.1)"),
       Input(R"("scale_exact_match": 0.5, "zero_point_exact_match": 0)")},
      {"empty_range", Input(R"("quant_min_lower_bound": 9, "quant_max_upper_bound": 8)"),
       Input(R"("quant_min_lower_bound": 8, "quant_max_upper_bound": 9)")},
      {"bound_never_binds",
       Input(R"("quant_min_lower_bound": -1, "quant_max_upper_bound": 255)"),
       Input(R"("quant_min_lower_bound": 0, "quant_max_upper_bound": 255)")},
      {"zero_point_out_of_range",
       Input(R"("scale_exact_match": 0.5, "zero_point_exact_match": 256)"),
       Input(R"("scale_exact_match": 0.5, "zero_point_exact_match": 255)")},
      {"constraint_without_dtype",
       Row("\"torch.nn.ReLU\"", "", R"({"input_dtype": {"scale_min_lower_bound": 0.5}})"),
       Input(R"("scale_min_lower_bound": 0.5)")},
      {"module_weight_constraint",
       Row("\"torch.nn.Linear\"", "",
           R"({"weight_dtype": {"dtype": "torch.qint8", "scale_min_lower_bound": 0.5}})"),
       Row("\"torch.nn.functional.linear\"", ", \"input_type_to_index\": {\"weight\": 1}",
           R"({"weight_dtype": {"dtype": "torch.qint8", "scale_min_lower_bound": 0.5}})"),
       true},
      {"beyond_torch", Input(R"("granularity": "per_tensor")"), relu, true},
      {"unknown_key", Row("\"torch.nn.ReLU\"", ", \"root_modul\": \"torch.nn.ReLU\""),
       relu},
      {"dynamic_output",
       Row("\"torch.nn.ReLU\"", "",
           R"({"input_dtype": "torch.quint8", "output_dtype": "torch.quint8",
"is_dynamic": true})"),
       Row("\"torch.nn.ReLU\"", "",
           R"({"input_dtype": "torch.quint8", "output_dtype": "torch.float32",
"is_dynamic": true})")},
      {"input_output_differ",
       Row("\"torch.nn.ReLU\"", "",
           R"({"input_dtype": "torch.quint8", "output_dtype": "torch.qint8"})"),
       relu},
      {"float16_bias",
       Row("\"torch.nn.Linear\"", "",
           R"({"input_dtype": "torch.float16", "output_dtype": "torch.float16",
"weight_dtype": "torch.float16", "bias_dtype": "torch.float32"})"),
       Row("\"torch.nn.Linear\"", "",
           R"({"input_dtype": "torch.float16", "output_dtype": "torch.float16",
"weight_dtype": "torch.float16", "bias_dtype": "torch.float16"})")},
      {"bias_dtype_never_matches",
       Row("\"torch.nn.Linear\"", "",
           R"({"weight_dtype": "torch.qint8", "bias_dtype": "torch.qint32"})"),
       kConv},
      {"dtype_never_observed",
       Row("\"torch.nn.ReLU\"", "",
           R"({"input_dtype": "torch.uint16", "output_dtype": "torch.uint16"})"),
       relu},
      {"unreachable_dtype_config", Row("\"torch.nn.ReLU\"", "", kD4 + "," + kD4), relu},
      {"replaced_row", relu + "," + relu, relu},
      {"shadowed_pattern",
       Row(R"(!["torch.nn.ReLU", "MatchAllNode"])") + "," +
           Row(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])"),
       Row(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])") + "," +
           Row(R"(!["torch.nn.ReLU", "MatchAllNode"])")},
      {"never_traced", Row("\"torch.nn.functional.sigmoid\""), Row("\"sigmoid\"")},
      {"traced_into", Row("\"npu.Swizzle\""), relu},
      {"argument_count", Row(R"(["torch.nn.Conv2d", "operator.add", "torch.nn.ReLU"])"),
       Row(R"(!["torch.nn.ReLU", ["operator.add", "MatchAllNode", "torch.nn.Conv2d"]])")},
      {"getattr_pattern", Row(R"(!["builtins.getattr", "shape"])"), relu, true},
      {"never_matches", Row(R"(!{"lit": 3})"), relu},
      {"fused_without_entry",
       kConv + "," +
           Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])",
                  ", \"fused_module\": \"torch.ao.nn.intrinsic.ConvReLU2d\""),
       kConv + "," +
           Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])",
                  ", \"fused_module\": \"torch.ao.nn.intrinsic.ConvReLU2d\"") +
           "," + Row("\"torch.ao.nn.intrinsic.ConvReLU2d\"", "", kD1)},
      {"fused_module_without_fuser",
       Row("\"torch.nn.ReLU\"", ", \"fused_module\": \"torch.nn.ReLU\""), relu},
      {"fuser_on_single_operation", Fusion("\"torch.nn.Conv2d\""),
       Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])")},
      {"fuser_needs_module_root",
       Fusion(R"(["torch.nn.functional.conv2d", "torch.nn.ReLU"])"),
       Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])")},
      {"literal_in_fusion", Fusion(R"(!["operator.add", {"lit": 3}, "torch.nn.Conv2d"])"),
       Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])")},
      {"extra_input_dropped",
       Fusion(R"(!["operator.add", "MatchAllNode", "torch.nn.Conv2d"])"),
       Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])")},
      {"root_is_no_operation",
       Row(R"(!["operator.add", "torch.nn.Conv2d", "MatchAllNode"])"),
       Row(R"(!["operator.add", "MatchAllNode", "torch.nn.Conv2d"])")},
      {"root_without_reference",
       Row("\"torch.nn.Linear\"", ", \"root_module\": \"torch.nn.Linear\"", kD1), kConv},
      {"reference_without_root",
       Row("\"torch.nn.Linear\"",
           ", \"reference_quantized_module_for_root\": "
           "\"torch.ao.nn.quantized.reference.Linear\"",
           kD1),
       kConv},
      {"weight_without_reference", Row("\"torch.nn.Linear\"", "", kD1), kConv},
      {"weight_not_indexed", Row("\"torch.nn.functional.linear\"", "", kD1),
       Row("\"torch.nn.functional.linear\"", ", \"input_type_to_index\": {\"weight\": 1}",
           kD1)},
      {"qat_module_unused",
       Row(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])",
           ", \"qat_module\": \"torch.ao.nn.qat.Conv2d\""),
       relu},
      {"qat_without_entry",
       Row("\"torch.nn.Conv2d\"", ", \"qat_module\": \"torch.ao.nn.qat.Conv2d\""),
       Row("\"torch.nn.Conv2d\"", ", \"qat_module\": \"torch.ao.nn.qat.Conv2d\"") + "," +
           Row("\"torch.ao.nn.qat.Conv2d\"")},
      {"unknown_qat_module",
       Row("\"torch.nn.Conv2d\"", ", \"qat_module\": \"npu.QatConv\""),
       Row("\"torch.nn.Conv2d\"", ", \"qat_module\": \"torch.ao.nn.qat.Conv2d\"")},
      {"qat_module_of_another",
       Row("\"torch.nn.Conv2d\"", ", \"qat_module\": \"torch.ao.nn.qat.Linear\""),
       Row("\"torch.nn.Linear\"",
           ", \"qat_module\": \"torch.ao.nn.qat.dynamic.Linear\"")},
      {"not_observed_ignored",
       Row("\"torch.nn.ReLU\"", ", \"observation_type\": \"INPUT_OUTPUT_NOT_OBSERVED\""),
       Row("\"size\"", ", \"observation_type\": \"INPUT_OUTPUT_NOT_OBSERVED\""), true},
      {"tensor_count_missing",
       Row("\"operator.add\"",
           ", \"num_tensor_args_to_observation_type\": {\"0\": "
           "\"OUTPUT_SHARE_OBSERVER_WITH_INPUT\", \"2\": "
           "\"OUTPUT_SHARE_OBSERVER_WITH_INPUT\"}"),
       relu},
      {"no_dtype_config", Row("\"torch.nn.ReLU\"", "", ""), relu},
      {"unknown_name", Row("\"torch.nn.Relu\""), relu},
      {"unknown_name",
       Row("\"torch.nn.ReLU\"", ", \"input_type_to_index\": {\"wieght\": 1}"), relu},
      {"unknown_name", Row("\"torch.nn.ReLU\"", ", \"qat_module\": \"torch.nn.Relu\""),
       relu},
      {"unknown_name",
       Row("\"torch.nn.ReLU\"", ", \"observation_type\": \"INPUT_OUTPUT_NOT_OBSERVD\""),
       relu},
      {"unknown_name", Row("\"torch.nn.ReLU\"", "", R"({"input_dtype": "torch.qunit8"})"),
       relu},
      {"unknown_name",
       Row(R"(["torch.nn.Conv2d", "torch.nn.BatchNorm2d"])",
           ", \"fuser_method\": "
           "\"torch.ao.quantization.fuser_method_mappings.fuse_conv_bm\""),
       Fusion(R"(["torch.nn.Conv2d", "torch.nn.ReLU"])")},
      {"unknown_name", Row("\"torch.nn.ReLU\"", ", \"root_node_getter\": \"nobody\""),
       relu},
      {"unknown_name", Row("\"torch.nn.ReLU\"", ", \"extra_inputs_getter\": \"nobody\""),
       relu},
  };
}

TEST(LintConfig, EveryKindIsFoundWhereItIsAndOnlyThere) {
  for (const Case& c : Cases()) {
    const LintFindings faulty = FindIn(c.faulty);
    const LintFinding* finding = Find(faulty, c.kind);
    ASSERT_NE(finding, nullptr) << c.kind << "\n" << c.faulty << "\n" << Texts(faulty);
    EXPECT_EQ(finding->where.rfind("npu.json:", 0), 0u) << finding->where;
    EXPECT_EQ(!finding->strict.empty(), c.modes_differ) << c.kind;
    EXPECT_EQ(Find(FindingsIn(Mode::kStrict, faulty), c.kind) == nullptr, c.modes_differ);
    const LintFindings sound = FindIn(c.sound);
    EXPECT_EQ(Find(sound, c.kind), nullptr) << c.kind << "\n" << Texts(sound);
  }
}

// A stranger's class may be an extension's; one of torch that torch does not have is
// none.
TEST(LintConfig, AQatClassOfTorchsMustExist) {
  for (const auto& [name, severity] :
       {std::pair("npu.QatConv", LintSeverity::kWarning),
        {"torch.ao.nn.qat.Conv9d", LintSeverity::kError}}) {
    const LintFindings findings = FindIn(
        Row("\"torch.nn.Conv2d\"", std::string(", \"qat_module\": \"") + name + "\""));
    const LintFinding* finding = Find(findings, "unknown_qat_module");
    ASSERT_NE(finding, nullptr) << name;
    EXPECT_EQ(finding->severity, severity) << name;
  }
}

TEST(LintConfig, NamesTheLineAndTheNearestName) {
  const LintFindings findings = FindIn(
      "{\"pattern\": [\"torch.nn.Conv2d\",\n\"torch.nn.Relu\"],\n\"dtype_configs\": "
      "[{\"input_dtype\":\n{\"dtype\": \"torch.qunit8\"}}]}");
  // A row whose dtype cannot be read is judged no further.
  ASSERT_EQ(findings.size(), 1u) << Texts(findings);
  EXPECT_EQ(ToText(findings[0]),
            "npu.json:5  error    input_dtype  unknown dtype 'torch.qunit8', nearest "
            "known name torch.quint8");
  const LintFindings names =
      FindIn("{\"pattern\": [\"torch.nn.Conv2d\",\n\"torch.nn.Relu\"]}");
  const LintFinding* name = Find(names, "unknown_name");
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(name->where, "npu.json:3");
  EXPECT_NE(name->text.find("nearest known name torch.nn.ReLU"), std::string::npos);
}

TEST(LintConfig, Summary) {
  EXPECT_EQ(LintSummary({}),
            "0 findings: 0 differ between --mode=torch and --mode=strict");
  LintFinding finding;
  finding.strict = "enforced";
  EXPECT_EQ(LintSummary({finding}),
            "1 finding: 1 differs between --mode=torch and --mode=strict");
}

// Every one of torch's own configs is well formed. What lint says of them is true of
// torch: no more than a handful of errors, which this list keeps.
TEST(LintConfig, BuiltInConfigs) {
  for (const std::string& name : BuiltInBackendNames()) {
    const ordered_json json = BackendConfigToJson(BuiltInBackendConfig(name));
    const LintFindings findings =
        LintBackendConfig(JsonFile::Parse(json.dump(), name), true);
    for (const LintFinding& finding : findings) {
      EXPECT_EQ(finding.where.rfind(name + " row ", 0), 0u) << finding.where;
      EXPECT_NE(finding.severity, LintSeverity::kError) << ToText(finding);
    }
  }
}

TEST(LintConfig, RefusesWhatIsNoConfig) {
  for (const char* text : {"[]", "3", "{}", R"({"configs": 3})", R"({"configs": [3]})",
                           R"({"configs": [{"pattern": 3}]})", R"({"configs": [{}]})",
                           R"({"configs": [{"pattern": ["a", "b", "c", "d"]}]})",
                           R"({"name": 3, "configs": []})"}) {
    EXPECT_THROW(LintBackendConfig(JsonFile::Parse(text, "bad.json")), InputError)
        << text;
  }
}

TEST(CapabilityTable, SaysWhatAConfigCanDo) {
  const std::vector<CapabilityRow> rows =
      CapabilityTable(BuiltInBackendConfig("qnnpack"));
  const auto linear =
      std::find_if(rows.begin(), rows.end(), [](const CapabilityRow& row) {
        return row.pattern == "torch.nn.Linear" && row.how == "static";
      });
  ASSERT_NE(linear, rows.end());
  EXPECT_EQ(linear->training, "torch.ao.nn.qat.Linear");
  const auto dynamic =
      std::find_if(rows.begin(), rows.end(), [](const CapabilityRow& row) {
        return row.pattern == "torch.nn.Linear" && row.how == "dynamic";
      });
  EXPECT_NE(dynamic, rows.end());
  const std::string text = CapabilityText(rows);
  EXPECT_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')),
            rows.size() + 1);
}

}  // namespace
}  // namespace qconform
