#include "reference/lint/known_names.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(KnownNames, HoldTorchAndTheBuiltInConfigs) {
  for (const char* name :
       {"torch.nn.Linear", "torch.nn.functional.conv2d", "operator.add", "sigmoid",
        "builtins.getattr", "torch.ao.nn.intrinsic.ConvReLU2d", "aten.relu.default"}) {
    EXPECT_TRUE(IsKnownOperation(name)) << name;
  }
  EXPECT_FALSE(IsKnownOperation("torch.nn.Linaer"));
}

TEST(KnownNames, TellTorchFromStrangers) {
  for (const char* name : {"torch.nn.Linaer", "sigmiod", "torch.ad", "operator.ad"}) {
    EXPECT_TRUE(IsTorchName(name)) << name;
  }
  for (const char* name : {"my_npu.Linear", "torch.ops.my_npu.linear", "Swizzle"}) {
    EXPECT_FALSE(IsTorchName(name)) << name;
  }
}

TEST(KnownNames, SuggestTheNearest) {
  EXPECT_EQ(NearestOperationHint("torch.nn.functional.relus"),
            ", nearest known name torch.nn.functional.relu");
  // The right name below another module.
  EXPECT_EQ(NearestOperationHint("torch.ConvTranspose2d"),
            ", nearest known name torch.nn.ConvTranspose2d");
}

}  // namespace
}  // namespace qconform
