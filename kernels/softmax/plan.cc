#include "kernels/softmax/plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/layout/buffer_view.h"
#include "kernels/requantize/parameters.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kGroup = RowBlocks::kGroup;

// Exponentials that are divided at once.
constexpr int64_t kChunk = 512;

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
    : blocks_(RowsOf(request.descriptor), request.threads),
      input_flip_(request.descriptor.inputs[0]->dtype == QC_S8 ? 0x80 : 0),
      output_(*request.descriptor.outputs[0]),
      kernel_(request.kernels.softmax_codes) {}

// The largest value of a row is that of its largest code, so that every exponential of
// the definition is one of these, and computed as it does.
std::unique_ptr<OperatorPlan> SoftmaxPlan::Make(const PlanRequest& request,
                                                std::string&) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  std::unique_ptr<SoftmaxPlan> plan(new SoftmaxPlan(request));
  std::array<double, 256> values;
  const int shift = plan->input_flip_ != 0 ? 128 : 0;
  for (int k = 0; k < 256; ++k)
    values[k] = DequantizeValue(k - shift, ZeroPointAt(x), ScaleAt(x));
  for (int largest = 0; largest < 256; ++largest)
    for (int k = 0; k <= largest; ++k)
      plan->exponentials_.push_back(std::exp(values[k] - values[largest]));
  return plan;
}

void SoftmaxPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                      void* workspace) const {
  blocks_.Run(static_cast<const uint8_t*>(inputs[0]->data),
              static_cast<uint8_t*>(outputs[0]->data), workspace,
              [&](int64_t, int64_t count, const uint8_t* const* codes,
                  uint8_t* const* to) { RunGroup(count, codes, to); });
}

void SoftmaxPlan::RunGroup(int64_t count, const uint8_t* const* codes,
                           uint8_t* const* to) const {
  const int64_t width = blocks_.rows().width();
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
  const int64_t width = blocks_.rows().width();
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
  kernel_(input.get(), sum, output_.reciprocal, output_.lower, output_.upper,
          output_.zero_point, output_.of_nan, output_.flip, output.get());
}

}  // namespace qconform::kernels
