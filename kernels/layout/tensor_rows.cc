#include "kernels/layout/tensor_rows.h"

#include <array>

namespace qconform::kernels {
namespace {

using Numbers = std::array<int64_t, QC_MAX_RANK>;

Numbers Of(const std::vector<RowDimension>& dimensions, int64_t RowDimension::*field) {
  Numbers numbers = {};
  for (size_t i = 0; i < dimensions.size(); ++i) numbers[i] = dimensions[i].*field;
  return numbers;
}

Numbers DenseStrides(const std::vector<RowDimension>& dimensions) {
  Numbers strides = {};
  int64_t step = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    strides[i] = step;
    step *= dimensions[i].extent;
  }
  return strides;
}

int64_t Count(const std::vector<RowDimension>& dimensions) {
  int64_t count = 1;
  for (const RowDimension& dimension : dimensions) count *= dimension.extent;
  return count;
}

StridedLoop<2> Elements(const std::vector<RowDimension>& inner,
                        int64_t RowDimension::*stride) {
  return StridedLoop<2>(Of(inner, &RowDimension::extent).data(),
                        static_cast<int>(inner.size()),
                        {Of(inner, stride), DenseStrides(inner)});
}

bool IsDense(const StridedLoop<2>& elements) {
  return elements.Rows() == 1 &&
         (elements.RowStride()[0] == 1 || elements.RowLength() == 1);
}

// Calls body(offset of the tensor, offset of the dense row, count, stride) for each run
// of elements.
template <typename Body>
void ForEachRun(const StridedLoop<2>& elements, const Body& body) {
  for (int64_t run = 0; run < elements.Rows(); ++run) {
    const auto [at, dense] = elements.Offset(run);
    body(at, dense, elements.RowLength(), elements.RowStride()[0]);
  }
}

}  // namespace

TensorRows::TensorRows(const std::vector<RowDimension>& outer,
                       const std::vector<RowDimension>& inner)
    : rows_(Of(outer, &RowDimension::extent).data(), static_cast<int>(outer.size()),
            {Of(outer, &RowDimension::number), Of(outer, &RowDimension::x_stride),
             Of(outer, &RowDimension::y_stride)}),
      x_elements_(Elements(inner, &RowDimension::x_stride)),
      y_elements_(Elements(inner, &RowDimension::y_stride)),
      width_(Count(inner)),
      x_dense_(IsDense(x_elements_)),
      y_dense_(IsDense(y_elements_)) {}

TensorRows::Row TensorRows::At(int64_t index) const {
  const int64_t length = rows_.RowLength();
  auto offset = rows_.Offset(index / length);
  for (size_t t = 0; t < offset.size(); ++t)
    offset[t] += index % length * rows_.RowStride()[t];
  return {offset[0], offset[1], offset[2]};
}

// How many of the rows from `index` on lie a short and even step apart.
int64_t TensorRows::Together(int64_t Row::*offset, int64_t index, int64_t count,
                             int64_t& step) const {
  constexpr int64_t kCacheLine = 64;
  if (count == 1) return 1;
  const int64_t begin = At(index).*offset;
  step = At(index + 1).*offset - begin;
  if (step < 1 || step > kCacheLine) return 1;
  int64_t together = 2;
  while (together < count && At(index + together).*offset == begin + together * step)
    ++together;
  return together;
}

// Rows whose elements share cache lines (channels last) are copied together: one by one
// each would touch every cache line of all.
void TensorRows::Gather(const uint8_t* x, int64_t first, int64_t count, uint8_t* room,
                        const uint8_t** codes) const {
  for (int64_t r = 0; r < count; ++r) {
    codes[r] = x_dense_ ? x + At(first + r).x_offset : room + r * width_;
  }
  if (x_dense_) return;
  for (int64_t r = 0, together = 0; r < count; r += together) {
    const int64_t offset = At(first + r).x_offset;
    int64_t step = 0;
    together = Together(&Row::x_offset, first + r, count - r, step);
    ForEachRun(x_elements_,
               [&](int64_t at, int64_t dense, int64_t length, int64_t stride) {
                 const uint8_t* const from = x + offset + at;
                 uint8_t* const to = room + r * width_ + dense;
                 for (int64_t i = 0; i < length; ++i)
                   for (int64_t k = 0; k < together; ++k)
                     to[k * width_ + i] = from[i * stride + k * step];
               });
  }
}

void TensorRows::Destinations(uint8_t* y, int64_t first, int64_t count, uint8_t* room,
                              uint8_t** to) const {
  for (int64_t r = 0; r < count; ++r)
    to[r] = y_dense_ ? y + At(first + r).y_offset : room + r * width_;
}

void TensorRows::Scatter(const uint8_t* room, int64_t first, int64_t count,
                         uint8_t* y) const {
  if (y_dense_) return;
  for (int64_t r = 0, together = 0; r < count; r += together) {
    const int64_t offset = At(first + r).y_offset;
    int64_t step = 0;
    together = Together(&Row::y_offset, first + r, count - r, step);
    ForEachRun(y_elements_,
               [&](int64_t at, int64_t dense, int64_t length, int64_t stride) {
                 const uint8_t* const from = room + r * width_ + dense;
                 uint8_t* const to = y + offset + at;
                 for (int64_t i = 0; i < length; ++i)
                   for (int64_t k = 0; k < together; ++k)
                     to[i * stride + k * step] = from[k * width_ + i];
               });
  }
}

}  // namespace qconform::kernels
