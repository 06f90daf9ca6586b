// Per-model exceptions of fusing: torch.ao.quantization.fx.custom_config.
#ifndef QCONFORM_REFERENCE_FUSE_FUSE_CUSTOM_CONFIG_H_
#define QCONFORM_REFERENCE_FUSE_FUSE_CUSTOM_CONFIG_H_

#include <string>
#include <vector>

namespace qconform {

struct FuseCustomConfig {
  // Attributes of the float model that the fused one has as well.
  std::vector<std::string> preserved_attributes;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FUSE_CUSTOM_CONFIG_H_
