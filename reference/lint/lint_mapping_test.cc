// For each kind of finding a mapping that has it and one without the fault.
#include "reference/lint/lint_mapping.h"

#include <gtest/gtest.h>

#include <string>

#include "reference/backends/backends.h"
#include "reference/ir/error.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

LintFindings FindIn(const std::string& text, const BackendConfig* config = nullptr) {
  return LintMapping(JsonFile::Parse(text, "mapping.json"), config);
}

const LintFinding* Find(const LintFindings& findings, const std::string& kind) {
  for (const LintFinding& finding : findings) {
    if (finding.kind == kind) return &finding;
  }
  return nullptr;
}

std::string QConfigText(const std::string& activation, const std::string& weight) {
  return "{\"activation\": " + activation + ", \"weight\": " + weight + "}";
}

std::string Observer(const std::string& name, const std::string& kwargs = "{}") {
  return "{\"class\": \"" + name + "\", \"kwargs\": " + kwargs + "}";
}

const std::string kWeight =  // NOLINT
    Observer("MinMaxObserver",
             R"({"dtype": "torch.qint8", "qscheme": "torch.per_tensor_symmetric"})");
const std::string kPerChannel =  // NOLINT
    Observer("PerChannelMinMaxObserver",
             R"({"dtype": "torch.qint8", "qscheme": "torch.per_channel_symmetric"})");
const std::string kQ = QConfigText(Observer("MinMaxObserver"), kWeight);  // NOLINT

std::string Level(const std::string& level, const std::string& entries) {
  return "{\"global\": " + kQ + ", \"" + level + "\": [" + entries + "]}";
}

std::string Global(const std::string& qconfig, const std::string& rest = "") {
  return "{\"global\": " + qconfig + rest + "}";
}

TEST(LintMapping, EveryKindIsFoundWhereItIsAndOnlyThere) {
  struct Case {
    const char* kind;
    std::string faulty;
    std::string sound;
  };
  const std::string transposed =
      ", \"object_type\": [[\"torch.nn.ConvTranspose1d\", null], "
      "[\"torch.nn.ConvTranspose2d\", null], [\"torch.nn.ConvTranspose3d\", null]]";
  const Case cases[] = {
      {"unknown_key", Level("object_types", ""), Level("object_type", "")},
      {"unknown_name", Level("object_type", R"(["torch.nn.Linera", null])"),
       Level("object_type", R"(["npu.Linera", null])")},
      {"unknown_name", Global(QConfigText(Observer("MinMaxObserer"), kWeight)),
       Global(kQ)},
      {"observer_refused",
       Global(QConfigText(Observer("MinMaxObserver", R"({"dtyp": "torch.quint8"})"),
                          kWeight)),
       Global(kQ)},
      {"lone_observer_bound",
       Global(QConfigText(Observer("MinMaxObserver", R"({"quant_min": 0})"), kWeight)),
       Global(QConfigText(
           Observer("MinMaxObserver", R"({"quant_min": 0, "quant_max": 127})"),
           kWeight))},
      {"impossible_codes",
       Global(QConfigText(
           Observer("MinMaxObserver", R"({"quant_min": -128, "quant_max": 127})"),
           kWeight)),
       Global(kQ)},
      {"impossible_codes",
       Global(QConfigText(
           Observer("HistogramObserver",
                    R"({"qscheme": "torch.per_tensor_symmetric", "reduce_range": true})"),
           kWeight)),
       Global(kQ)},
      {"trains_otherwise",
       Global(QConfigText(Observer("FusedMovingAvgObsFakeQuantize"), kWeight)),
       Global(kQ)},
      {"qconfig_side_missing", Global(QConfigText("null", kWeight)), Global(kQ)},
      {"never_traced",
       Level("object_type", "[\"torch.nn.functional.sigmoid\", " + kQ + "]"),
       Level("object_type", "[\"sigmoid\", " + kQ + "]")},
      {"bad_expression", Level("module_name_regex", R"(["features(", null])"),
       Level("module_name_regex", R"(["features\\.", null])")},
      {"shadowed_rule",
       Level("module_name_regex", R"(["features", null], ["features.0", null])"),
       Level("module_name_regex", R"(["features.0", null], ["features", null])")},
      {"shadowed_rule", Level("module_name_regex", R"([".*", null], ["x", null])"),
       Level("module_name_regex", R"(["x", null], [".*", null])")},
      {"replaced_rule", Level("module_name", R"(["fc", null], ["fc", null])"),
       Level("module_name", R"(["fc", null])")},
      {"rule_never_applies", Level("module_name", R"(["", null])"),
       Level("module_name", R"(["fc", null])")},
      {"rule_never_applies",
       Level("module_name_object_type_order", R"(["", "relu", 0, null])"),
       Level("module_name_object_type_order", R"(["", "torch.relu", 0, null])")},
      {"rule_never_applies",
       Level("module_name_object_type_order", R"(["", "torch.relu", -1, null])"),
       Level("module_name_object_type_order", R"(["", "torch.relu", 1, null])")},
      {"fused_parts_differ", Level("object_type", "[\"torch.nn.Linear\", " + kQ + "]"),
       Level("object_type", "[\"torch.nn.MaxPool2d\", " + kQ + "]")},
      {"per_channel_conv_transpose",
       Global(QConfigText(Observer("MinMaxObserver"), kPerChannel)),
       Global(QConfigText(Observer("MinMaxObserver"), kPerChannel), transposed)},
      {"per_channel_conv_transpose",
       Level("object_type", "[\"torch.nn.ConvTranspose2d\", " +
                                QConfigText(Observer("MinMaxObserver"), kPerChannel) +
                                "]"),
       Level("object_type", "[\"torch.nn.ConvTranspose2d\", " + kQ + "]")},
      {"empty_mapping", "{}", Global(kQ)},
  };
  for (const Case& c : cases) {
    const LintFindings faulty = FindIn(c.faulty);
    const LintFinding* finding = Find(faulty, c.kind);
    ASSERT_NE(finding, nullptr) << c.kind << "\n" << c.faulty;
    const std::string kind = c.kind;
    EXPECT_EQ(!finding->strict.empty(),
              kind == "lone_observer_bound" || kind == "impossible_codes" ||
                  kind == "trains_otherwise" || kind == "per_channel_conv_transpose")
        << kind;
    const LintFindings sound = FindIn(c.sound);
    const LintFinding* other = Find(sound, c.kind);
    EXPECT_EQ(other, nullptr) << c.kind << "\n" << c.sound;
  }
}

TEST(LintMapping, TypesThatTheConfigHasNoPatternFor) {
  const BackendConfig& x86 = BuiltInBackendConfig("x86");
  const std::string gelu = Level("object_type", "[\"torch.nn.GELU\", " + kQ + "]");
  const LintFindings findings = FindIn(gelu, &x86);
  ASSERT_NE(Find(findings, "type_without_pattern"), nullptr);
  const LintFindings alone = FindIn(gelu);
  EXPECT_EQ(Find(alone, "type_without_pattern"), nullptr);
  const LintFindings linear =
      FindIn(Level("object_type", "[\"torch.nn.Linear\", " + kQ + "]"), &x86);
  EXPECT_EQ(Find(linear, "type_without_pattern"), nullptr);
}

TEST(LintMapping, TorchsOwnMappingsHaveNoErrors) {
  for (const char* backend : {"x86", "fbgemm", "qnnpack", "onednn"}) {
    for (const QConfigMapping& mapping :
         {GetDefaultQConfigMapping(backend), GetDefaultQatQConfigMapping(backend)}) {
      const ordered_json json = QConfigMappingToJson(mapping);
      for (const LintFinding& finding : FindIn(json.dump())) {
        // torch says itself that it raises here: the default onednn mapping.
        if (finding.kind == "per_channel_conv_transpose") continue;
        EXPECT_NE(finding.severity, LintSeverity::kError) << ToText(finding);
      }
    }
  }
}

TEST(LintMapping, RefusesWhatIsNoMapping) {
  for (const char* text :
       {"[]", R"({"global": 3})", R"({"object_type": 3})", R"({"object_type": [[3]]})",
        R"({"module_name": [["a"]]})", R"({"global": {"activation": {}}})"}) {
    EXPECT_THROW(FindIn(text), InputError) << text;
  }
}

}  // namespace
}  // namespace qconform
