#include "kernels/softmax/plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/requantize/parameters.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

// Rows whose sums run side by side: an addition waits four cycles for the one before, and
// the definition's order leaves no other use for them.
constexpr int64_t kGroup = 4;

// Rows whose codes are copied together, where they must be: a cache line of them, unless
// they are long.
constexpr int64_t kMostRows = 64;
constexpr int64_t kBlockCodes = 1 << 14;

// Exponentials that are divided at once.
constexpr int64_t kChunk = 512;

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 14;

TensorRows RowsOf(const qc_descriptor& descriptor) {
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  std::vector<RowDimension> outer, inner;
  for (int i = 0; i < x.rank; ++i) {
    auto& side = i == descriptor.attributes->axis ? inner : outer;
    side.push_back({x.shape[i], x.stride[i], y.stride[i]});
  }
  return TensorRows(outer, inner);
}

}  // namespace

SoftmaxPlan::SoftmaxPlan(const PlanRequest& request)
    : rows_(RowsOf(request.descriptor)),
      input_flip_(request.descriptor.inputs[0]->dtype == QC_S8 ? 0x80 : 0),
      kernel_(request.kernels.softmax_codes),
      threads_(request.threads) {
  if (rows_.count() * rows_.width() < kSerialCodes) threads_ = 1;
}

// The largest value of a row is that of its largest code, so that every exponential of
// the definition is one of these, and computed as it does.
std::unique_ptr<OperatorPlan> SoftmaxPlan::Make(const PlanRequest& request,
                                                std::string&) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  std::unique_ptr<SoftmaxPlan> plan(new SoftmaxPlan(request));
  std::array<double, 256> values;
  const int shift = plan->input_flip_ != 0 ? 128 : 0;
  for (int k = 0; k < 256; ++k)
    values[k] = DequantizeValue(k - shift, ZeroPoint(x, 0), Scale(x, 0));
  for (int largest = 0; largest < 256; ++largest)
    for (int k = 0; k <= largest; ++k)
      plan->exponentials_.push_back(std::exp(values[k] - values[largest]));
  const CodeBounds bounds = BoundsOf(y);
  const int32_t output_shift = y.dtype == QC_S8 ? 128 : 0;
  plan->reciprocal_ = ReciprocalScale(Scale(y, 0));
  plan->lower_ = static_cast<float>(bounds.min - ZeroPoint(y, 0));
  plan->upper_ = static_cast<float>(bounds.max - ZeroPoint(y, 0));
  plan->zero_point_ = ZeroPoint(y, 0) + output_shift;
  plan->of_nan_ =
      static_cast<int16_t>(std::clamp(0, bounds.min, bounds.max) + output_shift);
  plan->flip_ = output_shift != 0 ? 0x80 : 0;
  return plan;
}

int64_t SoftmaxPlan::BlockRows() const {
  const int64_t fit = kBlockCodes / std::max<int64_t>(rows_.width(), 1);
  return std::clamp(fit / kGroup * kGroup, kGroup, kMostRows);
}

// For each thread, the rows of a block as they come and as they go.
uint64_t SoftmaxPlan::WorkspaceBytes() const {
  return static_cast<uint64_t>(threads_) *
         AlignUp(static_cast<size_t>(2 * BlockRows() * rows_.width()));
}

void SoftmaxPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                      void* workspace) const {
  if (rows_.width() == 0) return;
  const auto* const x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  const int64_t step = BlockRows();
  const int64_t blocks = (rows_.count() + step - 1) / step;
  const auto room = static_cast<int64_t>(WorkspaceBytes()) / threads_;
  RunItems(threads_, threads_, [&](int64_t slice) {
    auto* const own = static_cast<uint8_t*>(workspace) + slice * room;
    const int64_t end = blocks * (slice + 1) / threads_;
    for (int64_t block = blocks * slice / threads_; block < end; ++block) {
      const int64_t first = block * step;
      const int64_t count = std::min(step, rows_.count() - first);
      uint8_t* const results = own + step * rows_.width();
      const uint8_t* codes[kMostRows];
      uint8_t* to[kMostRows];
      rows_.Gather(x, first, count, own, codes);
      rows_.Destinations(y, first, count, results, to);
      for (int64_t r = 0; r < count; r += kGroup)
        RunGroup(std::min(kGroup, count - r), codes + r, to + r);
      rows_.Scatter(results, first, count, y);
    }
  });
}

void SoftmaxPlan::RunGroup(int64_t count, const uint8_t* const* codes,
                           uint8_t* const* to) const {
  const int64_t width = rows_.width();
  // Of fewer rows the first stands for those that are missing.
  const uint8_t* row[kGroup];
  const double* exponentials[kGroup];
  int smallest[kGroup], largest[kGroup];
  for (int64_t r = 0; r < kGroup; ++r) {
    row[r] = codes[r < count ? r : 0];
    uint8_t low = 255, high = 0;
    for (int64_t i = 0; i < width; ++i) {
      const uint8_t code = row[r][i] ^ input_flip_;
      low = std::min(low, code);
      high = std::max(high, code);
    }
    smallest[r] = low;
    largest[r] = high;
    exponentials[r] = Exponentials(high);
  }
  const uint8_t flip = input_flip_;
  double sum[kGroup] = {};
  for (int64_t i = 0; i < width; ++i)
    for (int64_t r = 0; r < kGroup; ++r) sum[r] += exponentials[r][row[r][i] ^ flip];
  for (int64_t r = 0; r < count; ++r)
    Finish(row[r], exponentials[r], smallest[r], largest[r], sum[r], to[r]);
}

// A quotient costs more than a look into a table: where a row is longer than the range of
// its codes, the codes are divided and not the elements.
void SoftmaxPlan::Finish(const uint8_t* codes, const double* exponentials, int smallest,
                         int largest, double sum, uint8_t* to) const {
  const int64_t width = rows_.width();
  if (largest - smallest < width * 3 / 4) {
    uint8_t table[256];
    Divide(exponentials + smallest, largest - smallest + 1, sum, table + smallest);
    for (int64_t i = 0; i < width; ++i) to[i] = table[codes[i] ^ input_flip_];
    return;
  }
  double chunk[kChunk];
  for (int64_t begin = 0; begin < width; begin += kChunk) {
    const int64_t count = std::min(kChunk, width - begin);
    for (int64_t i = 0; i < count; ++i)
      chunk[i] = exponentials[codes[begin + i] ^ input_flip_];
    Divide(chunk, count, sum, to + begin);
  }
}

void SoftmaxPlan::Divide(const double* exponentials, int64_t count, double sum,
                         uint8_t* to) const {
  const auto extent = static_cast<int32_t>(count);
  BufferView<1> input(exponentials, {{{extent, 1}}});
  BufferView<1> output(to, {{{extent, 1}}});
  kernel_(input.get(), sum, reciprocal_, lower_, upper_, zero_point_, of_nan_, flip_,
          output.get());
}

}  // namespace qconform::kernels
