// Float graphs whose passage through the pipeline is timed.
#ifndef QCONFORM_BENCH_PIPELINE_GRAPHS_H_
#define QCONFORM_BENCH_PIPELINE_GRAPHS_H_

#include <cstdint>

#include "reference/ir/module.h"

namespace qconform::bench {

// kFull: every weight in its true shape. kThin: one element each, so that no pass has
// weights to move and the time is that of the work on the graph.
enum class WeightSize { kThin, kFull };

// torchvision's resnet50 as torch.fx traces it: 175 nodes, 25.6 million weights.
GraphModule ResNet50(WeightSize size);

// About `nodes` nodes: blocks of conv, batch norm, ReLU, conv, batch norm, addition,
// ReLU and max pool, one after the other. Thin weights.
GraphModule ResidualChain(int64_t nodes);

// About `nodes` linear layers that read one value, added up pair by pair.
GraphModule ManyReaders(int64_t nodes);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PIPELINE_GRAPHS_H_
