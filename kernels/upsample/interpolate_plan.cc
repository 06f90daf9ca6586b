#include "kernels/upsample/interpolate_plan.h"

#include <algorithm>

#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/copy_row.h"
#include "kernels/layout/parallel.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 14;

// Channels of an item, so that its rows stay in the cache; fewer than the second are
// computed plane by plane.
constexpr int64_t kMostLanes = 64;
constexpr int64_t kFewChannels = 8;

// Rows of an item, at most: the rows of the input are interpolated anew for each item.
constexpr int64_t kMostRows = 16;

std::vector<LinearSource> SourcesOf(const UpsampleSizes& sizes, int axis,
                                    bool align_corners) {
  const int present = sizes.Present(axis);
  if (present < 0) return {{0, 0, 1.0f, 0.0f}};
  return LinearSources(sizes.axes[static_cast<size_t>(present)], align_corners);
}

}  // namespace

InterpolatePlan::InterpolatePlan(const PlanRequest& request)
    : sizes_(request.descriptor),
      x_(*request.descriptor.inputs[0]),
      y_(*request.descriptor.outputs[0]),
      input_(*request.descriptor.inputs[0]),
      output_(*request.descriptor.outputs[0]),
      rows_(InterpolatedRowsOf(request.path)),
      pixels_(SourcesOf(sizes_, 2, request.descriptor.attributes->align_corners != 0)),
      input_width_(sizes_.axes.back().size),
      axes_(static_cast<int>(sizes_.axes.size())),
      small_(IsSmallPlane(sizes_.axes)),
      threads_(request.threads) {
  for (int axis = 0; axis < 3; ++axis)
    sources_[static_cast<size_t>(axis)] =
        SourcesOf(sizes_, axis, request.descriptor.attributes->align_corners != 0);
  const bool side_by_side = x_.channel == 1 && sizes_.channels >= kFewChannels;
  lanes_ = side_by_side ? std::min(sizes_.channels, kMostLanes) : 1;
  row_block_ = std::min(kMostRows, sizes_.output[1]);
  const int64_t groups = (sizes_.channels + lanes_ - 1) / lanes_;
  const int64_t blocks = (sizes_.output[1] + row_block_ - 1) / row_block_;
  items_ = sizes_.batch * groups * sizes_.output[0] * blocks;
  const auto& out = sizes_.output;
  if (sizes_.batch * sizes_.channels * out[0] * out[1] * out[2] < kSerialCodes)
    threads_ = 1;
}

// Input rows as values, ready to be combined with others: already interpolated along
// their pixels unless the plane is small. The last few are kept.
class InterpolatePlan::Rows {
 public:
  static constexpr int kSlots = 4;  // what one row of a volume needs

  Rows(const InterpolatePlan& plan, const Item& item, const uint8_t* x, float* scratch)
      : plan_(plan),
        item_(item),
        x_(x + item.sample * plan.x_.batch + item.channel * plan.x_.channel),
        scratch_(scratch) {
    const int64_t width = std::max(plan.input_width_, plan.sizes_.output[2]);
    for (float*& row : rows_) row = Take(width * item.lanes);
    values_ = Take(plan.input_width_ * item.lanes);
  }

  float* Take(int64_t floats) {
    float* taken = scratch_;
    scratch_ += floats;
    return taken;
  }

  // Stays until four other rows were asked for.
  const float* At(int64_t depth, int64_t height) {
    const int64_t key = depth << 32 | height;
    for (int i = 0; i < kSlots; ++i)
      if (keys_[i] == key) return Touch(i);
    const auto oldest = static_cast<int>(std::min_element(ages_, ages_ + kSlots) - ages_);
    keys_[oldest] = key;
    Make(x_ + depth * plan_.x_.spatial[0] + height * plan_.x_.spatial[1], rows_[oldest]);
    return Touch(oldest);
  }

 private:
  const float* Touch(int slot) {
    ages_[slot] = ++clock_;
    return rows_[slot];
  }

  void Make(const uint8_t* from, float* to) {
    const int64_t lanes = item_.lanes;
    const int64_t stride = plan_.x_.spatial[2];
    float* values = plan_.small_ ? to : values_;
    if (stride == lanes) {
      plan_.rows_.read(from, plan_.input_width_ * lanes, plan_.input_, values);
    } else {
      for (int64_t i = 0; i < plan_.input_width_; ++i)
        plan_.rows_.read(from + i * stride, lanes, plan_.input_, values + i * lanes);
    }
    if (!plan_.small_) plan_.rows_.along(values, lanes, plan_.pixels_, to);
  }

  const InterpolatePlan& plan_;
  const Item& item_;
  const uint8_t* x_;
  float* scratch_;
  float* rows_[kSlots];
  float* values_;
  int64_t keys_[kSlots] = {-1, -1, -1, -1};
  int64_t ages_[kSlots] = {};
  int64_t clock_ = 0;
};

int64_t InterpolatePlan::ScratchFloats() const {
  const int64_t width = std::max(input_width_, sizes_.output[2]);
  const int64_t rows = Rows::kSlots * width + input_width_ + 4 * sizes_.output[2];
  return static_cast<int64_t>(AlignUp(static_cast<size_t>(rows * lanes_ * 4))) / 4;
}

uint64_t InterpolatePlan::WorkspaceBytes() const {
  return static_cast<uint64_t>(ScratchFloats() * 4 * threads_);
}

InterpolatePlan::Item InterpolatePlan::ItemAt(int64_t item) const {
  const int64_t groups = (sizes_.channels + lanes_ - 1) / lanes_;
  const int64_t blocks = (sizes_.output[1] + row_block_ - 1) / row_block_;
  Item result;
  result.first = item % blocks * row_block_;
  result.end = std::min(result.first + row_block_, sizes_.output[1]);
  item /= blocks;
  result.depth = item % sizes_.output[0];
  item /= sizes_.output[0];
  result.channel = item % groups * lanes_;
  result.lanes = std::min(lanes_, sizes_.channels - result.channel);
  result.sample = item / groups;
  return result;
}

void InterpolatePlan::WriteRow(const float* values, int64_t lanes, uint8_t* bytes,
                               uint8_t* to) const {
  const int64_t width = sizes_.output[2];
  const int64_t stride = y_.spatial[2];
  const bool dense = (lanes == 1 || y_.channel == 1) && stride == lanes;
  rows_.write(values, width * lanes, output_, dense ? to : bytes);
  if (dense) return;
  for (int64_t i = 0; i < width; ++i) {
    if (y_.channel == 1) {
      CopyRow(bytes + i * lanes, to + i * stride, lanes);
    } else {
      for (int64_t c = 0; c < lanes; ++c)
        to[i * stride + c * y_.channel] = bytes[i * lanes + c];
    }
  }
}

void InterpolatePlan::Compute(const Item& item, const uint8_t* x, uint8_t* y,
                              float* scratch) const {
  Rows rows(*this, item, x, scratch);
  const int64_t count = sizes_.output[2] * item.lanes;
  float* const near = rows.Take(count);
  float* const far = rows.Take(count);
  float* const result = rows.Take(count);
  auto* const bytes = reinterpret_cast<uint8_t*>(rows.Take(count));
  const LinearSource& d = sources_[0][static_cast<size_t>(item.depth)];
  uint8_t* to =
      y + item.sample * y_.batch + item.channel * y_.channel + item.depth * y_.spatial[0];
  for (int64_t at = item.first; at < item.end; ++at) {
    const LinearSource& h = sources_[1][static_cast<size_t>(at)];
    // The rows of one plane of depth between which the result lies.
    const auto between = [&](int64_t depth, float* into) {
      const float* low = rows.At(depth, h.low);
      const float* high = rows.At(depth, h.high);
      rows_.between(low, high, count, h, into);
    };
    const float* values = result;
    if (axes_ == 1) {
      values = rows.At(0, 0);
    } else if (small_) {
      const float* low = rows.At(0, h.low);
      const float* high = rows.At(0, h.high);
      rows_.both(low, high, item.lanes, pixels_, h, result);
    } else if (axes_ == 2) {
      between(0, result);
    } else {
      between(d.low, near);
      between(d.high, far);
      rows_.between(near, far, count, d, result);
    }
    WriteRow(values, item.lanes, bytes, to + at * y_.spatial[1]);
  }
}

void InterpolatePlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                          void* workspace) const {
  const auto* const x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  // A part of the items each, with scratch memory of its own.
  RunItems(threads_, threads_, [&](int64_t part) {
    float* const scratch = static_cast<float*>(workspace) + part * ScratchFloats();
    for (int64_t item = part * items_ / threads_; item < (part + 1) * items_ / threads_;
         ++item)
      Compute(ItemAt(item), x, y, scratch);
  });
}

}  // namespace qconform::kernels
