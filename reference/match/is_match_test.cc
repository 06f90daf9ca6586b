// The matcher against torch's truth table: every node of 12 graphs with every one of
// 51 patterns, with any number of users and with one.
#include "reference/match/is_match.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/ir/error.h"
#include "reference/match/match_order.h"

namespace qconform {
namespace {

const JsonFile& Recorded() {
  static const JsonFile file =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/match.json");
  return file;
}

// "true", "false", or the kind of the error.
std::string Verdict(const ModuleTypes& types, Node& node, const Pattern& pattern,
                    size_t max_users) {
  try {
    MatchFailure failure;
    const bool matched = IsMatch(types, Argument(&node), pattern, max_users, &failure);
    EXPECT_EQ(matched, failure.reason.empty()) << failure.reason;
    return matched ? "true" : "false";
  } catch (const PipelineError& error) {
    return error.kind();
  }
}

std::string Text(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

TEST(IsMatch, EqualsTorchOnItsWholeTruthTable) {
  const ordered_json& record = Recorded().root();
  std::map<std::tuple<std::string, std::string, size_t>,
           std::pair<std::string, std::string>>
      table;
  for (const ordered_json& row : record["table"]) {
    table[{row[0], row[1], row[2]}] = {Text(row[3]), Text(row[4])};
  }
  std::vector<Pattern> patterns;
  for (const ordered_json& pattern : record["patterns"]) {
    patterns.push_back(PatternFromJson(pattern, Recorded()));
  }
  size_t entries = 0;
  size_t listed = 0;
  for (const auto& [name, graph] : record["graphs"].items()) {
    GraphModule module =
        GraphModuleFromJson(ordered_json{{"graph", graph["graph"]}}, "match.json",
                            {UnknownKeys::kIgnore, Verification::kNames});
    const ordered_json& module_types = graph["module_types"];
    const ModuleTypes types = [&module_types](const std::string& path) {
      return module_types.value(path, std::string());
    };
    for (Node& node : module.graph.nodes()) {
      for (size_t i = 0; i < patterns.size(); ++i, ++entries) {
        const auto found = table.find({name, node.name(), i});
        listed += found == table.end() ? 0 : 1;
        const std::pair<std::string, std::string> expected =
            found == table.end() ? std::pair<std::string, std::string>("false", "false")
                                 : found->second;
        const std::string where =
            name + " " + node.name() + " " + patterns[i].HumanText();
        EXPECT_EQ(Verdict(types, node, patterns[i], kAnyUsers), expected.first) << where;
        EXPECT_EQ(Verdict(types, node, patterns[i], 1), expected.second) << where;
      }
    }
  }
  EXPECT_EQ(entries, 3621u);
  EXPECT_EQ(listed, record["table"].size());
}

TEST(SortedPatterns, EqualsTorch) {
  const ordered_json& record = Recorded().root()["sorted_patterns"];
  std::vector<Pattern> patterns;
  for (const ordered_json& pattern : record["in"]) {
    patterns.push_back(PatternFromJson(pattern, Recorded()));
  }
  ordered_json sorted = ordered_json::array();
  for (const Pattern& pattern : SortedPatterns(patterns)) {
    sorted.push_back(PatternToJson(pattern));
  }
  EXPECT_EQ(sorted, record["out"]);
}

TEST(IsMatch, SaysWhichBranchFailed) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* add = module.graph.Append(Op::kCallFunction, "operator.add", {x, 1.0});
  Node* relu = module.graph.Append(Op::kCallFunction, "torch.relu", {add});
  module.graph.Append(Op::kCallMethod, "tanh", {add});
  const Pattern pattern = Pattern::Tuple(
      {Pattern::Function("torch.relu"), Pattern::Function("operator.add")});
  MatchFailure failure;
  EXPECT_FALSE(
      IsMatch(ModuleTypesOf(module), Argument(relu), pattern, kAnyUsers, &failure));
  EXPECT_EQ(failure.node, "add");
  EXPECT_EQ(failure.reason, "has 2 users, a node inside a pattern may have 1");
}

}  // namespace
}  // namespace qconform
