// The register tiles of the convolution kernels, known to the generators and to the
// code that packs weights for them.
#ifndef QCONFORM_KERNELS_CONV_TILE_H_
#define QCONFORM_KERNELS_CONV_TILE_H_

#include "kernels/target/path.h"

namespace qconform::kernels {

// A tile of `rows` output pixels by `vectors` times `lanes` output channels stays
// in accumulator registers while all of the reduction passes by.
struct Tile {
  int lanes;
  int vectors;
  int rows;

  constexpr int Block() const { return lanes * vectors; }
};

constexpr int Lanes(Path path) {
  return path == Path::kSse41 || IsArm(path) ? 4 : path == Path::kAvx2 ? 8 : 16;
}

// Products that one instruction adds up where bytes are multiplied.
constexpr int ByteGroup(Path path) { return path == Path::kNeon ? 2 : 4; }

// 16 registers (sse41, avx2): 12 accumulators, the rest for weights, one broadcast
// pair of activations and its product. 32 registers (avx512): 14 accumulators;
// 14 rows of 2 vectors would fit, but were seen to spill and to run at half speed.
// Arm has 32 registers of four lanes: 20 accumulators beside 5 registers of activations
// with sdot (6 x 4 spills); products of their own take registers without it.
constexpr Tile WideTile(Path path) {
  if (IsArm(path)) return {4, 4, path == Path::kDotProd ? 5 : 4};
  return {Lanes(path), 2, Lanes(path) == 16 ? 7 : 6};
}

// For the last output channels, and for convolutions that have few of them.
constexpr Tile NarrowTile(Path path) {
  return {Lanes(path), 1, Lanes(path) == 16 ? 12 : 8};
}

// What a kernel whose sums begin in 16 bits (short_sums.h) makes of a tile: it holds the
// weights of two instructions, ones, and a sum. 5 or 6 rows of 2 vectors spill.
constexpr Tile ShortSumTile(Tile tile) {
  return {tile.lanes, tile.vectors, tile.lanes < 16 && tile.vectors > 1 ? 4 : tile.rows};
}

// Depthwise: a vector of channels, each with its own activations.
constexpr Tile DepthwiseTile(Path path) {
  return {Lanes(path), 1, Lanes(path) == 16 ? 12 : 8};
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_TILE_H_
