#include "kernels/quantize/conversion.h"

#include <algorithm>

#include "kernels/layout/buffer_view.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/quantize_value.h"

namespace qconform::kernels {
namespace {

// A view of two columns or four.
template <typename T>
BufferView<2> View(const T* first, int64_t channels, int64_t step, int64_t count,
                   int columns) {
  return BufferView<2>(first, {{{static_cast<int32_t>(count), static_cast<int32_t>(step)},
                                {columns, static_cast<int32_t>(channels)}}});
}

// For s8 codes everything is 128 higher, as bytes are.
int32_t Shift(const qc_tensor& tensor) { return tensor.dtype == QC_S8 ? 128 : 0; }

}  // namespace

void ConversionColumns::Add(const std::vector<double>& column) {
  double_.insert(double_.end(), column.begin(), column.end());
  for (const double value : column) float_.push_back(static_cast<float>(value));
}

CodeWriter::CodeWriter(const qc_tensor& y, const KernelTable& kernels)
    : is_wide_(y.dtype == QC_S32),
      flip_(y.dtype == QC_S8 ? 0x80 : 0),
      columns_(y.qparam_count),
      narrow_(kernels.quantize_codes),
      wide_(kernels.quantize_integers) {
  const CodeBounds bounds = BoundsOf(y);
  of_nan_ = std::clamp(0, bounds.min, bounds.max) + Shift(y);
  std::vector<double> reciprocals, lowers, uppers, zeros;
  for (int64_t c = 0; c < y.qparam_count; ++c) {
    const double zero_point = ZeroPointAt(y, c);
    reciprocals.push_back(ReciprocalScale(ScaleAt(y, c)));
    lowers.push_back(bounds.min - zero_point);
    uppers.push_back(bounds.max - zero_point);
    zeros.push_back(zero_point + Shift(y));
  }
  for (const auto& column : {reciprocals, lowers, uppers, zeros}) columns_.Add(column);
}

void CodeWriter::Write(const float* from, int64_t count, int64_t channel,
                       int64_t channel_step, void* to) const {
  const auto extent = static_cast<int32_t>(count);
  BufferView<1> input(from, {{{extent, 1}}});
  if (is_wide_) {
    BufferView<2> parameters =
        View(columns_.as_double(channel), columns_.channels(), channel_step, count, 4);
    BufferView<1> output(static_cast<const int32_t*>(to), {{{extent, 1}}});
    wide_(input.get(), parameters.get(), of_nan_, output.get());
    return;
  }
  BufferView<2> parameters =
      View(columns_.as_float(channel), columns_.channels(), channel_step, count, 4);
  BufferView<1> output(static_cast<const uint8_t*>(to), {{{extent, 1}}});
  narrow_(input.get(), parameters.get(), static_cast<int16_t>(of_nan_), flip_,
          output.get());
}

CodeReader::CodeReader(const qc_tensor& x, const KernelTable& kernels)
    : is_wide_(x.dtype == QC_S32),
      flip_(x.dtype == QC_S8 ? 0x80 : 0),
      columns_(x.qparam_count),
      narrow_(kernels.dequantize_codes),
      wide_(kernels.dequantize_integers) {
  std::vector<double> zeros, scales;
  for (int64_t c = 0; c < x.qparam_count; ++c) {
    zeros.push_back(static_cast<double>(ZeroPointAt(x, c)) + Shift(x));
    scales.push_back(ScaleAt(x, c));
  }
  columns_.Add(zeros);
  columns_.Add(scales);
}

void CodeReader::Read(const void* from, int64_t count, int64_t channel,
                      int64_t channel_step, float* to) const {
  const auto extent = static_cast<int32_t>(count);
  BufferView<1> output(to, {{{extent, 1}}});
  if (is_wide_) {
    BufferView<1> input(static_cast<const int32_t*>(from), {{{extent, 1}}});
    BufferView<2> parameters =
        View(columns_.as_double(channel), columns_.channels(), channel_step, count, 2);
    wide_(input.get(), parameters.get(), output.get());
    return;
  }
  BufferView<1> input(static_cast<const uint8_t*>(from), {{{extent, 1}}});
  BufferView<2> parameters =
      View(columns_.as_float(channel), columns_.channels(), channel_step, count, 2);
  narrow_(input.get(), flip_, parameters.get(), output.get());
}

}  // namespace qconform::kernels
