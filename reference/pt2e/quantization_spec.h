// How one tensor is to be quantized: the four kinds of specs that an annotation holds.
// (torchao.quantization.pt2e.quantizer)
#ifndef QCONFORM_REFERENCE_PT2E_QUANTIZATION_SPEC_H_
#define QCONFORM_REFERENCE_PT2E_QUANTIZATION_SPEC_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/ir/graph.h"
#include "reference/numerics/qscheme.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// A place where a value can be observed: the output of a node, or the edge from a
// producer to one of its consumers. By names, which outlive the nodes.
struct EdgeOrNode {
  // Empty for an output.
  std::string producer;
  std::string node;

  static EdgeOrNode Output(const Node& node) { return {"", node.name()}; }
  static EdgeOrNode Edge(const Node& producer, const Node& consumer) {
    return {producer.name(), consumer.name()};
  }
  bool IsEdge() const { return !producer.empty(); }
  bool operator==(const EdgeOrNode&) const = default;
};

// "conv2d" or "x -> conv2d".
std::string ToText(const EdgeOrNode& place);

// An observer or fake-quantizer of its own.
struct QuantizationSpec {
  DType dtype = DType::kInt8;
  // Classes by the names of ObserverFactories(); those without a Python module are
  // torchao's.
  ObserverConstructor observer;
  std::optional<int64_t> quant_min;
  std::optional<int64_t> quant_max;
  std::optional<QScheme> qscheme;
  std::optional<int64_t> ch_axis;
  bool is_dynamic = false;
  bool operator==(const QuantizationSpec&) const = default;
};

// Parameters that never change.
struct FixedQParamsQuantizationSpec {
  DType dtype = DType::kInt8;
  double scale = 1;
  int64_t zero_point = 0;
  std::optional<int64_t> quant_min;
  std::optional<int64_t> quant_max;
  std::optional<QScheme> qscheme;
  bool is_dynamic = false;
  bool operator==(const FixedQParamsQuantizationSpec&) const = default;
};

// The observer of another place.
struct SharedQuantizationSpec {
  EdgeOrNode edge_or_node;
  bool operator==(const SharedQuantizationSpec&) const = default;
};

// Parameters that are computed from those of other places.
struct DerivedQuantizationSpec {
  std::vector<EdgeOrNode> derived_from;
  // A name of DeriveFunctions() (derive_function.h).
  std::string derive_function;
  DType dtype = DType::kInt32;
  std::optional<int64_t> quant_min;
  std::optional<int64_t> quant_max;
  std::optional<QScheme> qscheme;
  std::optional<int64_t> ch_axis;
  bool is_dynamic = false;
  bool operator==(const DerivedQuantizationSpec&) const = default;
};

using AnyQuantizationSpec = std::variant<QuantizationSpec, FixedQParamsQuantizationSpec,
                                         SharedQuantizationSpec, DerivedQuantizationSpec>;

// Never changed once made, so that annotations may hold the same one. nullptr is None:
// leave this tensor alone.
using QuantizationSpecPointer = std::shared_ptr<const AnyQuantizationSpec>;

// Throws PipelineError("ValueError") as the class of torchao does: quant_min above
// quant_max, a negative ch_axis.
QuantizationSpecPointer MakeSpec(QuantizationSpec spec);
QuantizationSpecPointer MakeSpec(FixedQParamsQuantizationSpec spec);
QuantizationSpecPointer MakeSpec(DerivedQuantizationSpec spec);
QuantizationSpecPointer ShareWith(EdgeOrNode place);

// The kind T in a spec, or nullptr.
template <typename T>
const T* As(const QuantizationSpecPointer& spec) {
  return spec == nullptr ? nullptr : std::get_if<T>(&*spec);
}

// By value; None equals only None.
bool SpecEquals(const QuantizationSpecPointer& a, const QuantizationSpecPointer& b);

// One line for a person: "int8 -128..127 per_tensor_affine HistogramObserver(eps=...)",
// "shared with x -> conv2d", "None".
std::string ToText(const QuantizationSpecPointer& spec);

}  // namespace qconform

template <>
struct std::hash<qconform::EdgeOrNode> {
  size_t operator()(const qconform::EdgeOrNode& place) const {
    const size_t first = std::hash<std::string>()(place.producer);
    return first * 0x9e3779b97f4a7c15u + std::hash<std::string>()(place.node);
  }
};

#endif  // QCONFORM_REFERENCE_PT2E_QUANTIZATION_SPEC_H_
