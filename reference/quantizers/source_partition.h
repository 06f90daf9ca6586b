// The nodes that one call of a module or function became.
// (torch.fx.passes.utils.source_matcher_utils)
#ifndef QCONFORM_REFERENCE_QUANTIZERS_SOURCE_PARTITION_H_
#define QCONFORM_REFERENCE_QUANTIZERS_SOURCE_PARTITION_H_

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/exported/exported_program.h"

namespace qconform {

// All lists in graph order.
struct SourcePartition {
  std::vector<const Node*> nodes;
  // What was called: "torch.nn.modules.conv.Conv2d", "torch.nn.functional.relu", or what
  // torch_fn says after its dot: "add".
  std::string source;
  // Producers outside; get_attr nodes are none.
  std::vector<const Node*> inputs;
  // Nodes that somebody outside uses.
  std::vector<const Node*> outputs;
  // get_attr nodes inside.
  std::vector<const Node*> parameters;
};

// How the nodes of a source are told.
enum class PartitionBy {
  // By source_fn_stack; without one by torch_fn, else by the innermost module: what
  // get_source_partitions does. Functions are seen in strict exports only, and calls of
  // one module are one partition in others.
  kOrigin,
  // By the operator alone: each call its own partition, whatever the export.
  kOperator,
};

// Which node came from where, of one program that stays as it is.
class SourceIndex {
 public:
  using NodeFilter = std::function<bool(const Node&)>;

  explicit SourceIndex(const ExportedProgram& program,
                       PartitionBy by = PartitionBy::kOrigin);

  // The partitions of any of the sources: classes by their public name
  // ("torch.nn.Conv2d"), functions ("torch.nn.functional.conv2d", "operator.add") and the
  // bare names that torch_fn holds ("add"). As get_source_partitions orders them once its
  // lists are chained: sources by their first node, then partitions by theirs. With a
  // filter only partitions all of whose nodes pass.
  std::vector<SourcePartition> Find(const std::vector<std::string>& sources,
                                    const NodeFilter& filter = nullptr) const;

  // Chains of partitions, each using a node of the one before; a source stands for its
  // equivalents, too. In the order of the product of their lists.
  // (torchao.quantization.pt2e.graph_utils.find_sequential_partitions)
  std::vector<std::vector<SourcePartition>> FindSequential(
      const std::vector<std::string>& sources) const;

  // Position of the node in the graph.
  size_t PositionOf(const Node& node) const { return positions_.at(&node); }
  const ExportedProgram& program() const { return program_; }

 private:
  struct Entry {
    size_t position;
    std::string source;
    std::string call;
  };
  using Lookup = std::unordered_map<std::string, std::vector<size_t>>;

  std::vector<Entry> FindByOrigin(const std::vector<std::string>& sources) const;
  std::vector<Entry> FindByOperator(const std::vector<std::string>& sources) const;
  SourcePartition MakePartition(std::vector<const Node*> nodes, std::string source) const;

  const ExportedProgram& program_;
  PartitionBy by_;
  std::vector<const Node*> nodes_;
  std::unordered_map<const Node*, size_t> positions_;
  // Positions of nodes by what they may be asked for.
  Lookup by_source_function_;
  Lookup by_torch_function_;
  Lookup by_innermost_module_;
  Lookup by_target_;
};

// torchao's _EQUIVALENT_TYPES: the source itself, then what counts as the same.
std::vector<std::string> EquivalentSources(const std::string& source);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_SOURCE_PARTITION_H_
