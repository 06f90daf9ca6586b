// Everything that prepare decided about a model, for a person and as JSON.
#ifndef QCONFORM_REFERENCE_EXPLAIN_MODEL_EXPLANATION_H_
#define QCONFORM_REFERENCE_EXPLAIN_MODEL_EXPLANATION_H_

#include <string>
#include <vector>

#include "reference/convert/node_reason.h"
#include "reference/explain/observer_table.h"
#include "reference/explain/unused.h"
#include "reference/formats/json_file.h"

namespace qconform {

struct ExplainedNode {
  NodeReason reason;
  std::vector<ObserverUse> observers;
};

struct ModelExplanation {
  std::vector<ExplainedNode> nodes;   // of the float graph, in order
  std::vector<UnusedSetting> unused;  // mapping rules, config rows, custom settings
  ModeDifferences differences;        // where torch does not do what it declares
};

// `float_module` is what PrepareFx got.
ModelExplanation ExplainModel(const GraphModule& float_module, const Prepared& prepared);

struct ExplanationForm {
  bool mapping_rules = true;  // list those without effect
  // List also settings of which nothing in the graph is the like; else count them.
  bool all = false;
};

// A line a node, its observers indented below it, then a line a setting without effect,
// a line a difference between the modes, then how many nodes had which fate.
std::string ToText(const ModelExplanation& explanation, const ExplanationForm& form);
ordered_json ToJson(const ModelExplanation& explanation);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_MODEL_EXPLANATION_H_
