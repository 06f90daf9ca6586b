// Graphs, modules and observers as lines of text, as datasets/export/graph_lines.py
// writes torch's into datasets/vision/*/torch.txt:
//   NODE = OP TARGET(ARGUMENT, ..., KEY=ARGUMENT)
//   PATH: CLASS MODE NAME=VALUE ... NAME=TENSOR ...   children on lines of their own
//   OBSERVER: CLASS NAME=VALUE ... NAME=TENSOR ...    what was observed comes last
// Names stand in alphabetical order, values as in JSON, nodes and dtypes bare. A TENSOR
// is DTYPE[SHAPE]=VALUE of one element, else DTYPE[SHAPE]#DIGEST, the first twelve
// digits of its bytes' SHA-256.
#ifndef QCONFORM_CLI_VISION_GRAPH_LINES_H_
#define QCONFORM_CLI_VISION_GRAPH_LINES_H_

#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/observe/observer.h"
#include "reference/observe/prepare.h"

namespace qconform::vision {

using Lines = std::vector<std::string>;

std::string ArgumentText(const Argument& argument);
std::string RealText(double value);
std::string TensorText(const Tensor& tensor);

Lines GraphLines(const Graph& graph);

// A decomposed graph, whose quantize and dequantize nodes name their scale and zero
// point q0, q1, ...; a dequantize node names those of its input if they are equal.
struct DecomposedLines {
  Lines graph;
  Lines qparams;  // "q0 = SCALE, ZERO_POINT"
};
DecomposedLines LinesOfDecomposed(const Graph& graph);

// The modules that the graph calls, in order of their first call; observers apart.
// Reference modules add the integers of their weight as "codes" and leave out
// is_decomposed.
Lines ModuleLines(const GraphModule& module);

// The modules that a graph of the native engines calls: "PATH: CLASS NAME=VALUE ...",
// scale and zero_point of the output, and of the weight its codes, scales and
// zero_points, and the bias.
Lines LoweredModuleLines(const GraphModule& module);

// The tensors that get_attr nodes name: "NAME = TENSOR".
Lines AttributeLines(const GraphModule& module);

std::string ObserverText(const Observer& observer);

struct ObserverLines {
  Lines nodes;  // "NODE: OBSERVER of NODE to USER ...", observers numbered by first use
  Lines observers;  // as above
};
ObserverLines LinesOfObservers(const GraphModule& module);

// For each node of the fused graph "NODE: QCONFIG", equal qconfigs with equal numbers,
// and what matched it.
Lines MatchLines(const Prepared& prepared);

}  // namespace qconform::vision

#endif  // QCONFORM_CLI_VISION_GRAPH_LINES_H_
