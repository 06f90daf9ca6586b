// The truth table of the matcher and the order of patterns: match.json.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "cli/parity/json_difference.h"
#include "cli/parity/parts.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/ir/error.h"
#include "reference/match/is_match.h"
#include "reference/match/match_order.h"

namespace qconform::parity {
namespace {

// true, false, or the kind of the error.
ordered_json Verdict(const ModuleTypes& types, Node& node, const Pattern& pattern,
                     size_t max_users) {
  try {
    return IsMatch(types, Argument(&node), pattern, max_users);
  } catch (const PipelineError& error) {
    return error.kind();
  }
}

// One record a graph: every node with every pattern, with any number of users and with
// one. Pairs that the table does not list are false.
void CompareTable(const ordered_json& file, const std::string& filter,
                  PartReport& report) {
  std::map<std::tuple<std::string, std::string, size_t>, ordered_json> listed;
  for (const ordered_json& row : file.at("table")) {
    listed[{row[0].get<std::string>(), row[1].get<std::string>(), row[2].get<size_t>()}] =
        {row[3], row[4]};
  }
  std::vector<Pattern> patterns;
  for (const ordered_json& pattern : file.at("patterns")) {
    patterns.push_back(PatternFromJson(pattern, "match.json: patterns"));
  }
  for (const auto& [name, graph] : file.at("graphs").items()) {
    if (name.find(filter) == std::string::npos) continue;
    GraphModule module =
        GraphModuleFromJson(ordered_json{{"graph", graph.at("graph")}}, "match.json",
                            {UnknownKeys::kIgnore, Verification::kNames});
    const ordered_json& module_types = graph.at("module_types");
    const ModuleTypes types = [&module_types](const std::string& path) {
      return module_types.value(path, std::string());
    };
    std::optional<Difference> difference;
    for (Node& node : module.graph.nodes()) {
      for (size_t i = 0; i < patterns.size() && !difference; ++i) {
        const auto found = listed.find({name, node.name(), i});
        const ordered_json want =
            found == listed.end() ? ordered_json{false, false} : found->second;
        const ordered_json got = {Verdict(types, node, patterns[i], kAnyUsers),
                                  Verdict(types, node, patterns[i], 1)};
        difference = FirstDifference(
            got, want, fmt::format("{} with {}", node.name(), patterns[i].HumanText()));
      }
    }
    RecordReport record(name);
    record.Add("table", std::move(difference));
    report.records.push_back(std::move(record));
  }
}

}  // namespace

PartReport RunMatchPart(const Files& files, const std::string& filter) {
  PartReport report{"match", {}, {"valid_patterns", "fuser_method_lookup"}};
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    CompareTable(json.root(), filter, report);
    if (std::string("sorted_patterns").find(filter) == std::string::npos) continue;
    const ordered_json& sorted = json.root().at("sorted_patterns");
    std::vector<Pattern> patterns;
    for (const ordered_json& pattern : sorted.at("in")) {
      patterns.push_back(PatternFromJson(pattern, "match.json: sorted_patterns"));
    }
    ordered_json got = ordered_json::array();
    for (const Pattern& pattern : SortedPatterns(patterns)) {
      got.push_back(PatternToJson(pattern));
    }
    RecordReport record("sorted_patterns");
    record.Add("order", FirstDifference(got, sorted.at("out")));
    report.records.push_back(std::move(record));
  }
  return report;
}

}  // namespace qconform::parity
