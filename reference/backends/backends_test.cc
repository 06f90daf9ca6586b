// The built-in configs against what torch's to_dict gives.
#include "reference/backends/backends.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reference/config/backend_config_json.h"
#include "reference/config/backend_config_maps.h"
#include "reference/ir/error.h"
#include "reference/match/match_order.h"

namespace qconform {
namespace {

using nlohmann::ordered_json;

ordered_json Recorded(const std::string& name) {
  std::ifstream file(QCONFORM_SOURCE_DIR "/datasets/oracle/backend_configs/" + name +
                     ".json");
  return ordered_json::parse(file);
}

ordered_json Keys(const std::vector<const BackendConfig::Entry*>& entries) {
  ordered_json keys = ordered_json::array();
  for (const BackendConfig::Entry* entry : entries) {
    keys.push_back(PatternToJson(entry->key));
  }
  return keys;
}

ordered_json Pairs(const OrderedMap<std::string>& map) {
  ordered_json pairs = ordered_json::array();
  for (const auto& [key, value] : map) pairs.push_back({key, value});
  return pairs;
}

class BuiltInTest : public testing::TestWithParam<std::string> {};

TEST_P(BuiltInTest, EqualsTorchEntryByEntry) {
  const ordered_json recorded = Recorded(GetParam());
  const BackendConfig& config = BuiltInBackendConfig(GetParam());
  EXPECT_EQ(config.name(), recorded["name"]);
  ASSERT_EQ(config.entries().size(), recorded["configs"].size());
  for (size_t i = 0; i < config.entries().size(); ++i) {
    const BackendConfig::Entry& entry = config.entries()[i];
    ordered_json json = BackendPatternConfigToJson(entry.config);
    json["_internal_key"] = PatternToJson(entry.key);
    // Compared as text: the order of keys counts too.
    EXPECT_EQ(json.dump(), recorded["configs"][i].dump()) << i;
  }
}

TEST_P(BuiltInTest, MatchOrdersAndMapsEqualTorch) {
  const ordered_json recorded = Recorded(GetParam());
  const BackendConfig& config = BuiltInBackendConfig(GetParam());
  EXPECT_EQ(Keys(FusionMatchOrder(config)), recorded["fusion_match_order"]);
  EXPECT_EQ(Keys(QuantizationMatchOrder(config)), recorded["quant_match_order"]);
  const ordered_json& maps = recorded["maps"];
  EXPECT_EQ(Pairs(RootModuleToReferenceModule(config)),
            maps["root_module_to_quantized_reference_module"]);
  EXPECT_EQ(Pairs(ModuleToQatModule(config)), maps["module_to_qat_module"]);
  EXPECT_EQ(ordered_json(QatModuleClasses(config)), maps["qat_module_classes"]);
  EXPECT_EQ(ordered_json(FusedModuleClasses(config)), maps["fused_module_classes"]);

  ordered_json fusers = ordered_json::array();
  for (const auto& [key, method] : FuserMethods(config)) {
    std::string name = method.name;
    if (method.reversed > 0) {
      name = "_reverse" + std::to_string(method.reversed) + "(" + name + ")";
    }
    fusers.push_back(name);
  }
  ordered_json recorded_fusers = ordered_json::array();
  for (const ordered_json& pair : maps["fuser_method_mapping"]) {
    recorded_fusers.push_back(pair[1]);
  }
  EXPECT_EQ(fusers, recorded_fusers);
}

TEST_P(BuiltInTest, ReadsItsOwnText) {
  const BackendConfig& config = BuiltInBackendConfig(GetParam());
  const ordered_json json = BackendConfigToJson(config);
  EXPECT_EQ(BackendConfigToJson(BackendConfigFromJson(json, "test")).dump(), json.dump());
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInTest, testing::ValuesIn(BuiltInBackendNames()),
                         [](const auto& info) { return info.param; });

TEST(BuiltInBackendConfig, RefusesAnUnknownName) {
  EXPECT_THROW(BuiltInBackendConfig("gpu"), InputError);
}

}  // namespace
}  // namespace qconform
