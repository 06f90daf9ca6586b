// One setting of an InductorQuantizer at work on one program.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_PASS_H_
#define QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_PASS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/pt2e/quantization_annotation.h"
#include "reference/pt2e/quantization_config.h"
#include "reference/quantizers/inductor_operators.h"
#include "reference/quantizers/setting_account.h"
#include "reference/quantizers/source_partition.h"

namespace qconform {

using ConstNodes = std::vector<const Node*>;
// Whether a setting is about the nodes of a pattern. May throw as torchao's filters do.
using PatternFilter = std::function<bool(const ConstNodes&)>;

struct InductorPass {
  const ExportedProgram& program;
  const SourceIndex& index;
  const InductorOperators& operators;
  Mode mode;
  Annotations& annotations;
  SettingLedger& ledger;
  std::vector<std::string>& warnings;
  // nullptr marks what it reaches as float.
  QuantizationConfigPointer config;
  PatternFilter filter;

  // Not for this setting: a node is annotated already, or the filter says no.
  bool Skip(const ConstNodes& nodes);
  bool IsAnnotated(const Node& node) const { return annotations.IsAnnotated(node); }

  // Each replaces what stood at the node. `recipe` names the pattern for a person.
  void LeaveInFloat(const ConstNodes& nodes, const std::string& recipe);
  void Annotate(const Node& node, QuantizationAnnotation annotation,
                const std::string& recipe);
  // Nodes without an annotation get an empty one; all count as done.
  void MarkAnnotated(const ConstNodes& nodes);

  // Input, weight and bias of a conv or linear; float without a config.
  void AnnotateWeighted(const Node& node, bool is_output, const std::string& recipe);
  // The last node of a pattern that ran in int8, with an output spec or without.
  void AnnotateLast(const Node& node, const std::string& recipe,
                    QuantizationSpecPointer output = nullptr);

  // By whoever annotated the producer before: it is the end of a quantized pattern.
  bool IsOutputOfQuantizedPattern(const Node& node) const;
};

// Where in a binary operator the weighted one stands, and what the other input is.
// Nothing if it stands nowhere: torch mode throws what torchao does then, as for an other
// input that is no node.
struct BinaryInputs {
  size_t weighted;
  const Node* other;
};
std::optional<BinaryInputs> FindBinaryInputs(const InductorPass& pass,
                                             const Node& weighted, const Node& binary);

// The one output of each partition of a chain. torch mode throws if one has more or none;
// strict mode has partitions of one node.
ConstNodes OutputsOf(const std::vector<SourcePartition>& chain);

// The recipes in the order in which torchao tries them.
void AnnotateQatConvs(InductorPass& pass, InductorTarget target);
void AnnotateConvs(InductorPass& pass, InductorTarget target);
void AnnotateLinears(InductorPass& pass, InductorTarget target);
void AnnotateMatmuls(InductorPass& pass);
void AnnotateMultiplications(InductorPass& pass);
void AnnotatePropagated(InductorPass& pass);
// After all settings: what takes int8 and gives int8 shares its input's observer.
void AnnotatePropagatedOutputs(const InductorOperators& operators, Mode mode,
                               const ExportedProgram& program, Annotations& annotations);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_INDUCTOR_PASS_H_
