#include "reference/pt2e/sharing_groups.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "reference/ir/error.h"
#include "reference/pt2e/disjoint_places.h"
#include "reference/pt2e/spec_observer.h"

namespace qconform {
namespace {

// The attributes that implicit sharing compares; one that a kind of spec does not have is
// equal only to one that the other does not have either.
struct SharedAttributes {
  DType dtype;
  bool is_dynamic;
  std::optional<int64_t> quant_min, quant_max;
  std::optional<QScheme> qscheme;
  bool has_ch_axis = false;
  std::optional<int64_t> ch_axis = {};
  bool has_parameters = false;
  double scale = 0;
  int64_t zero_point = 0;
  bool operator==(const SharedAttributes&) const = default;
};

template <typename Spec>
SharedAttributes CodesOf(const Spec& spec) {
  return {spec.dtype, spec.is_dynamic, spec.quant_min, spec.quant_max, spec.qscheme};
}

// Absent for a shared spec, which has none of its own, and for None.
std::optional<SharedAttributes> AttributesOf(const QuantizationSpecPointer& spec) {
  if (const auto* own = As<QuantizationSpec>(spec)) {
    SharedAttributes attributes = CodesOf(*own);
    attributes.has_ch_axis = true;
    attributes.ch_axis = own->ch_axis;
    return attributes;
  }
  if (const auto* derived = As<DerivedQuantizationSpec>(spec)) {
    SharedAttributes attributes = CodesOf(*derived);
    attributes.has_ch_axis = true;
    attributes.ch_axis = derived->ch_axis;
    return attributes;
  }
  if (const auto* fixed = As<FixedQParamsQuantizationSpec>(spec)) {
    SharedAttributes attributes = CodesOf(*fixed);
    attributes.has_parameters = true;
    attributes.scale = fixed->scale;
    attributes.zero_point = fixed->zero_point;
    return attributes;
  }
  return std::nullopt;
}

class Grouping {
 public:
  Grouping(const ExportedProgram& program, const Annotations& annotations)
      : program_(program), annotations_(annotations) {
    for (const Node& node : program.module.graph.nodes()) Enumerate(node);
    places_ = DisjointPlaces(entries_, [this](const EdgeOrNode& place) {
      const auto found = index_.find(place);
      return found == index_.end() ? DisjointPlaces::kAbsent : found->second;
    });
    for (const SharingEntry& entry : entries_) {
      attributes_.push_back(AttributesOf(entry.spec));
    }
  }

  std::vector<SharingEntry> Run() {
    for (int entry = 0; entry < static_cast<int>(entries_.size()); ++entry) {
      if (entries_[entry].place.IsEdge()) ShareImplicitly(entry);
      if (places_.SharedWith(entry)) places_.Unite(places_.Anchor(entry), entry);
    }
    std::vector<int> groups(entries_.size(), -1);
    int next = 0;
    for (size_t entry = 0; entry < entries_.size(); ++entry) {
      int& group = groups[places_.Root(static_cast<int>(entry))];
      if (group < 0) group = next++;
      entries_[entry].group = group;
    }
    return std::move(entries_);
  }

 private:
  void Enumerate(const Node& node) {
    const QuantizationAnnotation* annotation = annotations_.Find(node);
    if (annotation == nullptr) return;
    for (const auto& [producer, spec] : annotation->inputs) {
      Add({producer, node.name()}, spec);
    }
    if (annotation->output != nullptr) Add({"", node.name()}, annotation->output);
  }

  void Add(EdgeOrNode place, const QuantizationSpecPointer& spec) {
    index_.emplace(place, static_cast<int>(entries_.size()));
    entries_.push_back({std::move(place), spec});
  }

  // The attributes of the spec that an entry leads to; nullptr for None.
  const std::optional<SharedAttributes>& Resolved(int entry) {
    return attributes_[places_.Resolve(entry)];
  }

  void ShareImplicitly(int entry) {
    const EdgeOrNode& edge = entries_[entry].place;
    const std::optional<SharedAttributes>& mine = Resolved(entry);
    if (!annotations_.Find(edge.node)->allow_implicit_sharing) return;
    const Node* producer = program_.module.graph.Find(edge.producer);
    // torchao resolves the spec of every other user before it compares.
    if (producer == nullptr || united_.count(producer) > 0) {
      if (producer != nullptr) ShareWithOutput(entry, mine);
      return;
    }
    bool all_agree = mine.has_value();
    for (const Node* user : producer->users()) {
      if (user->name() == edge.node) continue;
      const auto other = index_.find({edge.producer, user->name()});
      if (other == index_.end()) continue;
      all_agree = ShareWithPlace(entry, mine, other->second) && all_agree;
    }
    // From then on the edges of this tensor are one group, whatever comes.
    if (all_agree) united_.insert(producer);
    ShareWithOutput(entry, mine);
  }

  void ShareWithOutput(int entry, const std::optional<SharedAttributes>& mine) {
    const auto output = index_.find({"", entries_[entry].place.producer});
    if (output != index_.end()) ShareWithPlace(entry, mine, output->second);
  }

  bool ShareWithPlace(int entry, const std::optional<SharedAttributes>& mine, int other) {
    const std::optional<SharedAttributes>& theirs = Resolved(other);
    if (!theirs || theirs != mine) return false;
    places_.Unite(other, entry);
    return true;
  }

  const ExportedProgram& program_;
  const Annotations& annotations_;
  std::vector<SharingEntry> entries_;
  std::unordered_map<EdgeOrNode, int> index_;
  std::vector<std::optional<SharedAttributes>> attributes_;
  DisjointPlaces places_;
  std::unordered_set<const Node*> united_;
};

}  // namespace

std::vector<SharingEntry> SharingGroups(const ExportedProgram& program,
                                        const Annotations& annotations) {
  return Grouping(program, annotations).Run();
}

ObserverMap MakeGroupObservers(const std::vector<SharingEntry>& entries, bool is_qat,
                               Mode mode) {
  ObserverMap made;
  std::vector<std::optional<std::shared_ptr<Module>>> by_group(entries.size());
  for (const SharingEntry& entry : entries) {
    std::optional<std::shared_ptr<Module>>& observer = by_group[entry.group];
    if (!observer) {
      observer = MakeSpecObserver(entry.place, entry.spec, made, is_qat, mode);
    }
    made.Set(entry.place, *observer);
  }
  return made;
}

}  // namespace qconform
