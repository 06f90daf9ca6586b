// Why each node of a model is quantized, or is not.
#ifndef QCONFORM_REFERENCE_CONVERT_NODE_REASON_H_
#define QCONFORM_REFERENCE_CONVERT_NODE_REASON_H_

#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/node_qconfig.h"

namespace qconform {

enum class NodeFate {
  kFused,      // became part of another node
  kQuantized,  // its inputs or its output are quantized, or its weight is
  kFloat,      // was offered to the backend and stays float, or was never offered; or its
               // weight stays float, so that it computes in float whatever it reads
  kNoValue,    // computes no tensor: placeholders, outputs, sizes, attributes
};

// "fused", "quantized", "float", "no value".
const char* NodeFateName(NodeFate fate);

// One node of the float graph.
struct NodeReason {
  std::string node;
  std::string op;
  // Function, method, or class of the module.
  std::string target;
  NodeFate fate = NodeFate::kNoValue;
  // The node that this one was fused into; empty unless fused.
  std::string fused_into;
  // The pattern of the backend config that matched (when fused: the fusion pattern);
  // empty if none did.
  std::string pattern;
  // nullptr: None. `rule` says which setting of the mapping gave it.
  QConfigPointer qconfig;
  QConfigRule rule;
  // For float nodes the first constraint that refused: "pattern", "qconfig",
  // "input_dtype", "quant_max_upper_bound", ...
  std::string constraint;
  // One line for a person, with both values where a constraint refused.
  std::string text;
  // Something is observed, or a weight quantized, because of this node's qconfig.
  bool took_effect = false;
  // Of a standalone module: the nodes of its own float graph.
  std::vector<NodeReason> inner = {};
};

// The nodes of the float graph in order. (`float_module` is what PrepareFx got.)
std::vector<NodeReason> ExplainNodes(const GraphModule& float_module,
                                     const Prepared& prepared);

// The float graph of a standalone module that the node calls, as prepare traced it.
GraphModule StandaloneGraph(const GraphModule& float_module, const Prepared& prepared,
                            const std::string& target);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_NODE_REASON_H_
