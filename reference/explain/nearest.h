// The name of the model that a setting may have meant.
#ifndef QCONFORM_REFERENCE_EXPLAIN_NEAREST_H_
#define QCONFORM_REFERENCE_EXPLAIN_NEAREST_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/ir/nearest_name.h"

namespace qconform {

// A search costs as much as the model has names, and a mapping made by a program may
// miss thousands of times: the first of them show what is wrong.
class NearestNames {
 public:
  static constexpr int kMostSearches = 100;

  void Insert(std::string name) { names_.insert(std::move(name)); }
  bool Contains(const std::string& name) const { return names_.count(name) > 0; }

  // ", nearest is X", or "": also after the last search.
  std::string Hint(const std::string& name) {
    if (searches_ == kMostSearches) return "";
    ++searches_;
    const std::vector<std::string> list(names_.begin(), names_.end());
    const std::string nearest = NearestName(name, list);
    return nearest.empty() ? "" : ", nearest is " + nearest;
  }

 private:
  std::set<std::string> names_;
  int searches_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_NEAREST_H_
