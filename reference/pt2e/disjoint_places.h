// Sets of places that share: union-find with torchao's order of parent and child.
#ifndef QCONFORM_REFERENCE_PT2E_DISJOINT_PLACES_H_
#define QCONFORM_REFERENCE_PT2E_DISJOINT_PLACES_H_

#include <functional>
#include <vector>

#include "reference/pt2e/quantization_spec.h"

namespace qconform {

struct SharingEntry;

// Places are the indexes of the entries. Every walk is a loop; one that would not end
// throws PipelineError("RecursionError") and names where it went.
class DisjointPlaces {
 public:
  static constexpr int kAbsent = -1;

  DisjointPlaces() = default;
  // `find` gives the index of a place, kAbsent if it has no entry. `entries` must stay.
  DisjointPlaces(const std::vector<SharingEntry>& entries,
                 const std::function<int(const EdgeOrNode&)>& find);

  // Whether the spec of an entry is shared with another place.
  bool SharedWith(int entry) const { return anchors_[entry] != kNotShared; }
  // The entry that it is shared with. Throws PipelineError("KeyError") if that place has
  // none.
  int Anchor(int entry) const;
  // The root of the set. (_find_root_edge_or_node)
  int Root(int entry);
  // Hangs the set of `child` under that of `parent`, or the other way round where the
  // parent's root is itself shared with the child's. (_union)
  void Unite(int parent, int child);
  // The entry whose spec, not a shared one, a spec leads to. (_unwrap_shared_qspec)
  int Resolve(int entry);

 private:
  static constexpr int kNotShared = -2;
  [[noreturn]] void FailAt(int entry) const;

  const std::vector<SharingEntry>* entries_ = nullptr;
  std::vector<int> parents_;
  std::vector<int> anchors_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_DISJOINT_PLACES_H_
