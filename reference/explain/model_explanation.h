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
  // The standalone module in which the node is: "block."; empty for the model's own
  // nodes. In `reason` and `observers`, and so on, names are as the module's own graph
  // has them.
  std::string path;
};

// Observers that are one object.
using SharingGroup = std::vector<std::string>;

struct ModelExplanation {
  // Of the float graph, in order; behind a standalone module its nodes.
  std::vector<ExplainedNode> nodes;
  std::vector<SharingGroup> shared;   // with their path, of more than one name each
  std::vector<UnusedSetting> unused;  // mapping rules, config rows, custom settings
  ModeDifferences differences;        // where torch does not do what it declares
};

// `float_module` is what PrepareFx got, `convert` what ConvertToReference would.
ModelExplanation ExplainModel(const GraphModule& float_module, const Prepared& prepared,
                              const ConvertCustomConfig& convert = {});

struct ExplanationForm {
  bool mapping_rules = true;  // list those of the model's mapping without effect
  // List also settings of which nothing in the graph is the like; else count them.
  bool all = false;
};

// A line a node, its observers indented below it, then a line a setting without effect,
// a line a difference between the modes, then how many nodes had which fate.
std::string ToText(const ModelExplanation& explanation, const ExplanationForm& form);
ordered_json ToJson(const ModelExplanation& explanation);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_MODEL_EXPLANATION_H_
