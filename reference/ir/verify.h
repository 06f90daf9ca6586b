// What must hold of every graph between two stages.
#ifndef QCONFORM_REFERENCE_IR_VERIFY_H_
#define QCONFORM_REFERENCE_IR_VERIFY_H_

#include <optional>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

struct GraphDefect {
  const Node* node = nullptr;  // where it shows; nullptr for the graph as a whole
  std::string what;
  std::string expected;
};

// The first defect in node order: an argument that is no node of this graph, is used
// before it is defined (so every cycle), or is the output node; an empty target; no
// output, several, or one that is not last.
std::optional<GraphDefect> FindGraphDefect(const Graph& graph);

// Also: a call_module without its module, a get_attr without its parameter, buffer,
// attribute or module; a constant scale of a quantize or dequantize node that is not
// finite and positive.
std::optional<GraphDefect> FindDefect(const GraphModule& module);

// Throws InputError(where, ...) on the first defect.
void Verify(const GraphModule& module, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_VERIFY_H_
