#include "reference/pt2e/quantization_spec.h"

#include <fmt/format.h>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// The checks of QuantizationSpec.__post_init__.
void CheckRange(const QuantizationSpec& spec) {
  if (spec.quant_min && spec.quant_max && *spec.quant_min > *spec.quant_max) {
    throw PipelineError("ValueError", fmt::format("quant_min {} must be <= quant_max {}.",
                                                  *spec.quant_min, *spec.quant_max));
  }
  if (spec.ch_axis && *spec.ch_axis < 0) {
    throw PipelineError("ValueError", "Ch_axis is < 0.");
  }
}

std::string Bound(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "None";
}

// What the kinds with codes of their own have in common: "int8 -128..127
// per_tensor_affine".
template <typename Spec>
std::string CodesText(const Spec& spec) {
  std::string text = fmt::format("{} {}..{} {}", DTypeName(spec.dtype),
                                 Bound(spec.quant_min), Bound(spec.quant_max),
                                 spec.qscheme ? QSchemeName(*spec.qscheme) : "None");
  if (spec.is_dynamic) text += " dynamic";
  return text;
}

struct TextOf {
  std::string operator()(const QuantizationSpec& spec) const {
    std::string text = CodesText(spec);
    if (spec.ch_axis) text += fmt::format(" axis {}", *spec.ch_axis);
    return text + " " + ToText(spec.observer);
  }
  std::string operator()(const FixedQParamsQuantizationSpec& spec) const {
    return fmt::format("{} fixed at scale {}, zero point {}", CodesText(spec), spec.scale,
                       spec.zero_point);
  }
  std::string operator()(const SharedQuantizationSpec& spec) const {
    return "shared with " + ToText(spec.edge_or_node);
  }
  std::string operator()(const DerivedQuantizationSpec& spec) const {
    std::string text = fmt::format("{} {} of", CodesText(spec), spec.derive_function);
    for (const EdgeOrNode& place : spec.derived_from) text += " (" + ToText(place) + ")";
    return text;
  }
};

}  // namespace

std::string ToText(const EdgeOrNode& place) {
  return place.IsEdge() ? place.producer + " -> " + place.node : place.node;
}

QuantizationSpecPointer MakeSpec(QuantizationSpec spec) {
  CheckRange(spec);
  return std::make_shared<const AnyQuantizationSpec>(std::move(spec));
}

QuantizationSpecPointer MakeSpec(FixedQParamsQuantizationSpec spec) {
  return std::make_shared<const AnyQuantizationSpec>(std::move(spec));
}

QuantizationSpecPointer MakeSpec(DerivedQuantizationSpec spec) {
  return std::make_shared<const AnyQuantizationSpec>(std::move(spec));
}

QuantizationSpecPointer ShareWith(EdgeOrNode place) {
  return std::make_shared<const AnyQuantizationSpec>(
      SharedQuantizationSpec{std::move(place)});
}

bool SpecEquals(const QuantizationSpecPointer& a, const QuantizationSpecPointer& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a == b || *a == *b;
}

std::string ToText(const QuantizationSpecPointer& spec) {
  return spec == nullptr ? "None" : std::visit(TextOf(), *spec);
}

}  // namespace qconform
