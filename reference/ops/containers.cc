// Modules that run their children in order.
#include "reference/ops/built_in.h"

namespace qconform {

void AddContainers(Registry& registry) {
  registry.AddSequential("torch.nn.Sequential");
  const std::string intrinsic = "torch.ao.nn.intrinsic.";
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    for (const char* type : {"ConvReLU", "ConvBn", "ConvBnReLU"}) {
      registry.AddSequential(intrinsic + type + dimensions);
    }
  }
  for (const char* type : {"BNReLU2d", "BNReLU3d", "LinearReLU", "LinearBn1d",
                           "LinearLeakyReLU", "LinearTanh"}) {
    registry.AddSequential(intrinsic + type);
  }
}

}  // namespace qconform
