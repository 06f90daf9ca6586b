// Patterns to look for in exported programs: graphs whose nodes have names.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_PATTERN_GRAPH_H_
#define QCONFORM_REFERENCE_QUANTIZERS_PATTERN_GRAPH_H_

#include <memory>
#include <string>
#include <vector>

#include "reference/exported/exported_program.h"
#include "reference/ir/graph.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

// One shape of a pattern: placeholders are what comes from outside, the output node holds
// what may be used outside.
struct PatternGraph {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  // "conv" -> the node. A name may stand for a placeholder or for the output.
  OrderedMap<const Node*> names;
};

// All shapes of one pattern: dimensions, in place or not, with and without training.
struct NamedPattern {
  std::string name;
  std::vector<PatternGraph> graphs;
};

// A chain of operators written down: each node reads placeholders and nodes before it.
//   ChainBuilder().Call("conv", "aten.conv2d.default", {"input", "weight", "bias"})
//                 .Call("output", "aten.relu.default", {"conv"}).Finish()
// Names that no call has are placeholders, in order of first use. Arguments beyond those
// that are nodes are left out; the matcher takes them from the operator's signature.
class PatternBuilder {
 public:
  PatternBuilder& Call(const std::string& name, const std::string& target,
                       const std::vector<std::string>& inputs);
  // An operator over a list of inputs, cat; `rest` stands behind the list.
  PatternBuilder& CallWithList(const std::string& name, const std::string& target,
                               const std::vector<std::string>& inputs,
                               const std::vector<std::string>& rest = {});
  // A second name for a node.
  PatternBuilder& Name(const std::string& name, const std::string& of);
  // The last call is what the pattern returns.
  PatternGraph Finish();
  // The pattern returns these.
  PatternGraph Finish(const std::vector<std::string>& returned);

 private:
  Node* Get(const std::string& name);
  PatternGraph pattern_;
  std::vector<Node*> placeholders_;
  std::string last_;
};

// An exported program as pattern: parameters, buffers and inputs are placeholders, guards
// are left out, and each node is known by `names`, or by its own name without. What its
// outputs hold is returned. Throws InputError if a name stands for no node.
PatternGraph PatternOfProgram(const ExportedProgram& program,
                              const OrderedMap<std::string>& names = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_PATTERN_GRAPH_H_
