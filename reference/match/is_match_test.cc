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
    // The matcher without words and the explanation are one.
    EXPECT_EQ(matched, IsMatch(types, Argument(&node), pattern, max_users));
    const MatchExplanation explanation =
        ExplainMatch(types, Argument(&node), pattern, max_users);
    EXPECT_EQ(matched, explanation.matched);
    EXPECT_EQ(matched, explanation.failure.branch == MatchBranch::kNone);
    EXPECT_EQ(matched, explanation.failure.wanted.empty());
    EXPECT_TRUE(!matched || !explanation.parts.empty());
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
      const auto type = module_types.find(path);
      return type == module_types.end()
                 ? std::string_view()
                 : std::string_view(type->get_ref<const std::string&>());
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

// A failing pattern for each branch, at one graph.
TEST(IsMatch, SaysWhichBranchFailed) {
  GraphModule module;
  auto conv_module = std::make_shared<Module>();
  conv_module->type = "torch.nn.Conv2d";
  module.SetModule("conv", conv_module);
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* conv = module.graph.Append(Op::kCallModule, "conv", {x});
  Node* add = module.graph.Append(Op::kCallFunction, "operator.add", {conv, 1.0});
  Node* relu = module.graph.Append(Op::kCallFunction, "torch.relu", {add});
  module.graph.Append(Op::kCallMethod, "tanh", {add});
  OrderedMap<Argument> keywords;
  keywords.Set("weight", Argument(conv));
  Node* linear = module.graph.Append(Op::kCallFunction, "torch.nn.functional.linear",
                                     {relu}, std::move(keywords));
  Node* cat = module.graph.Append(Op::kCallFunction, "torch.cat",
                                  {Argument::List({relu, linear})});
  Node* shape = module.graph.Append(Op::kCallFunction, "builtins.getattr",
                                    {cat, Argument("shape")});
  struct Case {
    Node* node;
    Pattern pattern;
    MatchBranch branch;
    std::string at;
    std::string found;
    std::string wanted;
  };
  const auto function = [](const char* name) { return Pattern::Function(name); };
  const Pattern any = Pattern::MatchAll();
  const Case cases[] = {
      {relu, Pattern::Tuple({function("torch.relu"), function("operator.add")}),
       MatchBranch::kUsers, "add", "2 users", "1 user"},
      {conv, Pattern::Module("torch.nn.Linear"), MatchBranch::kModuleType, "conv",
       "torch.nn.Conv2d", "torch.nn.Linear"},
      {relu, Pattern::Module("torch.nn.ReLU"), MatchBranch::kOp, "relu",
       "call_function torch.relu", "module torch.nn.ReLU"},
      {relu, function("torch.nn.functional.relu"), MatchBranch::kTarget, "relu",
       "torch.relu", "torch.nn.functional.relu"},
      {relu, Pattern::Method("relu"), MatchBranch::kOp, "relu",
       "call_function torch.relu", "method relu"},
      {add, Pattern::Tuple({function("operator.add"), any, Pattern::Literal(2)}),
       MatchBranch::kLiteral, "1", "1", "2"},
      {add, Pattern::Tuple({function("operator.add"), any, function("torch.relu")}),
       MatchBranch::kNotANode, "1", "1", "torch.relu"},
      {add, Pattern::Tuple({function("operator.add"), any}), MatchBranch::kArgumentCount,
       "add", "2 positional", "1"},
      {linear, Pattern::Tuple({function("torch.nn.functional.linear"), any, any}),
       MatchBranch::kKeywordOnly, "linear", "1 positional (and by keyword weight)", "2"},
      {cat, Pattern::Tuple({function("torch.cat"), function("torch.relu")}),
       MatchBranch::kSequence, "[?,?,]", "[?,?,]", "torch.relu"},
      {shape, Pattern::Tuple({function("builtins.getattr"), Pattern::Method("ndim")}),
       MatchBranch::kAttribute, "getattr_1", "'shape'", "'ndim'"},
  };
  for (const Case& c : cases) {
    const MatchExplanation explanation =
        ExplainMatch(ModuleTypesOf(module), Argument(c.node), c.pattern);
    EXPECT_FALSE(explanation.matched) << c.pattern.HumanText();
    EXPECT_EQ(explanation.failure.branch, c.branch) << c.pattern.HumanText();
    EXPECT_EQ(explanation.failure.node, c.at) << c.pattern.HumanText();
    EXPECT_EQ(explanation.failure.found, c.found) << c.pattern.HumanText();
    EXPECT_EQ(explanation.failure.wanted, c.wanted) << c.pattern.HumanText();
  }
}

}  // namespace
}  // namespace qconform
