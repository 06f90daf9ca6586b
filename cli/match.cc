#include "cli/match.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/graph_structure.h"
#include "cli/model_source.h"
#include "reference/formats/write_file.h"
#include "reference/fuse/fuse.h"
#include "reference/golden/quantize_model.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"
#include "reference/lint/known_names.h"
#include "reference/match/is_match.h"
#include "reference/match/pattern_query.h"
#include "reference/observe/qat_swap.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/mapping_rewrite.h"

namespace qconform {
namespace {

struct MatchArguments {
  std::string pattern;
  std::string graph;
  std::string node;
  std::string fused;  // a backend config, by name or file
  bool is_qat = false;
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

// Whether the graph calls a module of the class.
bool Calls(const GraphModule& module, const std::string& type) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const Module* called = module.ModuleAt(node.target());
    if (called != nullptr && called->type == type) return true;
  }
  return false;
}

// Classes of the pattern that a float graph cannot hold: prepare makes them.
void NoteLaterStages(const Pattern& pattern, const GraphModule& module,
                     const MatchArguments& arguments) {
  std::set<std::string> names;
  AddAtoms(pattern, names);
  for (const std::string& name : names) {
    const bool is_fused = name.starts_with("torch.ao.nn.intrinsic.");
    const bool is_qat = name.starts_with("torch.ao.nn.qat.") ||
                        name.starts_with("torch.ao.nn.intrinsic.qat.");
    const bool is_made = is_qat ? arguments.is_qat : !arguments.fused.empty();
    if ((!is_fused && !is_qat) || is_made || Calls(module, name)) continue;
    fmt::print("note     {} stands in a graph only after {}: {}\n", name,
               is_qat ? "the swap for QAT" : "fusion",
               is_qat ? "--fused CONFIG --qat" : "--fused CONFIG");
  }
}

// The graph in which prepare looks for patterns: fused as the config says and, for QAT,
// with the classes that train in place of float ones.
GraphModule FusedGraph(const GraphModule& module, const MatchArguments& arguments) {
  const std::shared_ptr<const BackendConfig> config = LoadBackendConfig(arguments.fused);
  FuseResult fused = FuseWithMatches(module, arguments.is_qat, *config);
  if (!arguments.is_qat) return std::move(fused.module);
  // Any qconfig lets a module be swapped; strict, because torch's own mapping of some
  // backends is refused for transposed convolutions.
  QConfigMapping mapping =
      GetDefaultQatQConfigMapping(BackendOfDefaultMapping(config->name()));
  UpdateForFusion(fused.module, mapping);
  const OrderedMap<QConfigPointer> qconfigs =
      PropagateQConfig(fused.module, mapping, {}, Mode::kStrict);
  SwapQatModules(fused.module, *config, qconfigs);
  return std::move(fused.module);
}

std::vector<Node*> NodesToTry(GraphModule& module, const MatchArguments& arguments) {
  if (arguments.node.empty()) return module.graph.NodePointers();
  if (Node* node = module.graph.Find(arguments.node)) return {node};
  std::vector<std::string> names;
  for (const Node& node : module.graph.nodes()) names.push_back(node.name());
  const std::string nearest = NearestName(arguments.node, names);
  const std::string graph =
      arguments.graph +
      (arguments.fused.empty() ? "" : " as fused for " + arguments.fused);
  throw InputError(
      graph, "no node '" + arguments.node + "'",
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

// Nothing has an empty name; left out it means every node, or the graph as it stands.
void RequireNames(const CLI::App& verb) {
  for (const char* name : {"NODE", "--fused"}) {
    const CLI::Option& option = *verb.get_option(name);
    if (option.count() > 0 && option.as<std::string>().empty()) {
      throw InputError(name, "an empty name", "a name, or none at all");
    }
  }
}

int Match(const MatchArguments& arguments) {
  const PatternQuery query = ReadPattern(arguments);
  GraphModule module = ReadGraphStructure(arguments.graph).module;
  if (!arguments.fused.empty()) module = FusedGraph(module, arguments);
  const ModuleTypes types = ModuleTypesOf(module);
  const std::vector<Node*> nodes = NodesToTry(module, arguments);
  fmt::print("pattern  {} (last operation first; {})\n", query.stored.HumanText(),
             query.order == PatternOrder::kForward ? "read in forward order"
                                                   : "read as it stands");
  WarnOfUnknownNames(query.stored);
  NoteLaterStages(query.stored, module, arguments);
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
  verb->add_option("GRAPH", arguments->graph,
                   "float graph, *.graph.json; its tensors may be missing")
      ->required();
  verb->add_option("NODE", arguments->node, "only at this node; default: at every node");
  CLI::Option* fused =
      verb->add_option("--fused", arguments->fused,
                       "try at the graph as this backend config fuses it (name or JSON "
                       "file), where prepare looks for patterns");
  verb->add_flag("--qat", arguments->is_qat,
                 "with --fused: fused for QAT, with the modules that train")
      ->needs(fused);
  CLI::Option* forward =
      verb->add_flag("--forward", arguments->is_forward,
                     "the pattern stands in the order of execution (torch's pattern)");
  verb->add_flag("--stored", arguments->is_stored,
                 "it stands last operation first (torch's pattern_complex_format)")
      ->excludes(forward);
  verb->add_flag("--all", arguments->all,
                 "also list nodes that are not the pattern's last operation");
  verb->footer("Exit code: 0 matches somewhere, 1 nowhere, 4 bad input.");
  verb->callback([arguments, verb, &exit_code] {
    RequireNames(*verb);
    exit_code = Match(*arguments);
  });
}

}  // namespace qconform
