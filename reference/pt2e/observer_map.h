// Which observer belongs to each annotated edge and output.
#ifndef QCONFORM_REFERENCE_PT2E_OBSERVER_MAP_H_
#define QCONFORM_REFERENCE_PT2E_OBSERVER_MAP_H_

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/ir/module.h"
#include "reference/pt2e/quantization_spec.h"

namespace qconform {

// In the order of annotation; places of one sharing group hold the same module, whose
// state is the Observer. nullptr where the spec is None.
class ObserverMap {
 public:
  using Entry = std::pair<EdgeOrNode, std::shared_ptr<Module>>;

  void Set(const EdgeOrNode& place, std::shared_ptr<Module> observer) {
    const auto [found, added] = index_.try_emplace(place, entries_.size());
    if (added) {
      entries_.emplace_back(place, std::move(observer));
    } else {
      entries_[found->second].second = std::move(observer);
    }
  }
  // nullptr if the place has no entry.
  const std::shared_ptr<Module>* Find(const EdgeOrNode& place) const {
    const auto found = index_.find(place);
    return found == index_.end() ? nullptr : &entries_[found->second].second;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::unordered_map<EdgeOrNode, size_t> index_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_OBSERVER_MAP_H_
