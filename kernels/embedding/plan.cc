#include "kernels/embedding/plan.h"

#include <algorithm>

#include "kernels/embedding/indices.h"
#include "kernels/layout/parallel.h"
#include "kernels/linear/matrix_rows.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// Below some twenty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialElements = 1 << 16;
constexpr int64_t kTaskElements = 1 << 14;

// Rows lie anywhere in a table: each is asked for so many indices before its use.
constexpr int64_t kAhead = 8;

bool IsDenseReal(const qc_tensor& y) {
  if (!IsReal(y)) return false;
  constexpr int64_t kBytes = sizeof(float);
  for (int i = 0; i < y.rank; ++i)
    if (y.shape[i] > 1 && y.stride[i] % kBytes != 0) return false;
  return y.shape[y.rank - 1] < 2 || y.stride[y.rank - 1] == kBytes;
}

}  // namespace

EmbeddingPlan::EmbeddingPlan(const PlanRequest& request)
    : kept_(request),
      table_(*request.descriptor.inputs[1]),
      attributes_(*request.descriptor.attributes),
      bags_(request.descriptor.kind == QC_EMBEDDING_BAG),
      y_(*request.descriptor.outputs[0]),
      y_dense_(IsDenseReal(y_)),
      scheme_(*ParseScheme(request.scheme)) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  index_count_ = ElementCount(x);
  outputs_ = LeadingElements(y_);
  bag_width_ = bags_ && x.rank == 2 ? x.shape[1] : 1;
  if (IsQuantized(y_)) {
    y_scale_ = {ScaleAt(y_)};
    y_zero_point_ = {ZeroPointAt(y_)};
    y_.scale = y_scale_.data();
    y_.zero_point = y_zero_point_.data();
  }
  const auto kernel = [&](RowUse use) {
    return ChooseRowKernels(request.path, table_.values(), table_.is_signed(), use);
  };
  const bool largest = bags_ && attributes_.reduction == QC_REDUCTION_MAX;
  next_ = kernel(largest ? RowUse::kKeepLargest : RowUse::kAdd);
  first_ = bags_ && !largest ? next_.one : kernel(RowUse::kStore).one;
  int64_t row_elements = 0;
  if (y_dense_ && IsMatrix(y_, sizeof(float), row_elements))
    y_row_ = row_elements * static_cast<int64_t>(sizeof(float));
  const int64_t elements = index_count_ * table_.columns();
  threads_ = elements < kSerialElements ? 1 : request.threads;
  const int64_t each = std::max<int64_t>(elements / std::max<int64_t>(outputs_, 1), 1);
  group_ = std::max<int64_t>(kTaskElements / each, 1);
}

std::unique_ptr<OperatorPlan> EmbeddingPlan::Make(const PlanRequest& request,
                                                  std::string&) {
  return std::unique_ptr<OperatorPlan>(new EmbeddingPlan(request));
}

// Indices, bounds and factors.
uint64_t EmbeddingPlan::WorkspaceBytes() const {
  return static_cast<uint64_t>(2 * index_count_ + outputs_ + 1) * sizeof(int64_t);
}

EmbeddingPlan::Lookup EmbeddingPlan::Read(const qc_tensor* const* inputs,
                                          void* workspace) const {
  auto* const indices = static_cast<int64_t*>(workspace);
  int64_t* const bounds = indices + index_count_;
  ReadInOrder(*inputs[0], indices);
  CheckIndices(indices, index_count_, table_.rows());
  const qc_tensor* const offsets = bags_ ? kept_.Get(2, inputs) : nullptr;
  if (offsets != nullptr) {
    ReadInOrder(*offsets, bounds);
    if (attributes_.include_last_offset == 0) bounds[outputs_] = index_count_;
    CheckBounds(bounds, outputs_, index_count_);
  } else {
    for (int64_t i = 0; i <= outputs_; ++i) bounds[i] = i * bag_width_;
  }
  Lookup lookup = {kept_.Get(1, inputs)->data, indices, bounds, nullptr, nullptr};
  const qc_tensor* const weights = bags_ ? kept_.Get(3, inputs) : nullptr;
  if (weights != nullptr) {
    auto* const factors = reinterpret_cast<float*>(bounds + outputs_ + 1);
    ReadInOrder(*weights, factors);
    lookup.factors = factors;
  }
  return lookup;
}

void EmbeddingPlan::Combine(const Lookup& lookup, int64_t output, int64_t first,
                            int64_t count, float* sum) const {
  alignas(64) float room[kRowGroup][EmbeddingTable::kChunk];
  const int64_t padding = bags_ ? attributes_.padding_index - 1 : -1;
  LookedUpRow rows[kRowGroup];
  int waiting = 0;
  int64_t kept = 0;
  if (bags_) std::fill_n(sum, count, 0.0f);
  for (int64_t i = lookup.bounds[output]; i < lookup.bounds[output + 1]; ++i) {
    if (i + kAhead < index_count_)
      table_.Prefetch(lookup.table, lookup.indices[i + kAhead], first, count);
    const int64_t row = lookup.indices[i];
    if (row == padding) continue;
    rows[waiting] = {table_.Columns(lookup.table, row, first, count, room[waiting]),
                     table_.Numbers(row),
                     lookup.factors == nullptr ? 1.0f : lookup.factors[i]};
    if (kept++ == 0) {
      first_(rows, count, sum);
    } else if (++waiting == kRowGroup) {
      next_.group(rows, count, sum);
      waiting = 0;
    }
  }
  for (int i = 0; i < waiting; ++i) next_.one(rows + i, count, sum);
  if (!bags_ || attributes_.reduction != QC_REDUCTION_MEAN || kept == 0) return;
  const auto divisor = static_cast<float>(kept);
  for (int64_t k = 0; k < count; ++k) sum[k] /= divisor;
}

void EmbeddingPlan::RunOutput(const Lookup& lookup, int64_t output) const {
  alignas(64) float room[EmbeddingTable::kChunk];
  char* const row = lookup.y + (y_row_ >= 0 ? output * y_row_ : RowOffset(y_, output));
  const int64_t stride = y_.stride[y_.rank - 1];
  for (int64_t first = 0; first < table_.columns(); first += EmbeddingTable::kChunk) {
    const int64_t count = std::min(EmbeddingTable::kChunk, table_.columns() - first);
    char* const at = row + first * stride;
    float* const sum = y_dense_ ? reinterpret_cast<float*>(at) : room;
    Combine(lookup, output, first, count, sum);
    if (y_dense_) continue;
    qc_tensor part = y_;
    part.rank = 1;
    part.shape[0] = count;
    part.stride[0] = stride;
    part.data = at;
    WriteReal(part, {room, static_cast<size_t>(count)}, scheme_);
  }
}

void EmbeddingPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                        void* workspace) const {
  Lookup lookup = Read(inputs, workspace);
  lookup.y = static_cast<char*>(outputs[0]->data);
  const int64_t tasks = (outputs_ + group_ - 1) / group_;
  RunInOrder(threads_, ParallelPhase(tasks, [&](int64_t task) {
               const int64_t end = std::min((task + 1) * group_, outputs_);
               for (int64_t i = task * group_; i < end; ++i) RunOutput(lookup, i);
             }));
}

}  // namespace qconform::kernels
