// What the readers ignore they report, with the nearest known name.
#include "reference/config/config_finding.h"

#include <gtest/gtest.h>

#include "reference/config/backend_config_json.h"
#include "reference/config/dtype_config_json.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"

namespace qconform {
namespace {

std::vector<std::string> FindingsOf(const char* text) {
  const JsonFile file = JsonFile::Parse(text, "c.json");
  ConfigFindings findings;
  BackendConfigFromJson(file.root(), file, &findings);
  std::vector<std::string> lines;
  for (const ConfigFinding& finding : findings) lines.push_back(ToText(finding));
  return lines;
}

TEST(ConfigFinding, UnknownKeysHaveTheLineAndTheNearestKey) {
  EXPECT_EQ(
      FindingsOf(R"({"name": "b", "configs": [
{"pattern": "torch.nn.Linear", "root_modul": "torch.nn.Linear",
"dtype_configs": [{
"bias_type": "torch.float32"}]}],
"version": 3})"),
      (std::vector<std::string>{
          "c.json:5: unknown key 'version' of a backend config is ignored, expected "
          "one of name, configs",
          "c.json:2: unknown key 'root_modul' of an entry of a backend config is "
          "ignored, expected 'root_module'",
          "c.json:4: unknown key 'bias_type' of a dtype config is ignored, expected "
          "'bias_dtype'",
      }));
  EXPECT_TRUE(FindingsOf(R"({"name": "b", "configs": []})").empty());
}

TEST(ConfigFinding, KeysBeyondTorchAreFindings) {
  const JsonFile file = JsonFile::Parse(
      R"({"dtype": "torch.qint8", "qscheme": "symmetric", "granularity": "per_channel",
"channel_axis": 0})",
      "d.json");
  ConfigFindings findings;
  const DTypeWithConstraints dtype =
      DTypeWithConstraintsFromJson(file.root(), file, &findings);
  EXPECT_EQ(dtype.qscheme, QSchemeConstraint::kSymmetric);
  EXPECT_EQ(dtype.granularity, Granularity::kPerChannel);
  EXPECT_EQ(dtype.channel_axis, 0);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(ToText(findings[0]),
            "d.json:1: 'qscheme' is beyond torch, which does not enforce it, expected "
            "strict mode, which does");
  EXPECT_EQ(DTypeWithConstraintsToJson(dtype), file.root());
  EXPECT_THROW(DTypeWithConstraintsFromJson({{"qscheme", "odd"}}, "d.json"), InputError);
  EXPECT_THROW(DTypeWithConstraintsFromJson({{"granularity", 3}}, "d.json"), InputError);
}

TEST(NearestName, CountsChanges) {
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("same", "same"), 0u);
  const std::vector<std::string> names = {"torch.nn.Conv1d", "torch.nn.Conv2d", "add"};
  EXPECT_EQ(NearestName("torch.nn.conv2d", names), "torch.nn.Conv2d");
  EXPECT_EQ(NearestName("ad", names), "add");
  EXPECT_EQ(NearestName("zzzzzzzzzz", names), "");
  EXPECT_EQ(NearestName("x", {}), "");
}

}  // namespace
}  // namespace qconform
