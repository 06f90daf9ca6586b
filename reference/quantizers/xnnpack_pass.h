// One setting of an XNNPACKQuantizer at work on one program.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_PASS_H_
#define QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_PASS_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/pt2e/quantization_annotation.h"
#include "reference/pt2e/quantization_config.h"
#include "reference/quantizers/node_filter.h"
#include "reference/quantizers/setting_account.h"
#include "reference/quantizers/source_partition.h"

namespace qconform {

struct XnnpackPass {
  using Nodes = std::vector<const Node*>;

  const ExportedProgram& program;
  const SourceIndex& index;
  Mode mode;
  Annotations& annotations;
  SettingLedger& ledger;
  QuantizationConfigPointer config;
  // Asked of every node of a partition; nullptr passes all.
  NodeFilter filter;
  // Of the operator that a pattern is named after; nullptr passes all.
  NodeFilter main_filter;

  bool IsAnnotated(const Node& node) const { return annotations.IsAnnotated(node); }

  // Not for this setting. `main` is what the pattern is named after, `partition` all that
  // torchao asks: get_attr nodes, too, which are in no module, so that a setting for a
  // name or class never reaches what asks them. Strict mode asks calls only.
  bool Skip(const Node& main, const Nodes& partition);

  void Annotate(const Node& node, QuantizationAnnotation annotation,
                const std::string& recipe);
  // Empty annotations where there is none; all count as done.
  void MarkAnnotated(const Nodes& nodes);
  // The setting, for `rule` of an annotation that is changed in place.
  std::string Rule(const std::string& recipe) const;
};

// Calls of one of the targets.
bool CallsOneOf(const Node& node, const std::vector<std::string>& targets);

// The recipes, each over the whole program.
void AnnotateXnnpackConvBn(XnnpackPass& pass, bool has_relu, bool transposed);
void AnnotateXnnpackLinearRelu(XnnpackPass& pass);
void AnnotateXnnpackLinear(XnnpackPass& pass);
void AnnotateXnnpackConvRelu(XnnpackPass& pass, bool transposed);
void AnnotateXnnpackConv(XnnpackPass& pass);
void AnnotateXnnpackAdaptiveAvgPool(XnnpackPass& pass);
void AnnotateXnnpackGru(XnnpackPass& pass);
// `targets` are the operator and its in-place form.
void AnnotateXnnpackBinary(XnnpackPass& pass, const std::string& name,
                           const std::vector<std::string>& targets, bool has_relu);
void AnnotateXnnpackCat(XnnpackPass& pass);
// relu, pooling, view and the like share the observer of an annotated producer.
void PropagateXnnpackAnnotations(const ExportedProgram& program,
                                 Annotations& annotations);
// Numbers that are added or multiplied become buffers. (_convert_scalars_to_attrs)
void ConvertScalarsToAttributes(ExportedProgram& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_XNNPACK_PASS_H_
