// How the output channels of one group are cut into blocks, and who computes them.
#ifndef QCONFORM_KERNELS_CONV_COLUMNS_H_
#define QCONFORM_KERNELS_CONV_COLUMNS_H_

#include <cstdint>
#include <vector>

#include "kernels/conv/tile.h"

namespace qconform::kernels {

// Blocks of channels that one kernel computes in a row. Blocks are whole: the last may
// reach past the group's channels, and then goes to a buffer of its own.
struct Section {
  Tile tile;
  bool wide = false;
  int64_t first = 0;  // channel within the group
  int64_t blocks = 0;
  bool direct = false;  // every block lies inside the output tensor's channels
};

struct Columns {
  std::vector<Section> sections;
  int64_t padded = 0;        // channels of all blocks
  int64_t first_staged = 0;  // channels from here on are not direct
};

// `channels` cut into blocks of `wide`, the rest into one of `narrow` if that holds it.
// wide.vectors == 0: only narrow blocks. `direct`: whole blocks may be written to the
// output at once.
Columns CutColumns(int64_t channels, Tile wide, Tile narrow, bool direct);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_COLUMNS_H_
