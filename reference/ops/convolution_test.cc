#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.conv1d(P([2, 7], 1), P([2, 2, 2], 2), dilation=2)
TEST(Convolution, Conv1dUnbatchedWithDilation) {
  ExpectTensor(CallByName("torch.nn.functional.conv1d",
                          {Pattern({2, 7}, 1), Pattern({2, 2, 2}, 2)}, {{"dilation", 2}}),
               {2, 5},
               {-1.625f, 3.953125f, 2.703125f, -4.28125f, -2.140625f, -1.53125f, 3.71875f,
                2.140625f, -3.71875f, -1.90625f});
}

// torch.nn.functional.conv2d(P([1, 2, 5, 4], 1), P([3, 2, 3, 3], 2), P([3], 3), 2,
// 1)
TEST(Convolution, Conv2dStridePaddingBias) {
  ExpectTensor(CallByName("torch.nn.functional.conv2d",
                          {Pattern({1, 2, 5, 4}, 1), Pattern({3, 2, 3, 3}, 2),
                           Pattern({3}, 3), 2, 1}),
               {1, 3, 3, 2},
               {-3.578125f, 3.46875f, -3.375f, 1.796875f, -2.078125f, 1.390625f, 0.0f,
                2.171875f, 1.421875f, -3.796875f, 0.40625f, -3.734375f, 1.15625f,
                -0.921875f, -0.546875f, 4.90625f, 0.1875f, 0.9375f});
}

// torch.nn.functional.conv2d(P([1, 4, 3, 3], 4), P([4, 2, 2, 2], 5), groups=2)
TEST(Convolution, Conv2dGroups) {
  ExpectTensor(
      CallByName("torch.nn.functional.conv2d",
                 {Pattern({1, 4, 3, 3}, 4), Pattern({4, 2, 2, 2}, 5)}, {{"groups", 2}}),
      {1, 4, 2, 2},
      {-1.828125f, 1.578125f, -1.578125f, -1.03125f, -2.34375f, 1.203125f, -1.8125f,
       -1.265625f, 3.890625f, 0.0625f, 5.703125f, 3.453125f, -5.296875f, -3.328125f,
       4.28125f, -5.734375f});
}

// torch.nn.functional.conv2d(P([2, 3, 3, 2], 4), P([3, 1, 2, 2], 5), groups=3)
TEST(Convolution, Conv2dDepthwise) {
  ExpectTensor(
      CallByName("torch.nn.functional.conv2d",
                 {Pattern({2, 3, 3, 2}, 4), Pattern({3, 1, 2, 2}, 5)}, {{"groups", 3}}),
      {2, 3, 2, 1},
      {-3.046875f, 4.296875f, 4.390625f, -2.390625f, -2.953125f, 5.28125f, 4.671875f,
       -2.765625f, -2.203125f, 4.8125f, 5.140625f, -1.421875f});
}

// torch.nn.functional.conv2d(P([1, 1, 3, 3], 6), P([1, 1, 2, 2], 7),
// padding='same')
TEST(Convolution, Conv2dSamePadsAfter) {
  ExpectTensor(CallByName("torch.nn.functional.conv2d",
                          {Pattern({1, 1, 3, 3}, 6), Pattern({1, 1, 2, 2}, 7)},
                          {{"padding", "same"}}),
               {1, 1, 3, 3},
               {-0.734375f, 0.0f, 2.90625f, -2.921875f, -1.390625f, 1.84375f, 4.6875f,
                -1.65625f, -0.4375f});
}

// torch.nn.functional.conv3d(P([1, 1, 2, 3, 3], 8), P([2, 1, 2, 2, 2], 9))
TEST(Convolution, Conv3d) {
  ExpectTensor(
      CallByName("torch.nn.functional.conv3d",
                 {Pattern({1, 1, 2, 3, 3}, 8), Pattern({2, 1, 2, 2, 2}, 9)}),
      {1, 2, 1, 2, 2},
      {-0.875f, 3.015625f, -0.15625f, -0.59375f, 5.328125f, 1.125f, -1.90625f, 4.4375f});
}

// torch.nn.functional.conv1d(P([1, 300, 2], 3), P([1, 300, 1], 4))
TEST(Convolution, Conv1dOverTheDepthBlock) {
  ExpectTensor(CallByName("torch.nn.functional.conv1d",
                          {Pattern({1, 300, 2}, 3), Pattern({1, 300, 1}, 4)}),
               {1, 1, 2}, {108.078125f, 41.09375f});
}

// torch.nn.functional.conv_transpose1d(P([1, 2, 3], 1), P([2, 1, 3], 2), P([1],
// 3), stride=2, padding=1, output_padding=1)
TEST(TransposedConvolution, Transposed1d) {
  ExpectTensor(CallByName("torch.nn.functional.conv_transpose1d",
                          {Pattern({1, 2, 3}, 1), Pattern({2, 1, 3}, 2), Pattern({1}, 3)},
                          {{"stride", 2}, {"padding", 1}, {"output_padding", 1}}),
               {1, 1, 6},
               {-1.96875f, 2.53125f, -2.515625f, 1.8125f, -2.6875f, -3.015625f});
}

// torch.nn.functional.conv_transpose2d(P([1, 2, 2, 2], 1), P([2, 2, 2, 2], 2),
// groups=2, dilation=2)
TEST(TransposedConvolution, Transposed2dGroups) {
  ExpectTensor(
      CallByName("torch.nn.functional.conv_transpose2d",
                 {Pattern({1, 2, 2, 2}, 1), Pattern({2, 2, 2, 2}, 2)},
                 {{"groups", 2}, {"dilation", 2}}),
      {1, 4, 4, 4},
      {-0.34375f,  0.859375f,  0.40625f,   -1.015625f, 2.0625f,   -2.0625f,   -2.4375f,
       2.4375f,    0.1875f,    -0.46875f,  -0.03125f,  0.078125f, -1.125f,    1.125f,
       0.1875f,    -0.1875f,   -0.25f,     0.625f,     0.40625f,  -1.015625f, 1.5f,
       -1.5f,      -2.4375f,   2.4375f,    0.1875f,    -0.46875f, -0.03125f,  0.078125f,
       -1.125f,    1.125f,     0.1875f,    -0.1875f,   -0.625f,   0.625f,     -1.171875f,
       1.171875f,  1.5f,       -1.5f,      2.8125f,    -2.8125f,  0.46875f,   -0.46875f,
       -0.078125f, 0.078125f,  -1.125f,    1.125f,     0.1875f,   -0.1875f,   -0.625f,
       0.625f,     -1.171875f, 1.171875f,  1.5f,       -1.5f,     2.8125f,    -2.8125f,
       0.703125f,  -0.703125f, -0.078125f, 0.078125f,  -1.6875f,  1.6875f,    0.1875f,
       -0.1875f});
}

// torch.nn.functional.conv_transpose3d(P([1, 1, 1, 2, 2], 1), P([1, 1, 2, 2, 2],
// 2), stride=[1, 2, 1])
TEST(TransposedConvolution, Transposed3d) {
  ExpectTensor(CallByName("torch.nn.functional.conv_transpose3d",
                          {Pattern({1, 1, 1, 2, 2}, 1), Pattern({1, 1, 2, 2, 2}, 2)},
                          {{"stride", List({1, 2, 1})}}),
               {1, 1, 2, 4, 3},
               {-0.34375f, 1.265625f, -1.015625f, 0.1875f, -0.5f,   0.078125f,
                2.0625f,   -4.5f,     2.4375f,    -1.125f, 1.3125f, -0.1875f,
                -0.25f,    1.03125f,  -1.015625f, 0.1875f, -0.5f,   0.078125f,
                1.5f,      -3.9375f,  2.4375f,    -1.125f, 1.3125f, -0.1875f});
}

}  // namespace
}  // namespace qconform
