#include "kernels/elementwise/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/row_pieces.h"
#include "kernels/requantize/parameters.h"

namespace qconform::kernels {
namespace {

constexpr int64_t kLongestPiece = 1 << 14;

// Rows that are shorter are laid side by side, to this length at least.
constexpr int64_t kShortRow = 1 << 11;

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 17;

// The code of the attribute `scalar`: its scale is the number itself.
constexpr uint8_t kOne = 1;

ElementwiseKernel KernelOf(const qc_descriptor& descriptor, const KernelTable& kernels,
                           float alpha) {
  if (descriptor.kind == QC_MUL) return kernels.elementwise_multiply;
  if (alpha != 1.0f) return kernels.elementwise_add_scaled;
  return descriptor.kind == QC_SUB ? kernels.elementwise_subtract
                                   : kernels.elementwise_add;
}

}  // namespace

ElementwisePlan::ElementwisePlan(StridedLoop<3> loop) : loop_(loop) {
  // The kernels count bytes in 32 bits.
  int64_t widest = 1;
  for (const int64_t stride : loop.RowStride())
    widest = std::max(widest, std::abs(stride));
  piece_ = std::clamp<int64_t>(INT32_MAX / widest, 1, kLongestPiece);
}

std::unique_ptr<OperatorPlan> ElementwisePlan::Make(const PlanRequest& request,
                                                    std::string&) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_attributes& attributes = *descriptor.attributes;
  const qc_tensor& y = *descriptor.outputs[0];
  Operand a = {RealInputParameters(*descriptor.inputs[0]), 0};
  Operand b;
  b.scale = attributes.scalar;
  std::array<std::array<int64_t, QC_MAX_RANK>, 3> strides = {
      BroadcastStrides(*descriptor.inputs[0], y), {}, BroadcastStrides(y, y)};
  if (descriptor.input_count > 1 && descriptor.inputs[1] != nullptr) {
    b = {RealInputParameters(*descriptor.inputs[1]), 1};
    strides[1] = BroadcastStrides(*descriptor.inputs[1], y);
  } else if (attributes.scalar_first != 0) {
    std::swap(a, b);
    std::swap(strides[0], strides[1]);
  }
  std::unique_ptr<ElementwisePlan> plan(
      new ElementwisePlan(StridedLoop<3>(y.shape, y.rank, strides)));
  plan->a_ = a;
  plan->b_ = b;
  // Zero stands for a field that nobody set.
  const float alpha = attributes.alpha == 0.0f ? 1.0f : attributes.alpha;
  plan->kernel_ = KernelOf(descriptor, request.kernels, alpha);
  plan->alpha_ = descriptor.kind == QC_SUB ? -alpha : alpha;
  ActivationBounds(attributes, plan->lowest_, plan->highest_);
  plan->output_ = RealOutputParameters(y);
  plan->ChooseDenseRow(descriptor, request.path);
  plan->ChoosePeriod(y, strides);
  const int64_t codes = plan->loop_.Rows() * plan->loop_.RowLength();
  plan->threads_ = codes < kSerialCodes ? 1 : request.threads;
  return plan;
}

void ElementwisePlan::ChooseDenseRow(const qc_descriptor& descriptor, Path path) {
  const auto [a_stride, b_stride, y_stride] = loop_.RowStride();
  const bool dense = (a_stride == 1 && (b_stride == 0 || b_stride == 1)) ||
                     (a_stride == 0 && b_stride == 1);
  const bool multiplies = descriptor.kind == QC_MUL;
  if (!dense || y_stride != 1 || std::fabs(alpha_) != 1.0f) return;
  RealInputParameters a = a_, b = b_;
  // A difference is the sum with what is taken away negated, to the bit.
  if (!multiplies && alpha_ < 0) b.scale = -b.scale;
  dense_swaps_ = a_stride == 0;
  if (dense_swaps_) std::swap(a, b);
  dense_parameters_ = DenseRowParametersOf(a, b, multiplies, lowest_, highest_, output_);
  if (dense_parameters_)
    dense_ =
        DenseRowOf(path, multiplies, a_stride != b_stride, dense_parameters_->plain());
}

void ElementwisePlan::ChoosePeriod(
    const qc_tensor& y, const std::array<std::array<int64_t, QC_MAX_RANK>, 3>& strides) {
  const auto [a_stride, b_stride, y_stride] = loop_.RowStride();
  const int64_t rows = loop_.Rows(), length = loop_.RowLength();
  if (dense_ == nullptr || a_stride != b_stride || rows < 2 || length >= kShortRow)
    return;
  for (const int repeated : {0, 1}) {
    const StridedLoop<2> other(y.shape, y.rank, {strides[1 - repeated], strides[2]});
    bool repeats = other.Rows() == 1 && other.RowStride() == std::array<int64_t, 2>{1, 1};
    for (int64_t row = 1; repeats && row < rows; ++row)
      repeats = loop_.Offset(row)[repeated] == 0;
    if (!repeats) continue;
    repeated_ = repeated;
    period_ = std::min((kShortRow + length - 1) / length, rows) * length;
  }
}

uint64_t ElementwisePlan::WorkspaceBytes() const {
  return static_cast<uint64_t>(period_);
}

void ElementwisePlan::RunPeriods(const uint8_t* a, const uint8_t* b, uint8_t* y,
                                 uint8_t* workspace) const {
  const int64_t length = loop_.RowLength(), total = loop_.Rows() * length;
  for (int64_t at = 0; at < period_; at += length)
    std::memcpy(workspace + at, repeated_ == 0 ? a : b, static_cast<size_t>(length));
  RunItems(threads_, (total + period_ - 1) / period_, [&](int64_t item) {
    const int64_t begin = item * period_;
    dense_(repeated_ == 0 ? workspace : a + begin, repeated_ == 1 ? workspace : b + begin,
           y + begin, std::min(period_, total - begin), *dense_parameters_);
  });
}

void ElementwisePlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                          void* workspace) const {
  const auto data = [&](const Operand& operand) {
    return operand.input < 0 ? &kOne
                             : static_cast<const uint8_t*>(inputs[operand.input]->data);
  };
  const uint8_t* const a = data(a_);
  const uint8_t* const b = data(b_);
  auto* const y = static_cast<uint8_t*>(outputs[0]->data);
  if (period_ > 0) return RunPeriods(a, b, y, static_cast<uint8_t*>(workspace));
  const RowPieces pieces(loop_, piece_);
  RunItems(threads_, pieces.count(), [&](int64_t item) {
    const auto piece = pieces.At(item);
    if (dense_ != nullptr) {
      const uint8_t* first = a + piece.offset[0];
      const uint8_t* second = b + piece.offset[1];
      if (dense_swaps_) std::swap(first, second);
      dense_(first, second, y + piece.offset[2], piece.length, *dense_parameters_);
      return;
    }
    const auto count = static_cast<int32_t>(piece.length);
    const auto step = [&](int tensor) {
      return static_cast<int32_t>(loop_.RowStride()[tensor]);
    };
    BufferView<1> first(a + piece.offset[0], {{{count, step(0)}}});
    BufferView<1> second(b + piece.offset[1], {{{count, step(1)}}});
    BufferView<1> result(y + piece.offset[2], {{{count, step(2)}}});
    kernel_(first.get(), second.get(), a_.flip, a_.zero_point, a_.scale, b_.flip,
            b_.zero_point, b_.scale, alpha_, lowest_, highest_, output_.reciprocal,
            output_.lower, output_.upper, output_.zero_point, output_.of_nan,
            output_.flip, result.get());
  });
}

}  // namespace qconform::kernels
