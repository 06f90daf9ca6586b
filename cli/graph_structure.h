// Graphs for the verbs that look at their structure.
#ifndef QCONFORM_CLI_GRAPH_STRUCTURE_H_
#define QCONFORM_CLI_GRAPH_STRUCTURE_H_

#include <filesystem>

#include "reference/ir/module.h"

namespace qconform {

struct GraphStructure {
  GraphModule module;
  // The file lacks tensors; zeros of their dtypes and shapes stand there.
  bool without_tensors = false;
};

// Throws InputError as ReadGraphFile does.
GraphStructure ReadGraphStructure(const std::filesystem::path& path);

// Zeros for all parameters and buffers, so that only their dtypes and shapes compare.
void DropTensorValues(GraphModule& module);

}  // namespace qconform

#endif  // QCONFORM_CLI_GRAPH_STRUCTURE_H_
