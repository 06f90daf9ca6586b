// What prepare decided before it inserted observers, held against the record.
#include <algorithm>
#include <set>

#include "cli/parity/fx_stages.h"
#include "cli/parity/record_json.h"
#include "cli/parity/refused_constraint.h"
#include "reference/observe/standalone_module.h"
#include "reference/qconfig/qconfig_json.h"

namespace qconform::parity {
namespace {

// A record's "q0" as the qconfig that it stands for.
ordered_json Expanded(const ordered_json& number, const ordered_json& qconfigs) {
  if (number.is_null()) return nullptr;
  return QConfigToJson(
      QConfigFromJson(qconfigs.at(number.get<std::string>()), "qconfigs"));
}

}  // namespace

std::optional<Difference> CompareMatches(const Prepared& prepared,
                                         const ordered_json& want) {
  ordered_json expected = want.at("matches");
  for (auto& [name, match] : expected.items()) {
    match["qconfig"] = Expanded(match.at("qconfig"), want.at("qconfigs"));
  }
  return FirstDifference(MatchesToRecord(prepared), expected);
}

std::optional<Difference> CompareNodeQConfigs(const Prepared& prepared,
                                              const ordered_json& want) {
  ordered_json expected = ordered_json::object();
  for (const auto& [name, number] : want.at("node_qconfig").items()) {
    expected[name] = Expanded(number, want.at("qconfigs"));
  }
  return FirstDifference(NodeQConfigsToRecord(prepared), expected);
}

std::optional<Difference> CompareObservedNames(const Prepared& prepared,
                                               const ordered_json& want) {
  std::vector<std::string> names(prepared.observed_node_names.begin(),
                                 prepared.observed_node_names.end());
  std::sort(names.begin(), names.end());
  return FirstDifference(names, want.at("observed_node_names"));
}

namespace {

// The prepared graphs of standalone modules, in graph order.
std::vector<const Prepared*> StandalonesOf(const Prepared& prepared) {
  std::vector<const Prepared*> standalones;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const Module* module = prepared.module.ModuleAt(node.target());
    const Prepared* standalone =
        module == nullptr ? nullptr : ObservedStandaloneOf(*module);
    if (standalone != nullptr) standalones.push_back(standalone);
  }
  return standalones;
}

}  // namespace

// torch warns each time that it refuses a qconfig, but Python shows a text that comes
// again from the same line only once, unless told otherwise: a record may hold fewer of
// a kind than there were, never more. One that repeats a text was told otherwise.
std::optional<Difference> CompareWarnings(const Prepared& prepared,
                                          const ordered_json& want) {
  std::multiset<std::string> got_kinds;
  std::vector<const Prepared*> all = StandalonesOf(prepared);
  all.push_back(&prepared);
  for (const Prepared* each : all) {
    for (const ConstraintVerdict& refusal : each->refused_constraints) {
      got_kinds.insert(RefusedConstraint(refusal));
    }
  }
  std::multiset<std::string> want_kinds;
  std::set<std::string> texts;
  for (const ordered_json& warning : want) {
    texts.insert(warning.get<std::string>());
    want_kinds.insert(RefusedConstraint(warning.get<std::string>()));
  }
  if (texts.size() < want.size()) return FirstDifference(got_kinds, want_kinds);
  std::multiset<std::string> shown;
  for (const std::string& kind : got_kinds) {
    const size_t recorded = want_kinds.count(kind);
    if (recorded == 0 || shown.count(kind) < recorded) shown.insert(kind);
  }
  return FirstDifference(shown, want_kinds);
}

std::optional<Difference> CompareNestedMatches(const Prepared& prepared,
                                               const ordered_json& want) {
  const std::vector<const Prepared*> standalones = StandalonesOf(prepared);
  if (standalones.size() != want.size()) {
    return Difference{"", std::to_string(standalones.size()) + " standalone modules",
                      std::to_string(want.size())};
  }
  for (size_t i = 0; i < standalones.size(); ++i) {
    auto difference = CompareMatches(*standalones[i], want[i]);
    if (!difference) difference = CompareNodeQConfigs(*standalones[i], want[i]);
    if (difference) {
      difference->where = std::to_string(i) + ": " + difference->where;
      return difference;
    }
  }
  return std::nullopt;
}

}  // namespace qconform::parity
