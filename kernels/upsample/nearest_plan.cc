// Plain C++, since nothing is computed.
#include "kernels/upsample/nearest_plan.h"

#include <algorithm>

#include "kernels/layout/copy_row.h"
#include "kernels/layout/parallel.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 17;

// Fewer channels are moved plane by plane.
constexpr int64_t kFewChannels = 4;

// Rows of an item, at most; the first of each is made anew.
constexpr int64_t kMostRows = 16;

}  // namespace

NearestPlan::NearestPlan(const PlanRequest& request)
    : sizes_(request.descriptor),
      x_(*request.descriptor.inputs[0]),
      y_(*request.descriptor.outputs[0]),
      table_(RescaledCodes(*request.descriptor.inputs[0], *request.descriptor.outputs[0],
                           request.scheme)),
      rescale_(!IsIdentity(table_)),
      lookup_(table_, request.path),
      threads_(request.threads) {
  for (int axis = 0; axis < 3; ++axis) {
    const int present = sizes_.Present(axis);
    sources_[static_cast<size_t>(axis)] =
        present < 0 ? std::vector<int64_t>{0}
                    : NearestSources(sizes_.axes[static_cast<size_t>(present)]);
  }
  pixels_ = x_.channel == 1 && y_.channel == 1 && sizes_.channels >= kFewChannels;
  twice_ = !pixels_ && x_.spatial[2] == 1 && y_.spatial[2] == 1;
  const std::vector<int64_t>& row = sources_[2];
  for (size_t i = 0; i < row.size(); ++i)
    twice_ = twice_ && row[i] == static_cast<int64_t>(i / 2);
  row_block_ = std::min(kMostRows, sizes_.output[1]);
  const auto& out = sizes_.output;
  if (sizes_.batch * sizes_.channels * out[0] * out[1] * out[2] < kSerialCodes)
    threads_ = 1;
}

// One row of the output from one of the input.
void NearestPlan::WriteRow(const uint8_t* from, uint8_t* to) const {
  const std::vector<int64_t>& sources = sources_[2];
  const auto width = static_cast<int64_t>(sources.size());
  if (pixels_) {
    for (const int64_t source : sources) {
      const uint8_t* pixel = from + source * x_.spatial[2];
      if (rescale_) {
        lookup_.Row(pixel, to, sizes_.channels);
      } else {
        CopyRow(pixel, to, sizes_.channels);
      }
      to += y_.spatial[2];
    }
  } else if (rescale_) {
    for (int64_t i = 0; i < width; ++i)
      to[i * y_.spatial[2]] =
          table_[from[sources[static_cast<size_t>(i)] * x_.spatial[2]]];
  } else if (twice_) {
    for (int64_t i = 0; i < width / 2; ++i) to[2 * i] = to[2 * i + 1] = from[i];
    if (width % 2 != 0) to[width - 1] = from[width / 2];
  } else {
    for (int64_t i = 0; i < width; ++i)
      to[i * y_.spatial[2]] = from[sources[static_cast<size_t>(i)] * x_.spatial[2]];
  }
}

// A row of the output once more.
void NearestPlan::CopyRowOf(const uint8_t* from, uint8_t* to) const {
  const int64_t width = sizes_.output[2];
  const int64_t run = pixels_ ? sizes_.channels : 1;
  const int64_t stride = y_.spatial[2];
  if (stride == run) return CopyRow(from, to, width * run);
  for (int64_t i = 0; i < width; ++i) CopyRow(from + i * stride, to + i * stride, run);
}

void NearestPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                      void*) const {
  const auto* const x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  const int64_t planes = pixels_ ? 1 : sizes_.channels;
  const int64_t blocks = (sizes_.output[1] + row_block_ - 1) / row_block_;
  RunItems(
      threads_, sizes_.batch * planes * sizes_.output[0] * blocks, [&](int64_t item) {
        const int64_t first = item % blocks * row_block_;
        item /= blocks;
        const int64_t depth = item % sizes_.output[0];
        item /= sizes_.output[0];
        const int64_t plane = item % planes;
        const int64_t sample = item / planes;
        const uint8_t* from = x + sample * x_.batch + plane * x_.channel +
                              sources_[0][static_cast<size_t>(depth)] * x_.spatial[0];
        uint8_t* to = y + sample * y_.batch + plane * y_.channel + depth * y_.spatial[0];
        const int64_t end = std::min(first + row_block_, sizes_.output[1]);
        for (int64_t h = first; h < end; ++h) {
          const int64_t source = sources_[1][static_cast<size_t>(h)];
          uint8_t* row = to + h * y_.spatial[1];
          if (h > first && source == sources_[1][static_cast<size_t>(h) - 1]) {
            CopyRowOf(row - y_.spatial[1], row);
          } else {
            WriteRow(from + source * x_.spatial[1], row);
          }
        }
      });
}

}  // namespace qconform::kernels
