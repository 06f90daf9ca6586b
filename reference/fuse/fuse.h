// Replaces chains such as conv, batch norm, ReLU by one fused module.
#ifndef QCONFORM_REFERENCE_FUSE_FUSE_H_
#define QCONFORM_REFERENCE_FUSE_FUSE_H_

#include <string>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/config/mode_difference.h"
#include "reference/fuse/fuse_custom_config.h"
#include "reference/ir/module.h"

namespace qconform {

// The record of one matched node. Names, because the nodes are replaced.
struct FusionMatch {
  std::string last;
  // Points into the config that was given.
  const BackendConfig::Entry* entry = nullptr;
  // The innermost tuple of the pattern in which the node stands: a list of names
  // (strings) and tuples of names.
  Argument nodes;
};

struct FuseResult {
  GraphModule module;
  // By node name, in the order in which torch records them.
  OrderedMap<FusionMatch> matches;
  // Strict mode only: last node of a pattern that was left unfused because its fuser
  // method does not support it -> why.
  OrderedMap<std::string> refused;
  ModeDifferences differences;
};

// torch.ao.quantization.fx.fuse.fuse. The input is not changed. Where a module is
// called more than once, torch mode lets the last fold overwrite all calls, as torch
// does, and strict mode leaves the pattern unfused. Throws PipelineError as torch does;
// strict mode leaves unfused what torch calls not implemented.
FuseResult FuseWithMatches(const GraphModule& module, bool is_qat,
                           const BackendConfig& config, Mode mode = Mode::kTorch);

// Only the graph. (torch.ao.quantization.quantize_fx.fuse_fx)
GraphModule Fuse(const GraphModule& module, bool is_qat, const BackendConfig& config,
                 Mode mode = Mode::kTorch, const FuseCustomConfig& custom_config = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSE_H_
