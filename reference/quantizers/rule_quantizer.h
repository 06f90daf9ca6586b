// A quantizer that is data: patterns, and the specs of their edges and outputs.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_RULE_QUANTIZER_H_
#define QCONFORM_REFERENCE_QUANTIZERS_RULE_QUANTIZER_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/quantizers/accounting_quantizer.h"
#include "reference/quantizers/pattern_graph.h"

namespace qconform {

// The spec of one edge between nodes of a pattern, by the pattern's names.
struct RuleEdge {
  std::string from;
  std::string to;
  QuantizationSpecPointer spec;
};

// Places in shared and derived specs are names of the pattern, too.
struct QuantizerRule {
  // "rules[2] conv_relu in 'stem'"
  std::string text;
  NamedPattern pattern;
  // Every call of a match comes from such a module.
  std::optional<std::string> module_name;
  std::optional<std::string> module_type;
  std::vector<RuleEdge> edges;
  OrderedMap<QuantizationSpecPointer> outputs;
  bool allow_implicit_sharing = true;
  // What matches is done and has no spec: later rules leave it alone.
  bool leave_in_float = false;
};

// Rules in their order; what one annotated no later one touches.
class RuleQuantizer : public AccountingQuantizer {
 public:
  // Throws InputError for a rule whose edge or place its pattern has not, and for an edge
  // without consumer from a node that several nodes of the pattern use.
  RuleQuantizer(std::string name, std::vector<QuantizerRule> rules,
                bool scalars_to_tensors = false, Mode mode = Mode::kTorch);

  void TransformForAnnotation(ExportedProgram& program) override;
  void Annotate(const ExportedProgram& program, Annotations& annotations) override;

  std::string Name() const override { return name_; }
  std::vector<std::string> Warnings() const override { return {}; }
  SettingAccounts Accounts() const override { return accounts_; }
  const std::vector<QuantizerRule>& rules() const { return rules_; }

 private:
  std::string name_;
  std::vector<QuantizerRule> rules_;
  bool scalars_to_tensors_;
  SettingAccounts accounts_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_RULE_QUANTIZER_H_
