// The register tile of products of real values.
#ifndef QCONFORM_KERNELS_MATMUL_TILE_H_
#define QCONFORM_KERNELS_MATMUL_TILE_H_

#include "kernels/conv/tile.h"

namespace qconform::kernels {

// Rows by vectors of columns. A product and a sum are two instructions, never fused, so
// that a product needs a register of its own beside the sums.
constexpr Tile MatmulTile(Path path) {
  if (IsArm(path)) return {4, 4, 4};
  return Lanes(path) == 16 ? Tile{16, 2, 8} : Tile{Lanes(path), 2, 5};
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_MATMUL_TILE_H_
