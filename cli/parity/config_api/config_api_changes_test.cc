// No row of config_api.json is equal to a record that was changed anywhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/parity/config_api/config_value.h"
#include "cli/parity/parts.h"
#include "cli/parity/run.h"
#include "reference/formats/json_file.h"
#include "reference/formats/write_file.h"

namespace qconform::parity {
namespace {

namespace fs = std::filesystem;
using Pointer = ordered_json::json_pointer;

ordered_json Records(const char* file) {
  return JsonFile::Read(fs::path(QCONFORM_SOURCE_DIR) / "datasets/oracle" / file).root();
}

ordered_json OtherScalar(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>() + "x";
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_float()) return value.get<double>() + 1.0;
  if (value.is_number()) return value.get<int64_t>() + 1;
  return 1;
}

// What may stand in place of a value: another scalar; a list with an item more, with one
// less or with one moved; an object with a key more or less.
std::vector<ordered_json> Others(const ordered_json& value) {
  if (!value.is_structured()) return {OtherScalar(value)};
  std::vector<ordered_json> others(1, value);
  if (value.is_object()) {
    others[0]["another"] = 1;
  } else {
    others[0].push_back(value.empty() ? ordered_json(0) : value.back());
  }
  if (value.is_array() && value.size() > 1 && value.front() != value.back()) {
    others.push_back(value);
    std::swap(others.back().front(), others.back().back());
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      others.push_back(value);
      others.back().erase(key);
    }
  } else if (!value.empty()) {
    others.push_back(value);
    others.back().erase(value.size() - 1);
  }
  return others;
}

// The record with one change, for every change of every value at or below `at`.
void AddChanged(const ordered_json& row, const Pointer& at,
                std::vector<ordered_json>& changed) {
  std::vector<Pointer> open = {at};
  while (!open.empty()) {
    const Pointer place = std::move(open.back());
    open.pop_back();
    const ordered_json& value = row.at(place);
    for (const ordered_json& other : Others(value)) {
      changed.push_back(row);
      changed.back().at(place) = other;
    }
    if (value.is_object()) {
      for (const auto& [key, item] : value.items()) open.push_back(place / key);
    } else if (value.is_array()) {
      for (size_t i = 0; i < value.size(); ++i) open.push_back(place / i);
    }
  }
}

class ConfigApiChanges : public testing::TestWithParam<const char*> {};

TEST_P(ConfigApiChanges, EveryOneIsFound) {
  ordered_json rows = ordered_json::array();
  for (const ordered_json& row : Records(GetParam())) {
    std::vector<ordered_json> changed;
    if (row.contains("result")) AddChanged(row, Pointer("/result"), changed);
    if (row.contains("error")) AddChanged(row, Pointer("/error/type"), changed);
    ASSERT_FALSE(changed.empty()) << row;
    for (ordered_json& other : changed) rows.push_back(std::move(other));
  }
  ASSERT_GT(rows.size(), 500U);
  const fs::path folder =
      fs::temp_directory_path() / ("qconform_config_api_changes_test_" +
                                   std::to_string(std::string(GetParam()).size()));
  WriteFileAtomically(folder / "config_api.json", rows.dump());
  const PartReport report = RunConfigApiPart({folder / "config_api.json"}, "");
  fs::remove_all(folder);
  // Each row can be read: none hides among those that are not compared.
  EXPECT_TRUE(report.skipped.empty()) << report.skipped[0].first;
  ASSERT_EQ(report.records.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_FALSE(report.records[i].equal()) << rows[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Records, ConfigApiChanges,
                         testing::Values("config_api.json", "own/config_api.json"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return info.index == 0 ? "Given" : "Own";
                         });

// One that differs makes the whole run differ.
TEST(ConfigApiChangesTest, OneChangeGivesTheExitCode) {
  ordered_json rows = Records("config_api.json");
  for (ordered_json& row : rows) {
    if (row.at("name") == "full pattern config") {
      row.at("result").at("root_module") = "torch.nn.LinearX";
    }
  }
  const fs::path folder = fs::temp_directory_path() / "qconform_config_api_change_test";
  WriteFileAtomically(folder / "config_api.json", rows.dump());
  std::ostringstream out;
  EXPECT_EQ(RunParity(folder, {}, out), kExitCaseFailed);
  EXPECT_NE(out.str().find("differs: full pattern config, result, .root_module"),
            std::string::npos)
      << out.str();
  fs::remove_all(folder);
}

// Words that tell no inputs are named and not equal, whatever the record holds.
TEST(ConfigApiChangesTest, UnknownWordsAreNotCompared) {
  const ordered_json rows = {
      {{"name", "full pattern config"}, {"steps", "most setters"}, {"result", nullptr}},
      {{"name", "DTypeConfig other"}, {"steps", "input quint8"}, {"result", nullptr}},
      {{"name", "all"}, {"steps", "all setters"}, {"result", nullptr}},
  };
  const fs::path folder = fs::temp_directory_path() / "qconform_config_api_words_test";
  WriteFileAtomically(folder / "config_api.json", rows.dump());
  const PartReport report = RunConfigApiPart({folder / "config_api.json"}, "");
  fs::remove_all(folder);
  EXPECT_TRUE(report.records.empty());
  EXPECT_EQ(report.skipped.size(), rows.size());
}

// Each setter writes the key that torch writes, and no other.
TEST(ConfigApiChangesTest, EverySetterHasItsKey) {
  const std::vector<std::pair<std::string, ordered_json>> setters = {
      {"set_pattern(nn.Linear)", {{"pattern", "torch.nn.Linear"}}},
      {"_set_pattern_complex_format(nn.Linear)",
       {{"pattern_complex_format", "torch.nn.Linear"}}},
      {"set_observation_type(ObservationType.INPUT_OUTPUT_NOT_OBSERVED)",
       {{"observation_type", "INPUT_OUTPUT_NOT_OBSERVED"}}},
      {"set_dtype_configs([DTypeConfig(is_dynamic=True)])",
       {{"dtype_configs", {{{"is_dynamic", true}}}}}},
      {"add_dtype_config(DTypeConfig(is_dynamic=True))",
       {{"dtype_configs", {{{"is_dynamic", true}}}}}},
      {"set_root_module(nn.Linear)", {{"root_module", "torch.nn.Linear"}}},
      {"set_qat_module(nn.Linear)", {{"qat_module", "torch.nn.Linear"}}},
      {"set_reference_quantized_module(nn.Linear)",
       {{"reference_quantized_module_for_root", "torch.nn.Linear"}}},
      {"set_fused_module(nn.Linear)", {{"fused_module", "torch.nn.Linear"}}},
      {"set_fuser_method(nn.Linear)", {{"fuser_method", "torch.nn.Linear"}}},
      {"_set_root_node_getter(F.relu)",
       {{"root_node_getter", "torch.nn.functional.relu"}}},
      {"_set_extra_inputs_getter(F.relu)",
       {{"extra_inputs_getter", "torch.nn.functional.relu"}}},
      {"_set_num_tensor_args_to_observation_type({2: "
       "ObservationType.INPUT_OUTPUT_NOT_OBSERVED})",
       {{"num_tensor_args_to_observation_type", {{"2", "INPUT_OUTPUT_NOT_OBSERVED"}}}}},
      {"_set_input_type_to_index({'bias': 2})", {{"input_type_to_index", {{"bias", 2}}}}},
  };
  for (const auto& [setter, keys] : setters) {
    ordered_json want = {{"observation_type", "OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT"},
                         {"dtype_configs", ordered_json::array()}};
    want.update(keys);
    EXPECT_EQ(EncodeValue(EvaluateText("BackendPatternConfig()." + setter)), want)
        << setter;
  }
}

}  // namespace
}  // namespace qconform::parity
