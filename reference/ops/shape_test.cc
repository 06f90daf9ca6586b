#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// permute(P([2, 3, 2], 1), 2, 0, 1)
TEST(Shape, Permute) {
  ExpectTensor(CallByName("permute", {Pattern({2, 3, 2}, 1), 2, 0, 1}), {2, 2, 3},
               {-0.25f, 1.5f, -0.625f, 1.5f, -0.625f, 1.5f, 0.625f, -1.5f, 0.625f, -1.5f,
                0.25f, -1.5f});
}

// torch.transpose(P([2, 3], 1), 0, -1)
TEST(Shape, Transpose) {
  ExpectTensor(CallByName("torch.transpose", {Pattern({2, 3}, 1), 0, -1}), {3, 2},
               {-0.25f, -1.5f, 0.625f, -0.625f, 1.5f, 0.625f});
}

// torch.flatten(P([1, 2, 2, 1], 1), 1, 2)
TEST(Shape, FlattenMiddle) {
  ExpectTensor(CallByName("torch.flatten", {Pattern({1, 2, 2, 1}, 1), 1, 2}), {1, 4, 1},
               {-0.25f, 0.625f, 1.5f, -1.5f});
}

// reshape(P([2, 3], 1), 3, -1)
TEST(Shape, ReshapeInfers) {
  ExpectTensor(CallByName("reshape", {Pattern({2, 3}, 1), 3, -1}), {3, 2},
               {-0.25f, 0.625f, 1.5f, -1.5f, -0.625f, 0.625f});
}

// torch.squeeze(P([1, 2, 1], 1), 0)
TEST(Shape, SqueezeOne) {
  ExpectTensor(CallByName("torch.squeeze", {Pattern({1, 2, 1}, 1), 0}), {2, 1},
               {-0.25f, 0.625f});
}

// torch.unsqueeze(P([2], 1), -1)
TEST(Shape, UnsqueezeLast) {
  ExpectTensor(CallByName("torch.unsqueeze", {Pattern({2}, 1), -1}), {2, 1},
               {-0.25f, 0.625f});
}

// expand(P([2, 1], 1), 2, -1, 3)
TEST(Shape, Expand) {
  ExpectTensor(CallByName("expand", {Pattern({2, 1}, 1), 2, -1, 3}), {2, 2, 3},
               {-0.25f, -0.25f, -0.25f, 0.625f, 0.625f, 0.625f, -0.25f, -0.25f, -0.25f,
                0.625f, 0.625f, 0.625f});
}

// torch.cat([P([2, 1], 1), P([2, 2], 2)], 1)
TEST(Shape, CatSecondAxis) {
  ExpectTensor(
      CallByName("torch.cat", {Value::List({Pattern({2, 1}, 1), Pattern({2, 2}, 2)}), 1}),
      {2, 3}, {-0.25f, 1.375f, -1.625f, 0.625f, -0.75f, 0.125f});
}

// torch.stack([P([2], 1), P([2], 2)], -1)
TEST(Shape, StackNewLastAxis) {
  ExpectTensor(
      CallByName("torch.stack", {Value::List({Pattern({2}, 1), Pattern({2}, 2)}), -1}),
      {2, 2}, {-0.25f, 1.375f, 0.625f, -1.625f});
}

// torch.chunk(P([5], 1), 2)
TEST(Shape, ChunkLastIsShort) {
  ExpectTensor(
      CallByName("torch.chunk", {Pattern({5}, 1), 2}).As<ValueSequence>()->items[1], {2},
      {-1.5f, -0.625f});
}

// split(P([1, 5], 1), [1, 4], 1)
TEST(Shape, SplitSizes) {
  ExpectTensor(CallByName("split", {Pattern({1, 5}, 1), List({1, 4}), 1})
                   .As<ValueSequence>()
                   ->items[1],
               {1, 4}, {0.625f, 1.5f, -1.5f, -0.625f});
}

// torch.repeat_interleave(P([2, 2], 1), 2, 1)
TEST(Shape, RepeatInterleave) {
  ExpectTensor(CallByName("torch.repeat_interleave", {Pattern({2, 2}, 1), 2, 1}), {2, 4},
               {-0.25f, -0.25f, 0.625f, 0.625f, 1.5f, 1.5f, -1.5f, -1.5f});
}

// repeat(P([2], 1), 2, 2)
TEST(Shape, Repeat) {
  ExpectTensor(CallByName("repeat", {Pattern({2}, 1), 2, 2}), {2, 4},
               {-0.25f, 0.625f, -0.25f, 0.625f, -0.25f, 0.625f, -0.25f, 0.625f});
}

// torch.nn.functional.pad(P([2, 2], 1), [1, 0, 0, 1], value=0.5)
TEST(Shape, PadConstant) {
  ExpectTensor(CallByName("torch.nn.functional.pad",
                          {Pattern({2, 2}, 1), List({1, 0, 0, 1})}, {{"value", 0.5}}),
               {3, 3}, {0.5f, -0.25f, 0.625f, 0.5f, 1.5f, -1.5f, 0.5f, 0.5f, 0.5f});
}

// torch.nn.functional.pad(P([1, 2, 4], 1), [2, 3], mode='reflect')
TEST(Shape, PadReflect) {
  ExpectTensor(CallByName("torch.nn.functional.pad",
                          {Pattern({1, 2, 4}, 1), List({2, 3})}, {{"mode", "reflect"}}),
               {1, 2, 9},
               {1.5f, 0.625f, -0.25f, 0.625f, 1.5f, -1.5f, 1.5f, 0.625f, -0.25f, 1.5f,
                0.625f, -0.625f, 0.625f, 1.5f, -1.5f, 1.5f, 0.625f, -0.625f});
}

// torch.nn.functional.pad(P([1, 1, 4], 1), [-1, 2], mode='replicate')
TEST(Shape, PadReplicateCrops) {
  ExpectTensor(
      CallByName("torch.nn.functional.pad", {Pattern({1, 1, 4}, 1), List({-1, 2})},
                 {{"mode", "replicate"}}),
      {1, 1, 5}, {0.625f, 1.5f, -1.5f, -1.5f, -1.5f});
}

// torch.nn.functional.pad(P([1, 1, 4], 1), [2, 1], mode='circular')
TEST(Shape, PadCircular) {
  ExpectTensor(CallByName("torch.nn.functional.pad",
                          {Pattern({1, 1, 4}, 1), List({2, 1})}, {{"mode", "circular"}}),
               {1, 1, 7}, {1.5f, -1.5f, -0.25f, 0.625f, 1.5f, -1.5f, -0.25f});
}

}  // namespace
}  // namespace qconform
