#include "cli/parity/part.h"

#include <algorithm>
#include <exception>

namespace qconform::parity {

void RecordReport::NotBounded(const std::string& place) {
  std::string names;
  for (const std::string& name : without_bound_)
    names += (names.empty() ? "" : ", ") + name;
  const std::pair entry(place,
                        "no bound for " + (names.empty() ? "its operators" : names));
  // Variants of a record come to the same place.
  if (std::find(not_compared_.begin(), not_compared_.end(), entry) ==
      not_compared_.end()) {
    not_compared_.push_back(entry);
  }
}

RecordReport ReadRecord(const std::string& name,
                        const std::function<RecordReport()>& compare) {
  try {
    return compare();
  } catch (const std::exception& error) {
    RecordReport report(name);
    report.Add("read", Difference{"", error.what(), "a record that can be read"});
    return report;
  }
}

void PartReport::Add(RecordReport record) {
  if (!record.values_left_out().empty()) {
    NotCompared(record.name() + ", values", record.values_left_out());
  }
  for (const auto& [stage, reason] : record.not_compared()) {
    NotCompared(record.name() + ", " + stage, reason);
  }
  records.push_back(std::move(record));
}

int PartReport::CountEqual() const {
  int equal = 0;
  for (const RecordReport& record : records) equal += record.equal() ? 1 : 0;
  return equal;
}

OrderedMap<StageCount> PartReport::CountStages() const {
  OrderedMap<StageCount> counts;
  for (const RecordReport& record : records) {
    for (const auto& [stage, equal] : record.stages()) {
      StageCount& count = counts[stage];
      ++count.compared;
      count.equal += equal ? 1 : 0;
    }
  }
  return counts;
}

OrderedMap<std::vector<std::string>> PartReport::MissingStages() const {
  OrderedMap<std::vector<std::string>> missing;
  for (const RecordReport& record : records) {
    for (const std::string& stage : record.missing()) {
      missing[stage].push_back(record.name());
    }
  }
  return missing;
}

}  // namespace qconform::parity
