#include "kernels/conv/columns.h"

namespace qconform::kernels {

Columns CutColumns(int64_t channels, Tile wide, Tile narrow, bool direct) {
  Columns columns;
  const auto add = [&](Tile tile, bool is_wide, int64_t blocks) {
    if (blocks == 0) return;
    const bool fits = columns.padded + blocks * tile.Block() <= channels;
    if (!fits && blocks > 1) {
      columns.sections.push_back({tile, is_wide, columns.padded, blocks - 1, direct});
      columns.padded += (blocks - 1) * tile.Block();
      blocks = 1;
    }
    columns.sections.push_back({tile, is_wide, columns.padded, blocks, direct && fits});
    columns.padded += blocks * tile.Block();
  };
  int64_t rest = channels;
  if (wide.vectors > 0) {
    int64_t blocks = rest / wide.Block();
    if (rest % wide.Block() > narrow.Block()) ++blocks;
    add(wide, true, blocks);
    rest = channels - columns.padded;
  }
  if (rest > 0) add(narrow, false, (rest + narrow.Block() - 1) / narrow.Block());
  columns.first_staged = columns.padded;
  for (const Section& section : columns.sections) {
    if (!section.direct) {
      columns.first_staged = section.first;
      break;
    }
  }
  return columns;
}

}  // namespace qconform::kernels
