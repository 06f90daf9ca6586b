// Fusion and matching of whole models against what torch did with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/parity/corpus_extension.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/fuse/fuse.h"
#include "reference/ir/error.h"
#include "reference/ir/isomorphism.h"

namespace qconform {
namespace {

constexpr GraphJsonOptions kRecord = {UnknownKeys::kIgnore, Verification::kNames};

// Lists and tuples of names alike, as the records have them.
ordered_json NamesToJson(const Argument& names) {
  if (const std::string* name = names.As<std::string>()) return *name;
  ordered_json json = ordered_json::array();
  for (const Argument& item : names.As<Sequence>()->items) {
    json.push_back(NamesToJson(item));
  }
  return json;
}

class FuseRecordTest : public testing::TestWithParam<std::string> {};

TEST_P(FuseRecordTest, EqualsTorch) {
  parity::CorpusExtension();
  const JsonFile file =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/fx/" + GetParam() + ".json");
  const ordered_json& record = file.root();
  const ordered_json& config_json = record["backend_config"];
  const BackendConfig config = config_json.is_string()
                                   ? BuiltInBackendConfig(config_json.get<std::string>())
                                   : BackendConfigFromJson(config_json["custom"], file);
  const GraphModule module = GraphModuleFromJson(record["float"], file, kRecord);
  const bool is_qat = record["kind"] == "fx_qat";
  if (!record.contains("fused")) {
    try {
      Fuse(module, is_qat, config);
      FAIL() << "expected " << record["error"]["type"];
    } catch (const PipelineError& error) {
      EXPECT_EQ(error.kind(), record["error"]["type"]) << error.what();
    }
    return;
  }
  const FuseResult fused = FuseWithMatches(module, is_qat, config);
  ordered_json matches = ordered_json::object();
  for (const auto& [name, match] : fused.matches) {
    matches[name] = {{"last", match.last},
                     {"pattern", PatternToJson(match.entry->key)},
                     {"nodes", NamesToJson(match.nodes)}};
  }
  EXPECT_EQ(matches.dump(), record["fusion_matches"].dump());
  // Node by node, names included; then the modules, to the bit of each tensor.
  ordered_json graph = GraphModuleToJson(fused.module)["graph"];
  for (ordered_json& node : graph) node.erase("meta");
  EXPECT_EQ(graph.dump(), record["fused"]["graph"].dump());
  GraphModule expected = GraphModuleFromJson(record["fused"], file, kRecord);
  // The record of the fused model leaves out tensors of the root.
  expected.root->parameters = fused.module.root->parameters;
  expected.root->buffers = fused.module.root->buffers;
  const std::optional<std::string> difference = FindDifference(fused.module, expected);
  EXPECT_FALSE(difference.has_value()) << *difference;
  for (const Node& node : expected.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    EXPECT_EQ(fused.module.FindModule(node.target())->training,
              expected.FindModule(node.target())->training);
  }
}

std::vector<std::string> Records() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(QCONFORM_SOURCE_DIR "/datasets/oracle/fx")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Fx, FuseRecordTest, testing::ValuesIn(Records()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace qconform
