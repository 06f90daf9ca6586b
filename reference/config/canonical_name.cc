#include "reference/config/canonical_name.h"

#include <string_view>
#include <unordered_set>

namespace qconform {
namespace {

// Functions that torch.nn.functional re-exports from another module.
const std::unordered_set<std::string_view>& ReExported() {
  static const std::unordered_set<std::string_view> names = {
      "torch.adaptive_avg_pool1d",
      "torch.avg_pool1d",
      "torch._C._nn.avg_pool2d",
      "torch._C._nn.avg_pool3d",
      "torch.conv1d",
      "torch.conv2d",
      "torch.conv3d",
      "torch.conv_transpose1d",
      "torch.conv_transpose2d",
      "torch.conv_transpose3d",
      "torch._C._nn.hardtanh_",
      "torch._C._nn.leaky_relu_",
      "torch._C._nn.linear",
      "torch.pixel_shuffle",
      "torch.pixel_unshuffle",
  };
  return names;
}

}  // namespace

std::string CanonicalName(const std::string& name) {
  if (ReExported().count(name) == 0) return name;
  return "torch.nn.functional." + name.substr(name.rfind('.') + 1);
}

}  // namespace qconform
