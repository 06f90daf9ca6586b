#include "reference/pt2e/disjoint_places.h"

#include <numeric>
#include <utility>

#include "reference/ir/error.h"
#include "reference/pt2e/sharing_groups.h"

namespace qconform {

DisjointPlaces::DisjointPlaces(const std::vector<SharingEntry>& entries,
                               const std::function<int(const EdgeOrNode&)>& find)
    : entries_(&entries), parents_(entries.size()), anchors_(entries.size(), kNotShared) {
  std::iota(parents_.begin(), parents_.end(), 0);
  for (size_t entry = 0; entry < entries.size(); ++entry) {
    if (const auto* shared = As<SharedQuantizationSpec>(entries[entry].spec)) {
      anchors_[entry] = find(shared->edge_or_node);
    }
  }
}

int DisjointPlaces::Anchor(int entry) const {
  if (anchors_[entry] == kAbsent) {
    const SharingEntry& from = (*entries_)[entry];
    throw PipelineError("KeyError",
                        "'" + ToText(from.place) + "' shares the observer of '" +
                            ToText(As<SharedQuantizationSpec>(from.spec)->edge_or_node) +
                            "', which has no annotation");
  }
  return anchors_[entry];
}

void DisjointPlaces::FailAt(int entry) const {
  constexpr int kNamed = 8;
  std::string path = ToText((*entries_)[entry].place);
  int next = entry;
  for (int steps = 0; steps < kNamed; ++steps) {
    next = SharedWith(next) ? anchors_[next] : parents_[next];
    if (next < 0) break;
    path += " shares with " + ToText((*entries_)[next].place);
    if (next == entry) break;
  }
  throw PipelineError("RecursionError", "shared specs lead in a circle: " + path);
}

int DisjointPlaces::Root(int entry) {
  int root = entry;
  size_t steps = 0;
  while (parents_[root] != root) {
    root = parents_[root];
    if (++steps > parents_.size()) FailAt(entry);
  }
  while (parents_[entry] != root && entry != root) {
    entry = std::exchange(parents_[entry], root);
  }
  return root;
}

void DisjointPlaces::Unite(int parent, int child) {
  const int parent_root = Root(parent);
  const int child_root = Root(child);
  if (anchors_[parent_root] == child_root) {
    parents_[parent_root] = child_root;
  } else {
    parents_[child_root] = parent_root;
  }
}

int DisjointPlaces::Resolve(int entry) {
  const int start = entry;
  size_t steps = 0;
  while (SharedWith(entry)) {
    entry = Root(Anchor(entry));
    if (++steps > parents_.size()) FailAt(start);
  }
  return entry;
}

}  // namespace qconform
