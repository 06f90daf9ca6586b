// Writes quantize and dequantize nodes in place of an observer node.
#ifndef QCONFORM_REFERENCE_CONVERT_QUANTIZE_NODES_H_
#define QCONFORM_REFERENCE_CONVERT_QUANTIZE_NODES_H_

#include <string>
#include <unordered_map>

#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/observe/observer.h"

namespace qconform {

// Whether an observer becomes nodes at all; the others are erased.
// (_is_conversion_supported)
bool IsConvertible(const Observer& observer);

// Whether an observer was told to leave one bit of 8 unused.
bool HasReducedRange(const Observer& observer);

// Gives each quantization parameter an attribute name that the root does not have yet.
class ParameterWriter {
 public:
  explicit ParameterWriter(GraphModule& module) : module_(module) {}

  // Registers the value as <prefix with underscores><n> on the root and reads it by a
  // get_attr node before `position`. (create_getattr_from_value)
  Node* Write(Node* position, std::string prefix, Tensor value);

 private:
  GraphModule& module_;
  std::unordered_map<std::string, int> next_index_;
};

// Where the names of an observer's parameters come from.
struct ParameterPrefix {
  std::string path;    // of the module that the observed value belongs to
  std::string suffix;  // "_input" for a value that only its consumer quantizes
};

// torch.quantize_per_tensor and the method dequantize; `engine` as in ConvertOptions.
// torch takes the range of a dynamic quantization from the engine, strict mode from the
// observer. The observer node stays where this form has no operator for its dtype (torch
// leaves plain integers so; strict mode throws instead).
// (_replace_observer_with_quantize_dequantize_node)
void WriteQuantizeNodes(GraphModule& module, Node* observer_node,
                        const Observer& observer, const ParameterPrefix& prefix,
                        const std::string& engine, Mode mode, ParameterWriter& writer);

// The operators of quantized_decomposed. Dequantize gives back `value_dtype`, that of the
// observed value. (_replace_observer_with_quantize_dequantize_node_decomposed)
void WriteDecomposedNodes(GraphModule& module, Node* observer_node,
                          const Observer& observer, const ParameterPrefix& prefix,
                          ParameterWriter& writer, DType value_dtype = DType::kFloat32);

// A dequantize after `node`; all other users read it. (_insert_dequantize_node)
Node* InsertDequantize(Graph& graph, Node* node);

// Every user of the observer node reads `value` instead; the node goes.
void ReplaceObserver(Graph& graph, Node* observer_node, Node* value);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_QUANTIZE_NODES_H_
