#include "conformance/saboteurs/fill_tally.h"

#include "datasets/fills.h"

namespace qconform {
namespace {

// Fills that are drawn for a case to reach a mistake; `real` comes with a golden. Not
// among them: literal data, chosen case by case; uniform; every_pair, which is there to
// leave nothing out; not_a_number, of which no numbered case tells.
constexpr const char* kTraps[] = {
    "pair_saturate", "ties",          "zero_point_border", "one_hot",    "all_min",
    "all_max",       "real",          "constant_channel",  "tiny_scale", "every_code",
    "every_product", "special_floats"};

}  // namespace

void FillTally::Add(const KernelFault& fault, const std::vector<CaseRecord>& records,
                    const std::function<bool(const std::string&)>& passes_with_uniform) {
  if (fault.number.empty()) return;
  for (const CaseRecord& record : records) {
    // A contract's case has a step in its place.
    if (!IsFailed(record) || !(ParseFill(record.fill) || record.fill == "real")) continue;
    FillKills& kills = kills_[record.fill];
    kills.all.try_emplace(fault.name, record.id);
    if (record.fill == FillName(Fill::kUniform) || kills.by_data.contains(fault.name))
      continue;
    if (passes_with_uniform(record.id)) kills.by_data.emplace(fault.name, record.id);
  }
}

std::vector<std::string> FillTally::IdleTraps() const {
  std::vector<std::string> idle;
  for (const char* trap : kTraps) {
    const auto kills = kills_.find(trap);
    if (kills == kills_.end() || kills->second.all.empty()) idle.emplace_back(trap);
  }
  return idle;
}

std::vector<std::string> FillTally::ReplaceableTraps() const {
  std::vector<std::string> replaceable;
  for (const char* trap : kTraps) {
    const auto kills = kills_.find(trap);
    if (kills != kills_.end() && kills->second.by_data.empty())
      replaceable.emplace_back(trap);
  }
  return replaceable;
}

}  // namespace qconform
