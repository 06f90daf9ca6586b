// Rows of a tensor worked on in blocks of several, by several threads.
#ifndef QCONFORM_KERNELS_LAYOUT_ROW_BLOCKS_H_
#define QCONFORM_KERNELS_LAYOUT_ROW_BLOCKS_H_

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/tensor_rows.h"

namespace qconform::kernels {

class RowBlocks {
 public:
  // Rows whose sums run side by side: an addition waits four cycles for the one before,
  // and a definition's order leaves no other use for them.
  static constexpr int64_t kGroup = 4;

  // threads: at least 1; fewer are used where there is little to do.
  RowBlocks(TensorRows rows, int threads)
      : rows_(std::move(rows)),
        threads_(rows_.count() * rows_.width() < kSerialCodes ? 1 : threads),
        step_(std::clamp(
            kBlockCodes / std::max<int64_t>(rows_.width(), 1) / kGroup * kGroup, kGroup,
            kMostRows)) {}

  const TensorRows& rows() const { return rows_; }

  // For each thread, the rows of a block as they come and as they go.
  uint64_t WorkspaceBytes() const {
    return static_cast<uint64_t>(threads_) * BytesOfThread();
  }

  // body(first row, count, codes, to): codes and destinations of at most kGroup rows,
  // side by side in each.
  template <typename Body>
  void Run(const uint8_t* x, uint8_t* y, void* workspace, const Body& body) const {
    if (rows_.width() == 0) return;
    const int64_t blocks = (rows_.count() + step_ - 1) / step_;
    RunItems(threads_, threads_, [&](int64_t slice) {
      uint8_t* const room = static_cast<uint8_t*>(workspace) +
                            static_cast<uint64_t>(slice) * BytesOfThread();
      const int64_t end = blocks * (slice + 1) / threads_;
      for (int64_t block = blocks * slice / threads_; block < end; ++block) {
        const int64_t first = block * step_;
        const int64_t count = std::min(step_, rows_.count() - first);
        uint8_t* const results = room + step_ * rows_.width();
        const uint8_t* codes[kMostRows];
        uint8_t* to[kMostRows];
        rows_.Gather(x, first, count, room, codes);
        rows_.Destinations(y, first, count, results, to);
        for (int64_t r = 0; r < count; r += kGroup)
          body(first + r, std::min(kGroup, count - r), codes + r, to + r);
        rows_.Scatter(results, first, count, y);
      }
    });
  }

 private:
  // Rows whose codes are copied together, where they must be: a cache line of them,
  // unless they are long.
  static constexpr int64_t kMostRows = 64;
  static constexpr int64_t kBlockCodes = 1 << 14;

  // Below some twenty microseconds of work a parallel region costs more than it saves.
  static constexpr int64_t kSerialCodes = 1 << 14;

  size_t BytesOfThread() const {
    return AlignUp(static_cast<size_t>(2 * step_ * rows_.width()));
  }

  TensorRows rows_;
  int threads_;
  int64_t step_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_ROW_BLOCKS_H_
