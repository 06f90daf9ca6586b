#include "kernels/pool/mean_plan.h"

#include <algorithm>
#include <array>

#include "kernels/backend/definition_plan.h"
#include "kernels/layout/parallel.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 16;

// Means of a row that one call of the kernel takes.
constexpr int64_t kPiece = 64;

// Longer lists of elements are not worth their memory.
constexpr int64_t kMostOffsets = 1 << 20;

using Strides = std::array<int64_t, QC_MAX_RANK>;

// Elements of a mean in logical order: the distance between them, or every offset.
void ReducedElements(const qc_tensor& x, uint32_t reduced, int64_t& stride,
                     std::vector<int64_t>& offsets) {
  int64_t extent = 1;
  bool even = true;
  for (int i = x.rank - 1; i >= 0; --i) {
    if ((reduced >> i & 1u) == 0 || x.shape[i] == 1) continue;
    if (extent == 1) {
      stride = x.stride[i];
    } else if (x.stride[i] != stride * extent) {
      even = false;
    }
    extent *= x.shape[i];
  }
  if (even || extent == 0 || extent > kMostOffsets) {
    if (!even && extent > 0) offsets.assign(1, -1);  // too many
    return;
  }
  offsets.assign(1, 0);
  for (int i = 0; i < x.rank; ++i) {
    if ((reduced >> i & 1u) == 0) continue;
    std::vector<int64_t> longer;
    longer.reserve(offsets.size() * static_cast<size_t>(x.shape[i]));
    for (const int64_t offset : offsets)
      for (int64_t at = 0; at < x.shape[i]; ++at)
        longer.push_back(offset + at * x.stride[i]);
    offsets = std::move(longer);
  }
}

}  // namespace

std::unique_ptr<OperatorPlan> MeanPlan::Make(const PlanRequest& request, std::string&) {
  const qc_attributes& a = *request.descriptor.attributes;
  const qc_tensor& x = *request.descriptor.inputs[0];
  // As in the definition: one axis with others behind it is summed column by column.
  int axis = 0;
  while (axis < x.rank && (a.axis_mask >> axis & 1u) == 0) ++axis;
  int64_t inner = 1;
  for (int i = axis + 1; i < x.rank; ++i) inner *= x.shape[i];
  const bool columns = a.axis_mask == 1u << axis && inner > 1;
  return Of(request, a.axis_mask, a.keep_dimensions != 0, !columns);
}

std::unique_ptr<OperatorPlan> MeanPlan::OfPlanes(const PlanRequest& request, int first) {
  const int rank = request.descriptor.inputs[0]->rank;
  return Of(request, ((1u << rank) - 1) & ~((1u << first) - 1), true, true);
}

std::unique_ptr<OperatorPlan> MeanPlan::Of(const PlanRequest& request, uint32_t reduced,
                                           bool keep, bool row_order) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  std::array<int64_t, QC_MAX_RANK> shape = {};
  std::array<Strides, 3> strides = {};
  int kept = 0, of_output = 0;
  int64_t width = 1, inner = 1;
  for (int i = 0; i < x.rank; ++i) {
    if ((reduced >> i & 1u) != 0) {
      width *= x.shape[i];
      inner = 1;
      if (keep) ++of_output;
      continue;
    }
    inner *= x.shape[i];
    shape[kept] = x.shape[i];
    strides[0][kept] = y.stride[of_output++];
    strides[2][kept++] = x.stride[i];
  }
  if (!row_order) {
    int64_t column_step = 1;
    for (int i = x.rank - 1, at = kept - 1; i >= 0 && (reduced >> i & 1u) == 0;
         --i, --at) {
      strides[1][at] = column_step;
      column_step *= x.shape[i];
    }
  }
  std::unique_ptr<MeanPlan> plan(
      new MeanPlan(request, KeptLoop(shape.data(), kept, strides)));
  ReducedElements(x, reduced, plan->stride_, plan->offsets_);
  if (plan->offsets_ == std::vector<int64_t>{-1})
    return std::make_unique<DefinitionPlan>(request);
  plan->width_ = width;
  plan->row_order_ = row_order;
  // SumColumns: whole blocks are cascades.
  if (!row_order) plan->cascades_ = inner >= 8 ? inner / 32 * 32 : inner / 4 * 4;
  if (plan->kept_.Rows() * plan->kept_.RowLength() * width < kSerialCodes)
    plan->threads_ = 1;
  return plan;
}

void MeanPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void*) const {
  const auto* x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* y = static_cast<uint8_t*>(outputs[0]->data);
  const int64_t length = kept_.RowLength();
  const auto [output_stride, column_step, input_stride] = kept_.RowStride();
  const int64_t pieces = (length + kPiece - 1) / kPiece;
  RunItems(threads_, kept_.Rows() * pieces,
           [&, output_stride = output_stride, column_step = column_step,
            input_stride = input_stride](int64_t item) {
             const auto offset = kept_.Offset(item / pieces);
             int64_t at = item % pieces * kPiece;
             const int64_t end = std::min(at + kPiece, length);
             while (at < end) {
               const int64_t column = offset[1] + at * column_step;
               const bool cascade = column < cascades_;
               // Up to where the order changes.
               int64_t count = end - at;
               if (cascade && column_step > 0)
                 count = std::min(count,
                                  (cascades_ - column + column_step - 1) / column_step);
               const MeanOrder order = row_order_ ? MeanOrder::kRow
                                       : cascade  ? MeanOrder::kCascade
                                                  : MeanOrder::kDealt;
               kernel_({x + offset[2] + at * input_stride, input_stride, count, width_,
                        stride_, offsets_.empty() ? nullptr : offsets_.data(),
                        y + offset[0] + at * output_stride, output_stride},
                       order, input_, output_);
               at += count;
             }
           });
}

}  // namespace qconform::kernels
