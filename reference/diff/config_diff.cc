#include "reference/diff/config_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "reference/diff/changed_line.h"
#include "reference/match/match_order.h"

namespace qconform {
namespace {

// Takes the dtype configs and the pattern out of a row; what is left is compared field by
// field.
ordered_json TakeDTypeConfigs(ordered_json& row) {
  ordered_json configs = std::move(row["dtype_configs"]);
  for (const char* key : {"pattern", "pattern_complex_format", "dtype_configs"}) {
    row.erase(key);
  }
  return configs;
}

std::string Dtype(const ordered_json& config, const char* key) {
  if (!config.contains(key)) return "any";
  std::string name = config[key].value("dtype", "any");
  if (name.rfind("torch.", 0) == 0) name = name.substr(6);
  return name;
}

// "quint8, weight qint8 -> quint8 (dynamic)"
std::string Signature(const ordered_json& config) {
  std::string text = Dtype(config, "input_dtype");
  if (config.contains("weight_dtype"))
    text += ", weight " + Dtype(config, "weight_dtype");
  text += " -> " + Dtype(config, "output_dtype");
  if (config.value("is_dynamic", false)) text += " (dynamic)";
  return text;
}

std::string ShortField(std::string field) {
  for (const char* side : {"input_dtype", "output_dtype", "weight_dtype"}) {
    const std::string name(side);
    if (field.rfind(name + ".", 0) == 0) {
      return name.substr(0, name.find('_')) + field.substr(name.size());
    }
  }
  return field;
}

class RowDiff {
 public:
  std::vector<FieldChange> Run(ordered_json row_before, ordered_json row_after) {
    const ordered_json before = TakeDTypeConfigs(row_before);
    const ordered_json after = TakeDTypeConfigs(row_after);
    changes_ = FieldChanges(row_before, row_after);
    if (before == after) return std::move(changes_);
    const size_t unchanged = changes_.size();
    is_single_ = before.size() <= 1 && after.size() <= 1;
    std::vector<ordered_json> left(before.begin(), before.end());
    std::vector<ordered_json> right(after.begin(), after.end());
    Pair(left, right, [](const auto& x, const auto& y) { return x == y; });
    Pair(left, right,
         [](const auto& x, const auto& y) { return Signature(x) == Signature(y); });
    if (left.size() == right.size()) {
      Pair(left, right, [](const auto&, const auto&) { return true; });
    }
    for (const ordered_json& config : left) {
      changes_.push_back({"dtype config", Signature(config), "none"});
    }
    for (const ordered_json& config : right) {
      changes_.push_back({"dtype config", "none", Signature(config)});
    }
    if (changes_.size() == unchanged) {
      changes_.push_back({"order of the dtype configs", Order(before), Order(after)});
    }
    return std::move(changes_);
  }

 private:
  // Takes pairs out of both lists and notes what differs between them.
  template <typename Same>
  void Pair(std::vector<ordered_json>& left, std::vector<ordered_json>& right,
            const Same& same) {
    std::vector<ordered_json> rest;
    for (ordered_json& config : left) {
      const auto found =
          std::find_if(right.begin(), right.end(),
                       [&](const ordered_json& other) { return same(config, other); });
      if (found == right.end()) {
        rest.push_back(std::move(config));
        continue;
      }
      for (FieldChange& change : FieldChanges(config, *found)) {
        change.field = ShortField(std::move(change.field));
        if (!is_single_) change.field = "[" + Signature(config) + "]." + change.field;
        changes_.push_back(std::move(change));
      }
      right.erase(found);
    }
    left = std::move(rest);
  }

  static std::string Order(const ordered_json& configs) {
    std::string text;
    for (const ordered_json& config : configs) {
      text += (text.empty() ? "" : "; ") + Signature(config);
    }
    return text;
  }

  bool is_single_ = true;
  std::vector<FieldChange> changes_;
};

// Of the common rows in a's match order those outside a longest run that b tries in the
// same order.
std::vector<std::string> Reordered(const BackendConfig& a, const BackendConfig& b) {
  std::unordered_map<std::string, size_t> place;
  for (const BackendConfig::Entry* entry : QuantizationMatchOrder(b)) {
    place.emplace(entry->key.Text(), place.size());
  }
  std::vector<const BackendConfig::Entry*> common;
  std::vector<size_t> places;  // of the common rows, in b's order
  for (const BackendConfig::Entry* entry : QuantizationMatchOrder(a)) {
    const auto found = place.find(entry->key.Text());
    if (found == place.end()) continue;
    common.push_back(entry);
    places.push_back(found->second);
  }
  // Patience sorting: the last place of the best run of each length, and what came
  // before.
  std::vector<size_t> tails;
  std::vector<size_t> previous(common.size());
  for (size_t i = 0; i < common.size(); ++i) {
    const auto at = std::lower_bound(
        tails.begin(), tails.end(), places[i],
        [&](size_t tail, size_t wanted) { return places[tail] < wanted; });
    previous[i] = at == tails.begin() ? common.size() : *(at - 1);
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<bool> stays(common.size(), false);
  for (size_t i = tails.empty() ? common.size() : tails.back(); i < common.size();
       i = previous[i]) {
    stays[i] = true;
  }
  std::vector<std::string> moved;
  for (size_t i = 0; i < common.size(); ++i) {
    if (!stays[i]) moved.push_back(common[i]->key.HumanText());
  }
  return moved;
}

// Of each member the first few values: some dumps carry whole tables along.
void AppendMembers(std::string& text, const std::vector<FieldChange>& changes) {
  constexpr size_t kShown = 3;
  OrderedMap<size_t> counts;
  for (const FieldChange& change : changes) {
    const std::string member = change.field.substr(0, change.field.find_first_of(".["));
    const size_t* before = counts.Find(member);
    const size_t count = before == nullptr ? 1 : *before + 1;
    counts.Set(member, count);
    if (count <= kShown) {
      AppendChange(text, change.field, change.before, change.after);
    }
  }
  for (const auto& [member, count] : counts) {
    if (count <= kShown) continue;
    text += fmt::format("{} differs in {} more values\n", member, count - kShown);
  }
}

}  // namespace

ConfigDifference DiffConfigs(const BackendConfig& a, const BackendConfig& b) {
  return DiffConfigs(ConfigDocument{a}, ConfigDocument{b});
}

ConfigDifference DiffConfigs(const ConfigDocument& before, const ConfigDocument& after) {
  const BackendConfig& a = before.config;
  const BackendConfig& b = after.config;
  ConfigDifference difference;
  if (before.members && after.members) {
    difference.members = FieldChanges(*before.members, *after.members);
  }
  difference.name_before = a.name();
  difference.name_after = b.name();
  for (const BackendConfig::Entry& entry : a.entries()) {
    const BackendConfig::Entry* other = b.Find(entry.key);
    if (other == nullptr) {
      difference.gone.push_back(entry.key.HumanText());
      continue;
    }
    std::vector<FieldChange> fields =
        RowDiff().Run(RowOf(before, entry), RowOf(after, *other));
    if (fields.empty()) {
      ++difference.same;
    } else {
      difference.changed.push_back({entry.key.HumanText(), std::move(fields)});
    }
  }
  for (const BackendConfig::Entry& entry : b.entries()) {
    if (a.Find(entry.key) == nullptr) difference.added.push_back(entry.key.HumanText());
  }
  difference.reordered = Reordered(a, b);
  return difference;
}

std::string ToText(const ConfigDifference& difference) {
  if (difference.IsEmpty()) return "";
  std::string text;
  AppendChange(text, "name", difference.name_before, difference.name_after);
  AppendMembers(text, difference.members);
  for (const std::string& pattern : difference.gone) text += "< row " + pattern + "\n";
  for (const std::string& pattern : difference.added) text += "> row " + pattern + "\n";
  for (const ChangedRow& row : difference.changed) {
    text += "row " + row.pattern + "\n";
    for (const FieldChange& change : row.fields) {
      text += fmt::format("<   {} {}\n>   {} {}\n", change.field, change.before,
                          change.field, change.after);
    }
  }
  for (const std::string& pattern : difference.reordered) {
    text += "row " + pattern + " is tried in another order\n";
  }
  const auto count = [](size_t n) {
    return fmt::format("{} row{}", n, n == 1 ? "" : "s");
  };
  text +=
      fmt::format("config  {} changed, {} gone, {} new, {} reordered, {} same",
                  count(difference.changed.size()), difference.gone.size(),
                  difference.added.size(), difference.reordered.size(), difference.same);
  // One or two changes stand in the last line themselves.
  constexpr size_t kShown = 2;
  size_t fields = 0;
  for (const ChangedRow& row : difference.changed) fields += row.fields.size();
  if (fields > 0 && fields <= kShown) {
    const char* separator = ":  ";
    for (const ChangedRow& row : difference.changed) {
      for (const FieldChange& change : row.fields) {
        text += fmt::format("{}{} {} {} -> {}", separator, row.pattern, change.field,
                            change.before, change.after);
        separator = ", ";
      }
    }
  }
  return text + "\n";
}

}  // namespace qconform
