// What comparing one part of a folder of oracle records gives.
#ifndef QCONFORM_CLI_PARITY_PART_H_
#define QCONFORM_CLI_PARITY_PART_H_

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/ir/ordered_map.h"

namespace qconform::parity {

// The first place where a record and our result part: a path into the record, and
// both values in short.
struct Difference {
  std::string where;
  std::string got;
  std::string want;
};

// How often a stage was compared and how often it was equal.
struct StageCount {
  int equal = 0;
  int compared = 0;
};

// One record: its stages in order of comparison. A record is equal if it has a stage
// that was compared and every such stage is.
class RecordReport {
 public:
  explicit RecordReport(std::string name) : name_(std::move(name)) {}

  void Add(const std::string& stage, std::optional<Difference> difference) {
    if (difference && !first_) first_ = {stage, *difference};
    stages_.emplace_back(stage, !difference);
  }
  // A line about a place that agrees only inside a bound, or only up to a tie.
  void Note(std::string note) { notes_.push_back(std::move(note)); }

  // A part of a stage that was not compared, and why.
  void NotCompared(const std::string& stage, const std::string& reason) {
    not_compared_.emplace_back(stage, reason);
  }
  // An operator that bounds nothing ran on inexact values.
  void WithoutBound(const std::string& operation) { without_bound_.insert(operation); }
  // A place that differs, which such operators may be the reason of.
  void NotBounded(const std::string& place);
  // A stage that the record does not hold.
  void Missing(const std::string& stage) { missing_.push_back(stage); }
  // Why only the structure of the record was compared.
  void LeaveValuesOut(std::string reason) { values_left_out_ = std::move(reason); }

  const std::string& name() const { return name_; }
  const std::string& values_left_out() const { return values_left_out_; }
  const std::vector<std::pair<std::string, std::string>>& not_compared() const {
    return not_compared_;
  }
  const std::vector<std::string>& missing() const { return missing_; }
  bool equal() const { return !stages_.empty() && !first_; }
  const std::optional<std::pair<std::string, Difference>>& first() const {
    return first_;
  }
  const std::vector<std::pair<std::string, bool>>& stages() const { return stages_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::string name_;
  std::vector<std::pair<std::string, bool>> stages_;
  std::optional<std::pair<std::string, Difference>> first_;
  std::vector<std::string> notes_;
  std::vector<std::pair<std::string, std::string>> not_compared_;
  std::vector<std::string> missing_;
  std::set<std::string> without_bound_;
  std::string values_left_out_;
};

// What `compare` says of a record; a difference in the stage "read" if it cannot be read,
// because it holds what no code knows or does not hold together.
RecordReport ReadRecord(const std::string& name,
                        const std::function<RecordReport()>& compare);

struct PartReport {
  std::string name;
  std::vector<RecordReport> records;
  // Stages that the records hold and that no code compares.
  std::vector<std::string> not_compared;
  // Single records of that kind: name and reason.
  std::vector<std::pair<std::string, std::string>> skipped = {};
  void NotCompared(const std::string& name, const std::string& reason) {
    skipped.emplace_back(name, reason);
  }

  // Adds a record, and what it says was not compared to the single records.
  void Add(RecordReport record);

  int CountEqual() const;
  // By stage, in order of first appearance.
  OrderedMap<StageCount> CountStages() const;
  // The records that do not hold a stage, by stage.
  OrderedMap<std::vector<std::string>> MissingStages() const;
};

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PART_H_
