// The fields of qc_attributes by name, in the ABI's order.
#ifndef QCONFORM_REFERENCE_LOWER_ATTRIBUTE_FIELDS_H_
#define QCONFORM_REFERENCE_LOWER_ATTRIBUTE_FIELDS_H_

#include <span>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Calls visit(name, span of the values, how many of them) for every field but size;
// scalars are spans of one. Attributes is qc_attributes or const qc_attributes.
template <typename Attributes, typename Visitor>
void VisitAttributes(Attributes& attributes, Visitor&& visit) {
  const auto one = [&](const char* name, auto& field) {
    visit(name, std::span(&field, 1));
  };
  const auto many = [&](const char* name, auto& field) { visit(name, std::span(field)); };
  one("spatial_rank", attributes.spatial_rank);
  many("kernel", attributes.kernel);
  many("stride", attributes.stride);
  many("dilation", attributes.dilation);
  many("padding_before", attributes.padding_before);
  many("padding_after", attributes.padding_after);
  many("output_padding", attributes.output_padding);
  one("groups", attributes.groups);
  one("padding_mode", attributes.padding_mode);
  one("ceil_mode", attributes.ceil_mode);
  one("count_include_pad", attributes.count_include_pad);
  one("activation", attributes.activation);
  one("divisor_override", attributes.divisor_override);
  one("activation_alpha", attributes.activation_alpha);
  one("activation_min", attributes.activation_min);
  one("activation_max", attributes.activation_max);
  one("alpha", attributes.alpha);
  one("minimum", attributes.minimum);
  one("maximum", attributes.maximum);
  one("epsilon", attributes.epsilon);
  one("scalar", attributes.scalar);
  one("scalar_first", attributes.scalar_first);
  one("residual", attributes.residual);
  one("axis", attributes.axis);
  one("axis_mask", attributes.axis_mask);
  one("keep_dimensions", attributes.keep_dimensions);
  many("permutation", attributes.permutation);
  many("start", attributes.start);
  many("stop", attributes.stop);
  many("step", attributes.step);
  one("interpolation", attributes.interpolation);
  one("align_corners", attributes.align_corners);
  many("scale_factor", attributes.scale_factor);
  one("factor", attributes.factor);
  one("group_count", attributes.group_count);
  one("reduction", attributes.reduction);
  one("include_last_offset", attributes.include_last_offset);
  one("padding_index", attributes.padding_index);
  one("dynamic", attributes.dynamic);
  one("reduce_range", attributes.reduce_range);
  one("hidden_size", attributes.hidden_size);
  one("layers", attributes.layers);
  one("bidirectional", attributes.bidirectional);
  one("batch_first", attributes.batch_first);
  one("approximate_tanh", attributes.approximate_tanh);
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_ATTRIBUTE_FIELDS_H_
