// Default qconfigs, equality and JSON against torch's.
#include <gtest/gtest.h>

#include <map>

#include "reference/ir/expect_error.h"
#include "reference/qconfig/default_observer.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/mapping_rewrite.h"
#include "reference/qconfig/qconfig_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

const JsonFile& Recorded() {
  static const JsonFile file =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/qconfig.json");
  return file;
}

// JSON of a result, or the kind of the error.
template <typename Make>
std::string TextOf(const Make& make) {
  try {
    return make().dump();
  } catch (const PipelineError& error) {
    return error.kind();
  }
}

std::string ExpectedText(const ordered_json& record) {
  return record.contains("error") ? record["error"]["type"].get<std::string>()
                                  : record.dump();
}

TEST(DefaultQConfigs, EqualTorch) {
  for (const auto& [call, record] : Recorded().root()["default_qconfigs"].items()) {
    // "get_default_qat_qconfig(x86,0)"
    const bool is_qat = call.find("_qat_") != std::string::npos;
    const size_t open = call.find('(');
    const size_t comma = call.find(',');
    const std::string backend = call.substr(open + 1, comma - open - 1);
    const int version = call[comma + 1] - '0';
    EXPECT_EQ(TextOf([&] {
                return QConfigToJson(is_qat ? GetDefaultQatQConfig(backend, version)
                                            : GetDefaultQConfig(backend, version));
              }),
              ExpectedText(record))
        << call;
  }
}

TEST(DefaultQConfigs, NamedOnesEqualTorch) {
  for (const auto& [name, record] : Recorded().root()["named_qconfigs"].items()) {
    const QConfigPointer qconfig = NamedQConfig(name);
    ASSERT_NE(qconfig, nullptr) << name;
    EXPECT_EQ(QConfigToJson(qconfig).dump(), record.dump()) << name;
    EXPECT_TRUE(QConfigEquals(qconfig, QConfigFromJson(record, Recorded()))) << name;
  }
  for (const auto& [name, record] : Recorded().root()["named_observers"].items()) {
    const ObserverConstructor* observer = FindNamedObserver(name);
    ASSERT_NE(observer, nullptr) << name;
    EXPECT_EQ(ObserverConstructorToJson(*observer).dump(), record.dump()) << name;
  }
}

TEST(DefaultQConfigs, StandInMappingsByName) {
  const ordered_json& recorded = Recorded().root()["named_qconfigs"];
  EXPECT_EQ(QConfigNames().size(), recorded.size());
  for (const std::string& name : QConfigNames()) {
    const JsonFile file = JsonFile::Parse(
        R"({"global": ")" + name + R"(", "object_type": [["torch.nn.Linear", ")" + name +
            R"("], ["torch.nn.Conv2d", null]]})",
        "mapping");
    const QConfigMapping mapping = QConfigMappingFromJson(file.root(), file);
    EXPECT_EQ(QConfigToJson(mapping.global), recorded.at(name)) << name;
    EXPECT_EQ(QConfigToJson(*mapping.object_type.Find("torch.nn.Linear")),
              recorded.at(name))
        << name;
  }
  const JsonFile typo = JsonFile::Parse("{\"global\":\n\"default_qconfg\"}", "mapping");
  EXPECT_EQ(ErrorOf([&] { QConfigMappingFromJson(typo.root(), typo); }),
            "mapping:2: unknown qconfig 'default_qconfg', expected 'default_qconfig' or "
            "another name of torch's");
}

TEST(DefaultQConfigs, MappingsGoByName) {
  const ordered_json& recorded = Recorded().root()["default_mappings"];
  for (const std::string& name : QConfigMappingNames()) {
    // "default_qat_v0:x86" is recorded as "qat:x86:v0", the others with their last
    // version.
    std::string record = name;
    if (const size_t colon = name.find(':'); colon != std::string::npos) {
      const bool is_qat = name.starts_with("default_qat");
      record = (is_qat ? "qat" : "ptq") + name.substr(colon) +
               (name.starts_with("default_qat:") ? ":v1" : ":v0");
    }
    ASSERT_TRUE(recorded.contains(record)) << record;
    EXPECT_EQ(QConfigMappingToJson(*NamedQConfigMapping(name)), recorded.at(record))
        << name;
  }
  EXPECT_FALSE(NamedQConfigMapping("x86").has_value());
}

TEST(DefaultQConfigs, MappingsEqualTorch) {
  for (const auto& [name, record] : Recorded().root()["default_mappings"].items()) {
    QConfigMapping mapping;
    if (name == "symmetric_qnnpack") {
      mapping = GetSymmetricQnnpackQConfigMapping();
    } else if (name == "symmetric_qnnpack_qat") {
      mapping = GetSymmetricQnnpackQatQConfigMapping();
    } else {
      // "qat:x86:v1"
      const std::string backend = name.substr(4, name.size() - 7);
      const int version = name.back() - '0';
      mapping = name.substr(0, 3) == "qat" ? GetDefaultQatQConfigMapping(backend, version)
                                           : GetDefaultQConfigMapping(backend, version);
    }
    EXPECT_EQ(QConfigMappingToJson(mapping).dump(), record.dump()) << name;
    const QConfigMapping read = QConfigMappingFromJson(record, Recorded());
    EXPECT_EQ(QConfigMappingToJson(read).dump(), record.dump()) << name;
  }
}

TEST(QConfig, EqualityIsTorchs) {
  const auto make = [](ObserverConstructor activation, const char* weight) {
    return std::make_shared<QConfig>(
        QConfig{std::move(activation), NamedObserver(weight)});
  };
  const ObserverConstructor min_max("MinMaxObserver", {{"dtype", DType::kQUInt8}});
  ObserverConstructor bare("MinMaxObserver");
  bare.has_arguments = false;
  const char* per_tensor = "default_weight_observer";
  const std::map<std::string, QConfigPointer> qconfigs = {
      {"MM", make(min_max, per_tensor)},
      {"MM_copy", make(ObserverConstructor(min_max), per_tensor)},
      {"MMPC", make(min_max, "default_per_channel_weight_observer")},
      {"None", nullptr},
      {"default", NamedQConfig("default_qconfig")},
      {"fbgemm", GetDefaultQConfig("fbgemm")},
      {"fbgemm2", GetDefaultQConfig("fbgemm")},
      {"cls", make(bare, per_tensor)},
      {"cls2", make(ObserverConstructor(bare), per_tensor)},
      {"cls_vs_empty_args", make(ObserverConstructor("MinMaxObserver"), per_tensor)},
  };
  size_t compared = 0;
  for (const ordered_json& row : Recorded().root()["qconfig_equals"]) {
    // Lambdas have no counterpart here.
    const auto a = qconfigs.find(row[0]);
    const auto b = qconfigs.find(row[1]);
    if (a == qconfigs.end() || b == qconfigs.end()) continue;
    ++compared;
    EXPECT_EQ(QConfigEquals(a->second, b->second), row[2].get<bool>()) << row.dump();
  }
  EXPECT_EQ(compared, 100u);
}

TEST(QConfigMapping, RefusesMalformedFilesWithTheLine) {
  const auto error_of = [](const char* text) -> std::string {
    const JsonFile file = JsonFile::Parse(text, "m.json");
    try {
      QConfigMappingFromJson(file.root(), file);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of("{\n\"object_type\": [\n[\"a\"]]}"),
            "m.json:3: found an array, expected a list of 2 values");
  EXPECT_NE(error_of("{\"object_type\": 3}"), "");
  EXPECT_NE(error_of("{\"global\": {\"activation\": {\"kwargs\": {}}}}"), "");
  EXPECT_NE(
      error_of("{\"module_name_object_type_order\": [[\"a\", \"b\", \"c\", null]]}"), "");
  EXPECT_EQ(error_of("{\"something\": 1}"), "");
}

TEST(QConfigMapping, UnknownKeysAreFindings) {
  const JsonFile file = JsonFile::Parse(R"({"object_types": [],
"module_name": [["a", {"activation": null,
"weights": null}]]})",
                                        "m.json");
  ConfigFindings findings;
  QConfigMappingFromJson(file.root(), file, &findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(ToText(findings[0]),
            "m.json:1: unknown key 'object_types' of a qconfig mapping is ignored, "
            "expected 'object_type'");
  EXPECT_EQ(ToText(findings[1]),
            "m.json:3: unknown key 'weights' of a qconfig is ignored, expected 'weight'");
}

TEST(CheckConvertMapping, MayOnlyTurnThingsOff) {
  const QConfigPointer one = NamedQConfig("default_qconfig");
  const QConfigPointer two = NamedQConfig("default_per_channel_qconfig");
  QConfigMapping prepare;
  prepare.global = one;
  prepare.object_type.Set("torch.nn.Linear", one);
  prepare.module_name.Set("a", nullptr);
  QConfigMapping convert = prepare;
  EXPECT_NO_THROW(CheckConvertMapping(prepare, convert));
  convert.object_type.Set("torch.nn.Linear", nullptr);
  convert.object_type.Set("torch.nn.Conv2d", two);
  EXPECT_NO_THROW(CheckConvertMapping(prepare, convert));
  convert.module_name.Set("a", two);
  EXPECT_THROW(CheckConvertMapping(prepare, convert), PipelineError);
  convert = prepare;
  convert.object_type.Erase("torch.nn.Linear");
  EXPECT_THROW(CheckConvertMapping(prepare, convert), PipelineError);
  convert = prepare;
  convert.global = nullptr;
  EXPECT_THROW(CheckConvertMapping(prepare, convert), PipelineError);
}

}  // namespace
}  // namespace qconform
