#include "kernels/pool/mean_plan.h"

#include <algorithm>
#include <array>

#include "kernels/backend/definition_plan.h"
#include "kernels/layout/parallel.h"
#include "kernels/layout/row_pieces.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialCodes = 1 << 16;
constexpr int64_t kSerialIntegers = 1 << 19;

// Means of a row that one call of the kernel takes.
constexpr int64_t kPiece = 256;

// Longer lists of elements are not worth their memory.
constexpr int64_t kMostOffsets = 1 << 20;

// So many elements are copied to lie side by side, where they are summed in vectors.
constexpr int64_t kFewElements = 1024;

using Strides = std::array<int64_t, QC_MAX_RANK>;

void CopyElements(MeanColumns& one, uint8_t* elements) {
  if (one.offsets == nullptr && one.stride == 1) return;
  for (int64_t i = 0; i < one.width; ++i)
    elements[i] = one.input[one.offsets != nullptr ? one.offsets[i] : i * one.stride];
  one.input = elements;
  one.stride = 1;
  one.offsets = nullptr;
}

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
  return Of(request, a.axis_mask, a.keep_dimensions != 0,
            columns ? MeanOrder::kCascade : MeanOrder::kRow);
}

std::unique_ptr<OperatorPlan> MeanPlan::OfPlanes(const PlanRequest& request, int first,
                                                 MeanOrder order) {
  const int rank = request.descriptor.inputs[0]->rank;
  return Of(request, ((1u << rank) - 1) & ~((1u << first) - 1), true, order);
}

std::unique_ptr<OperatorPlan> MeanPlan::Of(const PlanRequest& request, uint32_t reduced,
                                           bool keep, MeanOrder order) {
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
  if (order == MeanOrder::kCascade) {
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
  plan->order_ = order;
  // SumColumns: whole blocks are cascades.
  if (order == MeanOrder::kCascade)
    plan->cascades_ = inner >= 8 ? inner / 32 * 32 : inner / 4 * 4;
  plan->integers_ = IntegerMeans::Of(plan->input_, plan->output_, width,
                                     MostAdditions(order, width), request.path);
  if (plan->kept_.Rows() * plan->kept_.RowLength() * width <
      (plan->integers_ ? kSerialIntegers : kSerialCodes))
    plan->threads_ = 1;
  return plan;
}

// In the definition's order: means of a row that begin at logical column `column` and
// lie column_step apart.
void MeanPlan::RunExactly(const MeanColumns& columns, int64_t column,
                          int64_t column_step) const {
  if (order_ != MeanOrder::kCascade) return kernel_(columns, order_, input_, output_);
  for (int64_t at = 0; at < columns.count;) {
    const bool cascade = column + at * column_step < cascades_;
    MeanColumns part = columns;
    part.input += at * columns.column_stride;
    part.output += at * columns.output_stride;
    part.count = columns.count - at;
    // Up to where the order changes.
    if (cascade && column_step > 0)
      part.count =
          std::min(part.count, (cascades_ - column + column_step - 1) / column_step - at);
    kernel_(part, cascade ? MeanOrder::kCascade : MeanOrder::kDealt, input_, output_);
    at += part.count;
  }
}

void MeanPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                   void*) const {
  const auto* x = static_cast<const uint8_t*>(inputs[0]->data);
  auto* y = static_cast<uint8_t*>(outputs[0]->data);
  const auto [output_stride, column_step, input_stride] = kept_.RowStride();
  const RowPieces pieces(kept_, kPiece);
  RunItems(threads_, pieces.count(),
           [&, output_stride = output_stride, column_step = column_step,
            input_stride = input_stride](int64_t item) {
             const auto [offset, count] = pieces.At(item);
             const MeanColumns columns = {
                 x + offset[2], input_stride,
                 count,         width_,
                 stride_,       offsets_.empty() ? nullptr : offsets_.data(),
                 y + offset[0], output_stride};
             const int64_t column = offset[1], step = column_step;
             if (!integers_ || !IntegerMeans::Sums(columns))
               return RunExactly(columns, column, step);
             integers_->Run(columns, [&, step](int64_t at) {
               MeanColumns one = columns;
               one.input += at * columns.column_stride;
               one.output += at * columns.output_stride;
               one.count = 1;
               uint8_t elements[kFewElements];
               if (order_ == MeanOrder::kRow && width_ <= kFewElements)
                 CopyElements(one, elements);
               RunExactly(one, column + at * step, step);
             });
           });
}

}  // namespace qconform::kernels
