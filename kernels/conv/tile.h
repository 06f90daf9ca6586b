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
  return path == Path::kSse41 ? 4 : path == Path::kAvx2 ? 8 : 16;
}

// 16 registers (sse41, avx2): 12 accumulators, the rest for weights, one broadcast
// pair of activations and its product. 32 registers (avx512): 14 accumulators;
// 14 rows of 2 vectors would fit, but were seen to spill and to run at half speed.
constexpr Tile WideTile(Path path) { return {Lanes(path), 2, Lanes(path) == 16 ? 7 : 6}; }

// For the last output channels, and for convolutions that have few of them.
constexpr Tile NarrowTile(Path path) {
  return {Lanes(path), 1, Lanes(path) == 16 ? 12 : 8};
}

// Depthwise: a vector of channels, each with its own activations.
constexpr Tile DepthwiseTile(Path path) {
  return {Lanes(path), 1, Lanes(path) == 16 ? 12 : 8};
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_TILE_H_
