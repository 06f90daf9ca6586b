// Replaces chains such as conv, batch norm, ReLU by one fused module.
#ifndef QCONFORM_REFERENCE_FUSE_FUSE_H_
#define QCONFORM_REFERENCE_FUSE_FUSE_H_

#include <memory>
#include <string>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/match/node_getter.h"

namespace qconform {

// The record of one matched node. Node names, because the nodes are replaced.
struct FusionMatch {
  std::string last;
  const BackendConfig::Entry* entry = nullptr;
  // Nested as the pattern; nodes stand as strings, their names.
  Argument nodes;
};

struct FuseResult {
  GraphModule module;
  // By node name, in the order in which torch records them.
  OrderedMap<FusionMatch> matches;
};

// torch.ao.quantization.fx.fuse.fuse. The input's modules are not changed.
// Strict mode leaves a pattern unfused when a module of one of its nodes but the
// last is called more than once; torch mode lets the last fold overwrite all
// calls, as torch does. Throws PipelineError as torch does.
FuseResult FuseWithMatches(const GraphModule& module, bool is_qat,
                           const BackendConfig& config, Mode mode = Mode::kTorch);

GraphModule Fuse(const GraphModule& module, bool is_qat, const BackendConfig& config,
                 Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSE_H_
