// The register tiles of the linear kernels.
#ifndef QCONFORM_KERNELS_LINEAR_TILE_H_
#define QCONFORM_KERNELS_LINEAR_TILE_H_

#include "kernels/conv/tile.h"

namespace qconform::kernels {

// 5 rows of 4 vectors won for GEMM with 32 registers; 16 hold 6 of 2.
constexpr Tile LinearTile(Path path) {
  if (IsArm(path)) return WideTile(path);
  return Lanes(path) == 16 ? Tile{16, 4, 5} : Tile{Lanes(path), 2, 6};
}

// One row: every weight is used once, so its memory traffic is all that counts.
constexpr Tile LinearRow(Path path) { return {Lanes(path), 4, 1}; }

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LINEAR_TILE_H_
