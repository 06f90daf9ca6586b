// The truth table of the matcher and the order of patterns: match.json.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "cli/parity/json_difference.h"
#include "cli/parity/parts.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/fuse/fuser_lookup.h"
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
      const auto type = module_types.find(path);
      return type == module_types.end()
                 ? std::string_view()
                 : std::string_view(type->get_ref<const std::string&>());
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

std::vector<Pattern> Patterns(const ordered_json& list, const char* where) {
  std::vector<Pattern> patterns;
  for (const ordered_json& pattern : list) {
    patterns.push_back(PatternFromJson(pattern, where));
  }
  return patterns;
}

ordered_json PatternsToJson(const std::vector<Pattern>& patterns) {
  ordered_json json = ordered_json::array();
  for (const Pattern& pattern : patterns) json.push_back(PatternToJson(pattern));
  return json;
}

void CompareSorted(const ordered_json& sorted, RecordReport& record) {
  const std::vector<Pattern> patterns = Patterns(sorted.at("in"), "sorted_patterns");
  record.Add("order",
             FirstDifference(PatternsToJson(SortedPatterns(patterns)), sorted.at("out")));
}

void CompareValidPatterns(const ordered_json& rows, RecordReport& record) {
  for (const ordered_json& row : rows) {
    const Pattern pattern = PatternFromJson(row.at("in"), "valid_patterns");
    record.Add("valid_patterns", FirstDifference(PatternsToJson(ValidPatterns(pattern)),
                                                 row.at("out"), pattern.HumanText()));
  }
}

void CompareFuserLookup(const ordered_json& rows, RecordReport& record) {
  for (const ordered_json& row : rows) {
    const Pattern pattern = PatternFromJson(row.at("pattern"), "fuser_method_lookup");
    const std::vector<Pattern> keys =
        Patterns(row.at("mapping_keys"), "fuser_method_lookup");
    const ordered_json want = row.contains("found") ? row.at("found") : row.at("error");
    ordered_json got = true;
    if (FindFuserKey(pattern, keys) == nullptr) got = "AssertionError";
    record.Add("fuser_method_lookup", FirstDifference(got, want,
                                                      pattern.HumanText() + " among " +
                                                          row.at("mapping_keys").dump()));
  }
}

using Compare = void (*)(const ordered_json& value, RecordReport& record);
constexpr std::pair<const char*, Compare> kTables[] = {
    {"sorted_patterns", CompareSorted},
    {"valid_patterns", CompareValidPatterns},
    {"fuser_method_lookup", CompareFuserLookup},
};

}  // namespace

PartReport RunMatchPart(const Files& files, const std::string& filter) {
  PartReport report{"match", {}, {}};
  for (const auto& file : files) {
    const JsonFile json = JsonFile::Read(file);
    CompareTable(json.root(), filter, report);
    for (const auto& [name, compare] : kTables) {
      if (!json.root().contains(name)) continue;
      if (std::string(name).find(filter) == std::string::npos) continue;
      if (json.root().at(name).empty()) {
        report.NotCompared(name, "no rows");
        continue;
      }
      RecordReport record(name);
      compare(json.root().at(name), record);
      report.records.push_back(std::move(record));
    }
    NameUnread(json.root(),
               {"graphs", "patterns", "table", "sorted_patterns", "valid_patterns",
                "fuser_method_lookup"},
               report);
  }
  return report;
}

}  // namespace qconform::parity
