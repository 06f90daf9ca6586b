#include "cli/match.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/lint/known_names.h"
#include "reference/match/is_match.h"
#include "reference/match/pattern_query.h"

namespace qconform {
namespace {

struct MatchArguments {
  std::string pattern;
  std::string graph;
  std::string node;
  bool is_forward = false;
  bool is_stored = false;
  bool all = false;
};

PatternQuery ReadPattern(const MatchArguments& arguments) {
  std::optional<PatternOrder> order;
  if (arguments.is_forward) order = PatternOrder::kForward;
  if (arguments.is_stored) order = PatternOrder::kStored;
  std::error_code error;
  if (std::filesystem::is_regular_file(arguments.pattern, error)) {
    return ReadPatternQuery(ReadFileBytes(arguments.pattern), arguments.pattern, order);
  }
  return ReadPatternQuery(arguments.pattern, "PATTERN", order);
}

// Names of the pattern that no torch has.
void WarnOfUnknownNames(const Pattern& pattern) {
  for (const Pattern& item : pattern.items()) WarnOfUnknownNames(item);
  if (pattern.name().empty() || IsKnownOperation(pattern.name())) return;
  const std::string hint = NearestOperationHint(pattern.name());
  if (!hint.empty()) fmt::print("note     torch has no {}{}\n", pattern.name(), hint);
}

std::vector<Node*> NodesToTry(GraphModule& module, const MatchArguments& arguments) {
  if (arguments.node.empty()) return module.graph.NodePointers();
  if (Node* node = module.graph.Find(arguments.node)) return {node};
  std::vector<std::string> names;
  for (const Node& node : module.graph.nodes()) names.push_back(node.name());
  const std::string nearest = NearestName(arguments.node, names);
  throw InputError(
      arguments.graph, "no node '" + arguments.node + "'",
      nearest.empty() ? "the name of a node" : "'" + nearest + "' or another node");
}

void PrintMatch(const Node& node, const MatchExplanation& explanation) {
  std::string parts;
  for (const MatchedPart& part : explanation.parts) {
    parts += (parts.empty() ? "" : ", ") + part.node + " is " + part.pattern;
  }
  fmt::print("{:<16} matches: {}\n", node.name(), parts);
}

void PrintFailure(const Node& node, const MatchFailure& failure) {
  fmt::print("{:<16} fails at {}{}, {}: {}\n", node.name(), failure.node,
             failure.place.empty() ? "" : " (" + failure.place + ")",
             MatchBranchName(failure.branch), failure.reason);
  fmt::print("{:<16}   found  {}\n{:<16}   wanted {}\n", "", failure.found, "",
             failure.wanted);
}

int Match(const MatchArguments& arguments) {
  const PatternQuery query = ReadPattern(arguments);
  GraphModule module = ReadGraphFile(arguments.graph);
  const ModuleTypes types = ModuleTypesOf(module);
  const std::vector<Node*> nodes = NodesToTry(module, arguments);
  fmt::print("pattern  {} (last operation first; {})\n", query.stored.HumanText(),
             query.order == PatternOrder::kForward ? "read in forward order"
                                                   : "read as it stands");
  WarnOfUnknownNames(query.stored);
  size_t matched = 0;
  size_t no_head = 0;
  for (Node* node : nodes) {
    const MatchExplanation explanation =
        ExplainMatch(types, Argument(node), query.stored);
    if (explanation.matched) {
      ++matched;
      PrintMatch(*node, explanation);
    } else if (explanation.parts.empty() && arguments.node.empty() && !arguments.all) {
      ++no_head;  // Not even the last operation is there: of no interest.
    } else {
      PrintFailure(*node, explanation.failure);
    }
  }
  if (no_head > 0) {
    fmt::print("{} other nodes are not the pattern's last operation (--all lists them)\n",
               no_head);
  }
  fmt::print("matches at {} of {} nodes\n", matched, nodes.size());
  return matched > 0 ? kExitAsExpected : kExitCaseFailed;
}

}  // namespace

void AddMatchVerb(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<MatchArguments>();
  CLI::App* verb = app.add_subcommand(
      "match", "Try one pattern at a graph's nodes and say which check failed where");
  verb->add_option("PATTERN", arguments->pattern,
                   "'(nn.Conv2d, nn.ReLU)' in forward order; nested patterns and those "
                   "with MatchAllNode last operation first; or JSON, or a file of either")
      ->required();
  verb->add_option("GRAPH", arguments->graph, "float graph, *.graph.json")->required();
  verb->add_option("NODE", arguments->node, "only at this node; default: at every node");
  CLI::Option* forward =
      verb->add_flag("--forward", arguments->is_forward,
                     "the pattern stands in the order of execution (torch's pattern)");
  verb->add_flag("--stored", arguments->is_stored,
                 "it stands last operation first (torch's pattern_complex_format)")
      ->excludes(forward);
  verb->add_flag("--all", arguments->all,
                 "also list nodes that are not the pattern's last operation");
  verb->footer("Exit code: 0 matches somewhere, 1 nowhere, 4 bad input.");
  verb->callback([arguments, &exit_code] { exit_code = Match(*arguments); });
}

}  // namespace qconform
