#include "reference/qconfig/constraint_check.h"

#include <gtest/gtest.h>

#include <map>

#include "reference/config/dtype_config_json.h"
#include "reference/ir/error.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/dtype_support.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform {
namespace {

const JsonFile& Recorded() {
  static const JsonFile file =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/qconfig.json");
  return file;
}

QConfigPointer Activation(const ObserverConstructor& observer) {
  return std::make_shared<QConfig>(QConfig{observer, std::nullopt});
}

// Which of our constraints torch's warning is about.
std::string ConstraintOf(const std::string& warning) {
  if (warning.find("quant_min") != std::string::npos ||
      warning.find("quantization range") != std::string::npos) {
    return "quant";
  }
  if (warning.find("eps") != std::string::npos) return "scale_min_lower_bound";
  return "exact";
}

TEST(SatisfiesConstraints, EqualsTorchOnTwentyObserversAndFifteenConstraints) {
  const ordered_json& record = Recorded().root()["constraint_check"];
  ASSERT_EQ(record["table"].size(), 300u);
  for (const ordered_json& row : record["table"]) {
    const ObserverConstructor observer = ObserverConstructorFromJson(
        record["observers"][row[0].get<std::string>()], Recorded());
    const DTypeWithConstraints constraints = DTypeWithConstraintsFromJson(
        record["dtypes"][row[1].get<std::string>()], Recorded());
    const ConstraintVerdict verdict =
        SatisfiesConstraints(Activation(observer), constraints, true);
    EXPECT_EQ(verdict.satisfied, row[2].get<bool>()) << row.dump();
    EXPECT_EQ(verdict.satisfied, verdict.reason.empty());
    if (row.size() < 4) continue;
    const std::string kind = ConstraintOf(row[3][0].get<std::string>());
    EXPECT_NE(verdict.constraint.find(kind), std::string::npos)
        << row.dump() << verdict.constraint;
  }
}

// pytorch/pytorch#85200, #85863: the six observers of the report, against qnnpack's
// symmetric weight.
TEST(SatisfiesConstraints, NamesTheBoundAndBothValues) {
  DTypeWithConstraints weight(DType::kQInt8);
  weight.quant_min_lower_bound = -127;
  weight.quant_max_upper_bound = 127;
  weight.scale_min_lower_bound = 0.000244140625;
  struct Row {
    OrderedMap<Argument> kwargs;
    std::string constraint;  // "" for accepted
    std::string reason;
  };
  const double eps = 0.000244140625;
  const std::string below_min =
      "weight quant_min -128 is below quant_min_lower_bound -127";
  const std::vector<Row> rows = {
      {{{"quant_min", -127}, {"quant_max", 127}, {"eps", eps}}, "", ""},
      {{{"quant_min", -127}, {"quant_max", 127}, {"eps", eps * 4}}, "", ""},
      {{{"quant_min", -128}, {"quant_max", 127}, {"eps", eps}},
       "quant_min_lower_bound",
       below_min},
      // The range of the dtype.
      {{{"eps", eps}}, "quant_min_lower_bound", below_min},
      {{{"quant_min", -127}, {"quant_max", 127}},
       "scale_min_lower_bound",
       "weight eps 1.1920929e-07 is below scale_min_lower_bound 0.000244140625"},
      {{{"quant_min", -127}, {"quant_max", 127}, {"eps", eps / 2}},
       "scale_min_lower_bound",
       "weight eps 0.00012207031 is below scale_min_lower_bound 0.000244140625"},
  };
  for (const Row& row : rows) {
    OrderedMap<Argument> kwargs = row.kwargs;
    kwargs.Set("dtype", DType::kQInt8);
    const auto qconfig = std::make_shared<QConfig>(
        QConfig{std::nullopt, ObserverConstructor("MinMaxObserver", kwargs)});
    for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
      const ConstraintVerdict verdict =
          SatisfiesConstraints(qconfig, weight, false, mode);
      EXPECT_EQ(verdict.satisfied, row.constraint.empty()) << row.reason;
      EXPECT_EQ(verdict.constraint, row.constraint);
      EXPECT_EQ(verdict.reason, row.reason);
    }
  }
}

// Bounds that torch declares and does not enforce.
TEST(SatisfiesConstraints, StrictModeEnforcesLoneBounds) {
  const ObserverConstructor min_max("MinMaxObserver", {{"dtype", DType::kQUInt8}});
  const ObserverConstructor fixed(
      "FixedQParamsObserver",
      {{"scale", 0.5}, {"zero_point", 3}, {"dtype", DType::kQUInt8}});
  const auto verdict = [](const ObserverConstructor& observer,
                          const DTypeWithConstraints& bounds, Mode mode) {
    return SatisfiesConstraints(Activation(observer), bounds, true, mode);
  };
  const auto differs = [&verdict](const ObserverConstructor& observer,
                                  const DTypeWithConstraints& bounds,
                                  const char* constraint) {
    EXPECT_TRUE(verdict(observer, bounds, Mode::kTorch)) << constraint;
    EXPECT_EQ(verdict(observer, bounds, Mode::kStrict).constraint, constraint);
  };
  DTypeWithConstraints bounds(DType::kQUInt8);
  bounds.quant_min_lower_bound = 5;
  differs(min_max, bounds, "quant_min_lower_bound");
  bounds = DType::kQUInt8;
  bounds.quant_max_upper_bound = 127;
  differs(min_max, bounds, "quant_max_upper_bound");
  bounds = DType::kQUInt8;
  bounds.scale_max_upper_bound = 0.25;
  differs(fixed, bounds, "scale_max_upper_bound");
  bounds = DType::kQUInt8;
  bounds.scale_exact_match = 0.25;
  differs(fixed, bounds, "scale_exact_match");
  differs(min_max, bounds, "scale_exact_match");
  bounds = DType::kQUInt8;
  bounds.zero_point_exact_match = 0;
  differs(fixed, bounds, "zero_point_exact_match");
}

// Beyond torch: enforced in strict mode, a finding in torch mode.
TEST(SatisfiesConstraints, QSchemeGranularityAndAxis) {
  const auto weight = [](const char* observer, const char* qscheme, int axis) {
    OrderedMap<Argument> kwargs = {{"dtype", DType::kQInt8}, {"qscheme", qscheme}};
    if (axis >= 0) kwargs.Set("ch_axis", axis);
    return std::make_shared<QConfig>(
        QConfig{std::nullopt, ObserverConstructor(observer, kwargs)});
  };
  const auto symmetric = weight("MinMaxObserver", "torch.per_tensor_symmetric", -1);
  const auto affine = weight("MinMaxObserver", "torch.per_tensor_affine", -1);
  const auto channels =
      weight("PerChannelMinMaxObserver", "torch.per_channel_symmetric", 1);
  const auto refusal = [](const QConfigPointer& qconfig,
                          const DTypeWithConstraints& bounds) {
    const ConstraintVerdict strict =
        SatisfiesConstraints(qconfig, bounds, false, Mode::kStrict);
    const ConstraintVerdict torch = SatisfiesConstraints(qconfig, bounds, false);
    EXPECT_TRUE(torch);
    EXPECT_EQ(torch.finding, strict.reason);
    return strict.reason;
  };
  DTypeWithConstraints bounds(DType::kQInt8);
  bounds.qscheme = QSchemeConstraint::kSymmetric;
  EXPECT_EQ(refusal(symmetric, bounds), "");
  EXPECT_EQ(refusal(channels, bounds), "");
  EXPECT_EQ(refusal(affine, bounds),
            "weight qscheme torch.per_tensor_affine is not qscheme symmetric");
  bounds.qscheme = QSchemeConstraint::kAffine;
  EXPECT_EQ(refusal(symmetric, bounds),
            "weight qscheme torch.per_tensor_symmetric is not qscheme affine");
  bounds = DType::kQInt8;
  bounds.granularity = Granularity::kPerTensor;
  EXPECT_EQ(refusal(symmetric, bounds), "");
  EXPECT_EQ(refusal(channels, bounds),
            "weight qscheme torch.per_channel_symmetric is not granularity per_tensor");
  bounds.granularity = Granularity::kPerChannel;
  EXPECT_EQ(refusal(affine, bounds),
            "weight qscheme torch.per_tensor_affine is not granularity per_channel");
  bounds.channel_axis = 1;
  EXPECT_EQ(refusal(channels, bounds), "");
  bounds.channel_axis = 0;
  EXPECT_EQ(refusal(channels, bounds), "weight channel axis 1 is not channel_axis 0");
}

TEST(CheckDTypeConfigs, EqualsTorch) {
  const ordered_json& record = Recorded().root()["convert_supported_by_dtype_configs"];
  std::map<std::pair<std::string, std::string>, std::string> listed;
  std::map<std::string, bool> names;
  for (const ordered_json& row : record["table"]) {
    listed[{row[0], row[1]}] =
        row[2].is_string() ? row[2].get<std::string>() : row[2].dump();
    names[row[0]] = true;
  }
  for (const auto& [config_name, configs] : record["dtype_configs"].items()) {
    std::vector<DTypeConfig> dtype_configs;
    for (ordered_json config : configs) {
      // This part of the record spells a boolean as text.
      if (config.contains("is_dynamic")) {
        config["is_dynamic"] = config["is_dynamic"] == "True";
      }
      dtype_configs.push_back(DTypeConfigFromJson(config, "qconfig.json"));
    }
    for (const auto& [name, unused] : names) {
      const QConfigPointer qconfig = name == "None" ? nullptr : NamedQConfig(name);
      std::string result;
      try {
        result = CheckDTypeConfigs(qconfig, dtype_configs).supported ? "true" : "false";
      } catch (const PipelineError& error) {
        result = error.kind();
      }
      const auto found = listed.find({name, config_name});
      EXPECT_EQ(result, found == listed.end() ? "false" : found->second)
          << name << " " << config_name;
    }
  }
}

// The dtype config that fails in the fewest fields, and its first one.
TEST(CheckDTypeConfigs, NamesTheFieldAndBothValues) {
  DTypeConfig fixed;
  fixed.input_dtype = fixed.output_dtype = DTypeWithConstraints(DType::kQUInt8);
  fixed.weight_dtype = DTypeWithConstraints(DType::kQInt8);
  fixed.bias_dtype = DType::kFloat32;
  DTypeConfig dynamic = fixed;
  dynamic.output_dtype = DTypeWithConstraints(DType::kFloat32);
  dynamic.is_dynamic = true;
  const std::vector<DTypeConfig> both = {dynamic, fixed};
  DTypeConfig half_bias = fixed;
  half_bias.bias_dtype = DType::kFloat16;
  struct Row {
    DType activation;
    DType weight;
    bool is_dynamic;
    std::vector<DTypeConfig> configs;
    const char* field;
    const char* reason;
  };
  const Row rows[] = {
      {DType::kQUInt8, DType::kQInt8, false, both, "", ""},
      {DType::kQUInt8, DType::kQInt8, true, both, "", ""},
      {DType::kQUInt8, DType::kQUInt8, false, both, "weight_dtype",
       "weight_dtype: the qconfig has quint8, the backend allows qint8"},
      {DType::kQUInt8,
       DType::kQInt8,
       false,
       {dynamic},
       "is_dynamic",
       "is_dynamic: the qconfig has false, the backend allows true"},
      {DType::kQInt8,
       DType::kQInt8,
       false,
       {fixed},
       "input_dtype",
       "input_dtype: the qconfig has qint8, the backend allows quint8"},
      {DType::kQUInt8,
       DType::kQInt8,
       false,
       {half_bias},
       "bias_dtype",
       "bias_dtype: the qconfig has float32, the backend allows float16"},
      {DType::kQUInt8,
       DType::kQInt8,
       false,
       {},
       "dtype_configs",
       "dtype_configs: the backend declares none for it"},
  };
  for (const Row& row : rows) {
    const auto qconfig = std::make_shared<QConfig>(QConfig{
        ObserverConstructor("PlaceholderObserver",
                            {{"dtype", row.activation}, {"is_dynamic", row.is_dynamic}}),
        ObserverConstructor("MinMaxObserver", {{"dtype", row.weight}})});
    const DTypeVerdict verdict = CheckDTypeConfigs(qconfig, row.configs);
    EXPECT_EQ(verdict.supported, row.field[0] == '\0') << row.field;
    EXPECT_EQ(verdict.field, row.field);
    EXPECT_EQ(verdict.reason, row.reason);
  }
}

}  // namespace
}  // namespace qconform
