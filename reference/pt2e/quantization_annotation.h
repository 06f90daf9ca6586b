// What a quantizer says of each node: how its inputs and its output are quantized.
// (torchao.quantization.pt2e.quantizer.QuantizationAnnotation)
#ifndef QCONFORM_REFERENCE_PT2E_QUANTIZATION_ANNOTATION_H_
#define QCONFORM_REFERENCE_PT2E_QUANTIZATION_ANNOTATION_H_

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/ir/graph.h"
#include "reference/ir/ordered_map.h"
#include "reference/pt2e/quantization_spec.h"

namespace qconform {

struct QuantizationAnnotation {
  // input_qspec_map: by the name of the producer, in the order in which they were first
  // set. A producer that stands at two arguments has one entry.
  OrderedMap<QuantizationSpecPointer> inputs;
  QuantizationSpecPointer output;
  // Whether an input of this node may share the observer of the same tensor elsewhere.
  bool allow_implicit_sharing = true;
  // _annotated: this node is done, also where every spec is None.
  bool annotated = false;
  // _is_output_of_quantized_pattern; absent outside the quantizers that have it.
  std::optional<bool> is_output_of_quantized_pattern;
  // Who wrote it, for a person: a quantizer and its rule.
  std::string rule;

  // A second spec for one edge takes the first one's place, as in a Python dict; that the
  // two disagree is kept for whoever wants to know.
  void SetInput(const Node& producer, QuantizationSpecPointer spec) {
    const QuantizationSpecPointer* before = inputs.Find(producer.name());
    if (before != nullptr && !SpecEquals(*before, spec)) {
      disagreements.Set(producer.name(), *before);
    }
    inputs.Set(producer.name(), std::move(spec));
  }
  // nullptr if the edge has no entry, and if its entry is None.
  QuantizationSpecPointer Input(const Node& producer) const {
    const QuantizationSpecPointer* found = inputs.Find(producer.name());
    return found == nullptr ? nullptr : *found;
  }
  // Edges that were given two specs that differ: by producer the one that lost.
  OrderedMap<QuantizationSpecPointer> disagreements;
};

// The annotations of one program by node name.
class Annotations {
 public:
  // nullptr for a node without.
  QuantizationAnnotation* Find(const Node& node) { return Find(node.name()); }
  const QuantizationAnnotation* Find(const Node& node) const { return Find(node.name()); }
  QuantizationAnnotation* Find(const std::string& node) {
    const auto found = by_node_.find(node);
    return found == by_node_.end() ? nullptr : found->second.get();
  }
  const QuantizationAnnotation* Find(const std::string& node) const {
    return const_cast<Annotations*>(this)->Find(node);
  }
  // An empty one if there is none yet.
  QuantizationAnnotation& operator[](const Node& node) {
    std::shared_ptr<QuantizationAnnotation>& entry = by_node_[node.name()];
    if (entry == nullptr) entry = std::make_shared<QuantizationAnnotation>();
    return *entry;
  }
  // Another object in place of the node's annotation.
  void Set(const Node& node, QuantizationAnnotation annotation) {
    by_node_[node.name()] =
        std::make_shared<QuantizationAnnotation>(std::move(annotation));
  }
  void Erase(const Node& node) { by_node_.erase(node.name()); }
  bool IsAnnotated(const Node& node) const {
    const QuantizationAnnotation* found = Find(node);
    return found != nullptr && found->annotated;
  }
  size_t size() const { return by_node_.size(); }

  using Map = std::unordered_map<std::string, std::shared_ptr<QuantizationAnnotation>>;
  const Map& by_node() const { return by_node_; }

  Annotations Clone() const {
    Annotations copy;
    for (const auto& [node, annotation] : by_node_) {
      copy.by_node_[node] = std::make_shared<QuantizationAnnotation>(*annotation);
    }
    return copy;
  }

 private:
  Map by_node_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_QUANTIZATION_ANNOTATION_H_
