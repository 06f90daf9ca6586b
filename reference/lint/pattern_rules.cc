#include <fmt/format.h>

#include <unordered_map>

#include "reference/lint/config_rules.h"
#include "reference/match/match_order.h"

namespace qconform {
namespace {

bool HasArguments(const Pattern& pattern) {
  return pattern.IsTuple() && pattern.items().size() > 1;
}

// Wherever `narrow` matches, `wide` does. As deep as patterns may nest.
bool Covers(const Pattern& wide, const Pattern& narrow) {
  const Pattern& head = wide.Head();
  if (head.kind() == Pattern::Kind::kMatchAll) return true;
  if (head.IsTuple() || !(head == narrow.Head())) return false;
  if (!HasArguments(wide)) return true;
  if (!HasArguments(narrow) || wide.items().size() != narrow.items().size()) return false;
  for (size_t i = 1; i < wide.items().size(); ++i) {
    if (!Covers(wide.items()[i], narrow.items()[i])) return false;
  }
  return true;
}

// A called module has one positional argument as a rule.
bool CoversModuleCall(const Pattern& wide, const Pattern& narrow) {
  return narrow.kind() == Pattern::Kind::kModule && HasArguments(wide) &&
         wide.items().size() == 2 && wide.Head() == narrow &&
         wide.items()[1].Head().kind() == Pattern::Kind::kMatchAll;
}

std::string PlaceOf(const ConfigRows& rows, const ConfigRow& row) {
  return rows.Where(row, *row.json);
}

void LintReplaced(ConfigRows& rows) {
  for (const ConfigRow& row : rows.rows()) {
    if (row.InForce()) continue;
    const ConfigRow& later = rows.rows()[*row.replaced_by];
    rows.Add(LintSeverity::kWarning, "replaced_row", row, *row.json, row.key.HumanText(),
             fmt::format("{} has the same pattern and takes this row's place; nothing of "
                         "this row is left",
                         PlaceOf(rows, later)));
  }
}

void LintShadowed(ConfigRows& rows) {
  std::unordered_map<std::string, const ConfigRow*> by_key;
  for (const ConfigRow& row : rows.rows()) {
    if (row.InForce()) by_key[row.key.Text()] = &row;
  }
  // By the text of the head: what comes first in match order and could cover.
  std::unordered_map<std::string, std::vector<const BackendConfig::Entry*>> earlier;
  static const std::string any = Pattern::MatchAll().Text();
  for (const BackendConfig::Entry* entry : QuantizationMatchOrder(rows.config())) {
    const ConfigRow& row = *by_key.at(entry->key.Text());
    const bool is_fusion = !entry->config.fuser_method.empty();
    const std::string head = entry->key.Head().Text();
    for (const std::string* list : {&any, &head}) {
      const auto found = earlier.find(*list);
      if (found == earlier.end()) continue;
      bool shadowed = false;
      for (const BackendConfig::Entry* other : found->second) {
        // A fusion is only shadowed by a fusion.
        if (is_fusion && other->config.fuser_method.empty()) continue;
        const bool covers = Covers(other->key, entry->key);
        if (!covers && !CoversModuleCall(other->key, entry->key)) continue;
        const ConfigRow& winner = *by_key.at(other->key.Text());
        rows.Add(covers ? LintSeverity::kError : LintSeverity::kWarning,
                 "shadowed_pattern", row, *row.json, row.key.HumanText(),
                 fmt::format("shadowed by {} at {}, which is tried first and matches "
                             "wherever this does{}",
                             other->key.HumanText(), PlaceOf(rows, winner),
                             covers ? ""
                                    : ", unless the module is called without exactly one "
                                      "positional argument"));
        shadowed = true;
        break;
      }
      if (shadowed || head == any) break;
    }
    earlier[head].push_back(entry);
  }
}

// What tracing makes of a name that no traced graph holds; nullptr for others.
const char* TracedAs(const Pattern& atom) {
  static const std::unordered_map<std::string, const char*> functions = {
      {"torch.nn.functional.sigmoid", "the method sigmoid"},
      {"torch.nn.functional.tanh", "the method tanh"},
      {"torch.nn.functional.upsample", "torch.nn.functional.interpolate"},
      {"torch.nn.functional.upsample_nearest", "torch.nn.functional.interpolate"},
      {"torch.nn.functional.upsample_bilinear", "torch.nn.functional.interpolate"},
      {"torch.nn.Sequential", "the operations of its children"},
      {"torch.nn.ModuleList", "the operations of its children"},
      {"torch.nn.ModuleDict", "the operations of its children"},
      {"shape", "builtins.getattr of 'shape'"},
      {"ndim", "builtins.getattr of 'ndim'"},
      {"dtype", "builtins.getattr of 'dtype'"},
      {"device", "builtins.getattr of 'device'"},
      {"T", "builtins.getattr of 'T'"},
  };
  const auto found = functions.find(atom.name());
  return found == functions.end() ? nullptr : found->second;
}

// Functions that always have two positional arguments.
bool IsBinary(const Pattern& head) {
  if (head.kind() != Pattern::Kind::kFunction) return false;
  for (const char* name :
       {"operator.add", "operator.iadd", "operator.mul", "operator.imul", "operator.sub",
        "operator.isub", "operator.truediv", "operator.floordiv", "operator.matmul",
        "torch.add", "torch.mul", "torch.sub", "torch.div", "torch.matmul",
        "torch.bmm"}) {
    if (head.name() == name) return true;
  }
  return false;
}

class AtomRules {
 public:
  AtomRules(ConfigRows& rows, const ConfigRow& row) : rows_(rows), row_(row) {}

  // As deep as patterns may nest. `is_argument`: strings may be literals there.
  void Run(const Pattern& pattern, bool is_argument) {
    const Pattern& head = pattern.Head();
    const bool is_getattr = head == Pattern::Function("builtins.getattr");
    if (pattern.IsTuple() && is_getattr) {
      Add(LintSeverity::kError, "getattr_pattern", "builtins.getattr",
          pattern.items().size() == 2
              ? "torch raises IndexError at the first node that a getattr pattern matches"
              : "a getattr pattern must be a pair: torch raises AssertionError",
          pattern.items().size() == 2 ? "matches" : "");
      return;
    }
    if (head.IsTuple() || (!is_argument && head.kind() == Pattern::Kind::kLiteral)) {
      Add(LintSeverity::kError, "never_matches", head.Text(),
          fmt::format("{} stands where an operation must stand and equals none",
                      head.HumanText()));
    }
    if (head.kind() == Pattern::Kind::kFunction ||
        head.kind() == Pattern::Kind::kModule ||
        (head.kind() == Pattern::Kind::kMethod && !is_argument)) {
      if (const char* traced = TracedAs(head)) {
        Add(LintSeverity::kWarning, "never_traced", head.name(),
            fmt::format("a traced graph never holds {}: it becomes {}", head.name(),
                        traced));
      }
    }
    if (head.kind() == Pattern::Kind::kModule && head.name().rfind("torch", 0) != 0) {
      Add(LintSeverity::kWarning, "traced_into", head.name(),
          fmt::format("{} is no class of torch.nn: torch traces into it and this never "
                      "matches, unless it is named as non-traceable",
                      head.name()));
    }
    if (IsBinary(head) && HasArguments(pattern) && pattern.items().size() != 3) {
      Add(LintSeverity::kError, "argument_count", head.name(),
          fmt::format("{} has two positional arguments, the pattern gives it {}; every "
                      "operand needs a part, MatchAllNode for any",
                      head.name(), pattern.items().size() - 1));
    }
    for (size_t i = 1; i < pattern.items().size(); ++i) Run(pattern.items()[i], true);
  }

 private:
  void Add(LintSeverity severity, const char* kind, const std::string& name,
           std::string text, std::string strict = "") {
    rows_.Add(severity, kind, row_, ConfigRows::AtName(row_, name), row_.key.HumanText(),
              std::move(text), std::move(strict));
  }

  ConfigRows& rows_;
  const ConfigRow& row_;
};

}  // namespace

void LintPatterns(ConfigRows& rows) {
  LintReplaced(rows);
  LintShadowed(rows);
  for (const ConfigRow& row : rows.rows()) AtomRules(rows, row).Run(row.key, false);
}

}  // namespace qconform
