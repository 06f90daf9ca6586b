#include "kernels/matmul/plan.h"

#include <algorithm>
#include <limits>

#include "kernels/layout/aligned_bytes.h"
#include "kernels/layout/buffer_view.h"
#include "kernels/layout/parallel.h"

namespace qconform::kernels {
namespace {

// Below some thirty microseconds of work a parallel region costs more than it saves.
constexpr int64_t kSerialProducts = 400'000;

constexpr int64_t kMaximumElements = std::numeric_limits<int32_t>::max() / 2;

int64_t Leading(const qc_tensor& tensor) {
  int64_t count = 1;
  for (int i = 0; i + 2 < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
}

// Bytes to matrix `matrix` of a tensor.
int64_t MatrixOffset(const qc_tensor& tensor, int64_t matrix) {
  int64_t offset = 0;
  for (int i = tensor.rank - 3; i >= 0; --i) {
    offset += matrix % tensor.shape[i] * tensor.stride[i];
    matrix /= tensor.shape[i];
  }
  return offset;
}

int64_t RowStride(const qc_tensor& tensor) { return tensor.stride[tensor.rank - 2]; }
int64_t ColumnStride(const qc_tensor& tensor) { return tensor.stride[tensor.rank - 1]; }

}  // namespace

MatmulPlan::Factor MatmulPlan::FactorOf(const qc_tensor& tensor, const qc_tensor& y) {
  Factor factor{RealMapOf(tensor), Leading(tensor), {}};
  for (int64_t matrix = 0; matrix < Leading(y); ++matrix) {
    int64_t index = 0, step = 1, left = matrix;
    for (int i = y.rank - 3; i >= 0; --i) {
      if (tensor.shape[i] != 1) index += left % y.shape[i] * step;
      left /= y.shape[i];
      step *= tensor.shape[i];
    }
    factor.of_output.push_back(index);
  }
  return factor;
}

std::unique_ptr<OperatorPlan> MatmulPlan::Make(const PlanRequest& request,
                                               std::string& reason) {
  const qc_tensor& a = *request.descriptor.inputs[0];
  const qc_tensor& b = *request.descriptor.inputs[1];
  const qc_tensor& y = *request.descriptor.outputs[0];
  auto plan = std::make_unique<MatmulPlan>();
  plan->m_ = y.shape[y.rank - 2];
  plan->n_ = y.shape[y.rank - 1];
  plan->k_ = a.shape[a.rank - 1];
  plan->tile_ = MatmulTile(request.path);
  plan->blocks_ = (plan->n_ + plan->tile_.Block() - 1) / plan->tile_.Block();
  plan->a_ = FactorOf(a, y);
  plan->b_ = FactorOf(b, y);
  plan->output_ = RealOutput::Of(y);
  plan->kernel_ =
      plan->output_.codes ? request.kernels.matmul_codes : request.kernels.matmul_real;
  const int64_t a_elements = plan->a_.matrices * plan->m_ * plan->k_;
  const int64_t b_elements =
      plan->b_.matrices * plan->blocks_ * plan->tile_.Block() * plan->k_;
  const int64_t y_elements = Leading(y) * plan->m_ * plan->n_;
  if (std::max({a_elements, b_elements, y_elements}) > kMaximumElements) {
    reason = "tensors of more than 2^30 elements";
    return nullptr;
  }
  const int bytes = plan->output_.Bytes();
  plan->direct_ =
      (plan->n_ == 1 || ColumnStride(y) == bytes) &&
      (plan->m_ == 1 || (RowStride(y) >= plan->n_ * bytes && RowStride(y) <= INT32_MAX &&
                         RowStride(y) % bytes == 0));
  const int64_t products = y_elements * plan->k_;
  plan->threads_ = products < kSerialProducts ? 1 : request.threads;
  // Rows beyond the last fill its tile.
  for (int64_t m = 0; m < plan->m_ + plan->tile_.rows; ++m)
    plan->row_offset_.push_back(
        static_cast<int32_t>(std::min(m, std::max<int64_t>(plan->m_ - 1, 0)) * plan->k_));
  for (int64_t k = 0; k < plan->k_; ++k)
    plan->depth_offset_.push_back(static_cast<int32_t>(k));
  plan->CutTasks();
  plan->b_offset_ = AlignUp(a_elements * sizeof(float));
  plan->staging_offset_ = plan->b_offset_ + AlignUp(b_elements * sizeof(float));
  plan->workspace_bytes_ =
      plan->staging_offset_ + (plan->direct_ ? 0 : AlignUp(y_elements * bytes));
  return plan;
}

void MatmulPlan::CutTasks() {
  if (m_ == 0 || n_ == 0) return;
  const auto matrices = static_cast<int64_t>(a_.of_output.size());
  const int64_t wanted = threads_ > 1 ? 4 * threads_ : 1;
  const int64_t parts = std::max<int64_t>(1, wanted / std::max<int64_t>(matrices, 1));
  const int64_t tiles = (m_ + tile_.rows - 1) / tile_.rows;
  const int64_t rows = (tiles + parts - 1) / parts * tile_.rows;
  for (int64_t matrix = 0; matrix < matrices; ++matrix)
    for (int64_t first = 0; first < m_; first += rows)
      tasks_.push_back({matrix, first, std::min(rows, m_ - first)});
}

void MatmulPlan::PackRow(const qc_tensor& a, int64_t row, float* packed) const {
  const auto* from = static_cast<const uint8_t*>(a.data) + MatrixOffset(a, row / m_) +
                     row % m_ * RowStride(a);
  CopyCodes(from, ColumnStride(a), k_, a_.map, packed + row * k_, 1);
}

void MatmulPlan::PackBlock(const qc_tensor& b, int64_t block, float* packed) const {
  const int64_t width = tile_.Block();
  const int64_t first = block % blocks_ * width;
  const int64_t columns = std::min(width, n_ - first);
  float* const to = packed + block * width * k_;
  const auto* from = static_cast<const uint8_t*>(b.data) +
                     MatrixOffset(b, block / blocks_) + first * ColumnStride(b);
  if (columns < width) std::fill_n(to, width * k_, 0.0f);
  const int64_t element = b.dtype == QC_F32 ? 4 : 1;
  if (RowStride(b) == element && ColumnStride(b) != element) {
    for (int64_t n = 0; n < columns; ++n)
      CopyCodes(from + n * ColumnStride(b), element, k_, b_.map, to + n, width);
    return;
  }
  for (int64_t k = 0; k < k_; ++k)
    CopyCodes(from + k * RowStride(b), ColumnStride(b), columns, b_.map, to + k * width,
              1);
}

void MatmulPlan::RunTask(const Task& task, const float* a, const float* b,
                         uint8_t* matrix, int64_t row_stride) const {
  const auto matrix_index = static_cast<size_t>(task.matrix);
  const auto rows = static_cast<int32_t>(task.rows);
  const auto depth = static_cast<int32_t>(k_);
  const auto columns = static_cast<int32_t>(n_);
  const int32_t width = tile_.Block();
  BufferView<1> first(a + a_.of_output[matrix_index] * m_ * k_,
                      {{{static_cast<int32_t>(m_ * k_), 1}}});
  BufferView<1> row_offset(row_offset_.data() + task.first_row,
                           {{{rows + tile_.rows, 1}}});
  BufferView<1> depth_offset(depth_offset_.data(), {{{depth, 1}}});
  BufferView<4> second(b + b_.of_output[matrix_index] * blocks_ * width * k_,
                       {{{tile_.lanes, 1},
                         {tile_.vectors, tile_.lanes},
                         {depth, width},
                         {static_cast<int32_t>(blocks_), depth * width}}});
  uint8_t* const to = matrix + task.first_row * row_stride;
  const std::array<Dimension, 2> size = {
      {{columns, 1}, {rows, static_cast<int32_t>(row_stride / output_.Bytes())}}};
  BufferView<2> result = output_.codes
                             ? BufferView<2>(to, size)
                             : BufferView<2>(reinterpret_cast<float*>(to), size);
  kernel_(first.get(), row_offset.get(), depth_offset.get(), second.get(),
          output_.reciprocal, output_.lower, output_.upper, output_.zero_point,
          output_.of_nan, output_.flip, result.get());
}

void MatmulPlan::Run(const qc_tensor* const* inputs, qc_tensor* const* outputs,
                     void* workspace) const {
  if (tasks_.empty()) return;
  const qc_tensor &a = *inputs[0], &b = *inputs[1], &y = *outputs[0];
  auto* const bytes = static_cast<uint8_t*>(workspace);
  auto* const packed_a = reinterpret_cast<float*>(bytes);
  auto* const packed_b = reinterpret_cast<float*>(bytes + b_offset_);
  uint8_t* const staging = bytes + staging_offset_;
  auto* const data = static_cast<uint8_t*>(y.data);
  const int64_t element = output_.Bytes();
  const int64_t dense_row = n_ * element;
  // A single row has no stride of its own to keep.
  const int64_t row_stride = direct_ && m_ > 1 ? RowStride(y) : dense_row;

  const auto pack_a = [&](int64_t row) { PackRow(a, row, packed_a); };
  const auto pack_b = [&](int64_t block) { PackBlock(b, block, packed_b); };
  const auto compute = [&](int64_t i) {
    const Task& task = tasks_[static_cast<size_t>(i)];
    uint8_t* const matrix = direct_ ? data + MatrixOffset(y, task.matrix)
                                    : staging + task.matrix * m_ * dense_row;
    RunTask(task, packed_a, packed_b, matrix, row_stride);
  };
  const auto scatter = [&](int64_t row) {
    uint8_t* const to = data + MatrixOffset(y, row / m_) + row % m_ * RowStride(y);
    const uint8_t* const from = staging + row * dense_row;
    for (int64_t n = 0; n < n_; ++n)
      std::memcpy(to + n * ColumnStride(y), from + n * element,
                  static_cast<size_t>(element));
  };
  const auto matrices = static_cast<int64_t>(a_.of_output.size());
  RunInOrder(threads_, ParallelPhase(a_.matrices * m_, pack_a),
             ParallelPhase(b_.matrices * blocks_, pack_b),
             ParallelPhase(static_cast<int64_t>(tasks_.size()), compute),
             ParallelPhase(direct_ ? 0 : matrices * m_, scatter));
}

}  // namespace qconform::kernels
