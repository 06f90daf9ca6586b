// What the made-up backend my_npu adds to the pipeline.
#ifndef MY_NPU_H_
#define MY_NPU_H_

#include "reference/registry/extension.h"

// Adds to `extension`:
//   my_npu.Gate                 y = x * weight, a leaf module with a weight [1]
//   my_npu.ConvAddReLU          what a residual block becomes: relu(conv(x) + shortcut)
//   my_npu.fuse_conv_add_relu, my_npu.conv_of_residual, my_npu.shortcut_of_residual
//   my_npu.ClippedObserver      minimum and maximum, at most `limit` from zero
void AddMyNpu(qconform::Extension& extension);

#endif  // MY_NPU_H_
