#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.interpolate(P([1, 1, 3, 4], 1), scale_factor=2)
TEST(Interpolate, NearestByFactor) {
  ExpectTensor(CallByName("torch.nn.functional.interpolate", {Pattern({1, 1, 3, 4}, 1)},
                          {{"scale_factor", 2}}),
               {1, 1, 6, 8},
               {-0.25f,  -0.25f,  0.625f, 0.625f, 1.5f, 1.5f, -1.5f, -1.5f,
                -0.25f,  -0.25f,  0.625f, 0.625f, 1.5f, 1.5f, -1.5f, -1.5f,
                -0.625f, -0.625f, 0.625f, 0.625f, 1.5f, 1.5f, -1.5f, -1.5f,
                -0.625f, -0.625f, 0.625f, 0.625f, 1.5f, 1.5f, -1.5f, -1.5f,
                -0.625f, -0.625f, 0.25f,  0.25f,  1.5f, 1.5f, -1.5f, -1.5f,
                -0.625f, -0.625f, 0.25f,  0.25f,  1.5f, 1.5f, -1.5f, -1.5f});
}

// torch.nn.functional.interpolate(P([1, 1, 3, 4], 1), [2, 5], mode='nearest')
TEST(Interpolate, NearestToSize) {
  ExpectTensor(
      CallByName("torch.nn.functional.interpolate",
                 {Pattern({1, 1, 3, 4}, 1), List({2, 5})}, {{"mode", "nearest"}}),
      {1, 1, 2, 5},
      {-0.25f, -0.25f, 0.625f, 1.5f, -1.5f, -0.625f, -0.625f, 0.625f, 1.5f, -1.5f});
}

// torch.nn.functional.interpolate(P([1, 1, 3, 4], 1), [2, 5], mode='nearest-
// exact')
TEST(Interpolate, NearestExact) {
  ExpectTensor(
      CallByName("torch.nn.functional.interpolate",
                 {Pattern({1, 1, 3, 4}, 1), List({2, 5})}, {{"mode", "nearest-exact"}}),
      {1, 1, 2, 5},
      {-0.25f, 0.625f, 1.5f, 1.5f, -1.5f, -0.625f, 0.25f, 1.5f, 1.5f, -1.5f});
}

// torch.nn.functional.interpolate(P([1, 1, 3, 4], 1), scale_factor=2.0,
// mode='bilinear')
TEST(Interpolate, BilinearByTwo) {
  ExpectTensor(
      CallByName("torch.nn.functional.interpolate", {Pattern({1, 1, 3, 4}, 1)},
                 {{"scale_factor", 2.0}, {"mode", "bilinear"}}),
      {1, 1, 6, 8},
      {-0.25f,    -0.03125f,   0.40625f,   0.84375f,   1.28125f,   0.75f, -0.75f, -1.5f,
       -0.34375f, -0.1015625f, 0.3828125f, 0.84375f,   1.28125f,   0.75f, -0.75f, -1.5f,
       -0.53125f, -0.2421875f, 0.3359375f, 0.84375f,   1.28125f,   0.75f, -0.75f, -1.5f,
       -0.625f,   -0.3359375f, 0.2421875f, 0.7734375f, 1.2578125f, 0.75f, -0.75f, -1.5f,
       -0.625f,   -0.3828125f, 0.1015625f, 0.6328125f, 1.2109375f, 0.75f, -0.75f, -1.5f,
       -0.625f,   -0.40625f,   0.03125f,   0.5625f,    1.1875f,    0.75f, -0.75f, -1.5f});
}

// torch.nn.functional.interpolate(P([1, 1, 3, 4], 1), [5, 7], mode='bilinear',
// align_corners=True)
TEST(Interpolate, BilinearAlignedCorners) {
  ExpectTensor(CallByName("torch.nn.functional.interpolate",
                          {Pattern({1, 1, 3, 4}, 1), List({5, 7})},
                          {{"mode", "bilinear"}, {"align_corners", true}}),
               {1, 1, 5, 7}, {-0.25f,   0.1875f,   0.625f,  1.0625f,  1.5f, 0.0f, -1.5f,
                              -0.4375f, 0.09375f,  0.625f,  1.0625f,  1.5f, 0.0f, -1.5f,
                              -0.625f,  0.0f,      0.625f,  1.0625f,  1.5f, 0.0f, -1.5f,
                              -0.625f,  -0.09375f, 0.4375f, 0.96875f, 1.5f, 0.0f, -1.5f,
                              -0.625f,  -0.1875f,  0.25f,   0.875f,   1.5f, 0.0f, -1.5f});
}

// torch.nn.functional.interpolate(P([1, 2, 3], 1), 6, mode='linear')
TEST(Interpolate, Linear) {
  ExpectTensor(CallByName("torch.nn.functional.interpolate", {Pattern({1, 2, 3}, 1), 6},
                          {{"mode", "linear"}}),
               {1, 2, 6},
               {-0.25f, -0.03125f, 0.40625f, 0.84375f, 1.28125f, 1.5f, -1.5f, -1.28125f,
                -0.84375f, -0.3125f, 0.3125f, 0.625f});
}

// torch.nn.functional.interpolate(P([1, 1, 4], 1), 7, mode='linear'): fused multiply-adds
TEST(Interpolate, LinearRoundsAsTorch) {
  ExpectTensor(CallByName("torch.nn.functional.interpolate", {Pattern({1, 1, 4}, 1), 7},
                          {{"mode", "linear"}}),
               {1, 1, 7},
               {-0.25f, 0.0625000447f, 0.56250006f, 1.06250012f, 1.28571367f,
                -0.428571939f, -1.5f});
}

// torch.nn.functional.interpolate(P([1, 1, 4], 1), scale_factor=1.2, mode='linear')
TEST(Interpolate, LinearCopiesAnAxisThatKeepsItsSize) {
  ExpectTensor(CallByName("torch.nn.functional.interpolate", {Pattern({1, 1, 4}, 1)},
                          {{"scale_factor", 1.2}, {"mode", "linear"}}),
               {1, 1, 4}, {-0.25f, 0.625f, 1.5f, -1.5f});
}

// torch.nn.functional.pixel_shuffle(P([1, 4, 1, 2], 1), 2)
TEST(Interpolate, PixelShuffle) {
  ExpectTensor(
      CallByName("torch.nn.functional.pixel_shuffle", {Pattern({1, 4, 1, 2}, 1), 2}),
      {1, 1, 2, 4}, {-0.25f, 1.5f, 0.625f, -1.5f, -0.625f, 1.5f, 0.625f, -1.5f});
}

// torch.nn.functional.pixel_unshuffle(P([1, 1, 2, 4], 1), 2)
TEST(Interpolate, PixelUnshuffle) {
  ExpectTensor(
      CallByName("torch.nn.functional.pixel_unshuffle", {Pattern({1, 1, 2, 4}, 1), 2}),
      {1, 4, 1, 2}, {-0.25f, 1.5f, 0.625f, -1.5f, -0.625f, 1.5f, 0.625f, -1.5f});
}

}  // namespace
}  // namespace qconform
