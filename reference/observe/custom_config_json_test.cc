// Custom configs as dictionaries, in both directions.
#include "reference/observe/custom_config_json.h"

#include <gtest/gtest.h>

#include "reference/config/torch_refusal.h"

namespace qconform {
namespace {

TEST(PrepareCustomConfigJson, ReadsWhatItWrites) {
  const ordered_json observer = {{"class", "MinMaxObserver"},
                                 {"kwargs", ordered_json::object()}};
  const ordered_json json = {
      {"standalone_module_name",
       {{"m",
         {{"", {{"activation", observer}, {"weight", observer}}},
          {"object_type", ordered_json::array()},
          {"module_name_regex", ordered_json::array()},
          {"module_name", ordered_json::array()},
          {"module_name_object_type_order", ordered_json::array()}},
         nullptr,
         {{"input_quantized_idxs", {0}}},
         {{"name", "b"}, {"configs", ordered_json::array()}}}}},
      {"standalone_module_class", {{"Block", nullptr, nullptr, nullptr, nullptr}}},
      {"float_to_observed_custom_module_class", {{"static", {{"A", "B"}}}}},
      {"non_traceable_module_name", {"n"}},
      {"non_traceable_module_class", {"C"}},
      {"input_quantized_idxs", {0}},
      {"output_quantized_idxs", {1}},
      {"preserved_attributes", {"p"}},
  };
  const PrepareCustomConfig config = PrepareCustomConfigFromJson(json, "test");
  ASSERT_NE(config.standalone_module_names.Find("m"), nullptr);
  EXPECT_EQ(config.standalone_module_names.Find("m")->backend_config->name(), "b");
  EXPECT_EQ(*config.static_observed_classes.Find("A"), "B");
  EXPECT_EQ(PrepareCustomConfigToJson(config).dump(), json.dump());
  EXPECT_EQ(PrepareCustomConfigToJson({}).dump(), "{}");
}

TEST(ConvertCustomConfigJson, ReadsWhatItWrites) {
  const ordered_json json = {{"observed_to_quantized_custom_module_class",
                              {{"static", {{"A", "B"}}}, {"weight_only", {{"C", "D"}}}}},
                             {"preserved_attributes", {"p"}}};
  EXPECT_EQ(ConvertCustomConfigToJson(ConvertCustomConfigFromJson(json, "test")).dump(),
            json.dump());
  const ordered_json fuse = {{"preserved_attributes", {"p"}}};
  EXPECT_EQ(FuseCustomConfigToJson(FuseCustomConfigFromJson(fuse, "test")).dump(),
            fuse.dump());
}

TEST(CustomConfigJson, RefusesWhatTorchRefuses) {
  const auto refusal = [](const ordered_json& json) -> std::string {
    try {
      PrepareCustomConfigFromJson(json, "test");
    } catch (const TorchRefusal& error) {
      return error.kind() + ": " + error.message();
    }
    return "";
  };
  EXPECT_EQ(refusal({{"float_to_observed_custom_module_class",
                      {{"foo", ordered_json::object()}}}}),
            "ValueError: Unknown QuantType name 'foo'");
  EXPECT_EQ(
      refusal({{"float_to_observed_custom_module_class", {{"dynamic", {{"A", "B"}}}}}}),
      "ValueError: set_float_to_observed_mapping is currently only supported for static "
      "quantization");
  EXPECT_EQ(refusal({{"standalone_module_name", {ordered_json::array({"m"})}}}),
            "ValueError: not enough values to unpack (expected 5, got 1)");
  EXPECT_EQ(
      refusal({{"standalone_module_name",
                {ordered_json::array({"m", 3, nullptr, nullptr, nullptr})}}}),
      "ValueError: Expected QConfigMapping in "
      "prepare_custom_config_dict[\"standalone_module_name\"], got '<class 'int'>'");
  EXPECT_THROW(PrepareCustomConfigFromJson({{"input_quantized_idxs", {"x"}}}, "test"),
               InputError);
}

TEST(CustomConfigJson, UnknownKeysAreFindings) {
  ConfigFindings findings;
  PrepareCustomConfigFromJson({{"input_quantized_idx", {0}}}, "test", &findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].expected, "'input_quantized_idxs'");
}

}  // namespace
}  // namespace qconform
