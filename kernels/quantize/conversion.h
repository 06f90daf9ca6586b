// Runs of float32 values to codes u8, s8 or s32, and back, per tensor or per channel.
#ifndef QCONFORM_KERNELS_QUANTIZE_CONVERSION_H_
#define QCONFORM_KERNELS_QUANTIZE_CONVERSION_H_

#include <cstdint>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/target/kernel_table.h"

namespace qconform::kernels {

// What a quantized tensor's channels need, in columns of one number a channel.
class ConversionColumns {
 public:
  explicit ConversionColumns(int64_t channels) : channels_(channels) {}

  void Add(const std::vector<double>& column);

  int64_t channels() const { return channels_; }
  const float* as_float(int64_t channel) const { return float_.data() + channel; }
  const double* as_double(int64_t channel) const { return double_.data() + channel; }

 private:
  int64_t channels_;
  std::vector<float> float_;
  std::vector<double> double_;
};

// Values to codes.
class CodeWriter {
 public:
  // Precondition: y is quantized u8, s8 or s32.
  CodeWriter(const qc_tensor& y, const KernelTable& kernels);

  int64_t bytes() const { return is_wide_ ? 4 : 1; }  // of a code

  // channel_step 1: each value has the next channel; 0: all have this one, which is 0 per
  // tensor. `to`: codes side by side.
  void Write(const float* from, int64_t count, int64_t channel, int64_t channel_step,
             void* to) const;

 private:
  bool is_wide_;
  uint8_t flip_;
  int32_t of_nan_;
  ConversionColumns columns_;
  QuantizeCodesKernel narrow_;
  QuantizeIntegersKernel wide_;
};

// Codes to values.
class CodeReader {
 public:
  // Precondition: x is quantized u8, s8 or s32.
  CodeReader(const qc_tensor& x, const KernelTable& kernels);

  int64_t bytes() const { return is_wide_ ? 4 : 1; }

  void Read(const void* from, int64_t count, int64_t channel, int64_t channel_step,
            float* to) const;

 private:
  bool is_wide_;
  uint8_t flip_;
  ConversionColumns columns_;
  DequantizeCodesKernel narrow_;
  DequantizeIntegersKernel wide_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_QUANTIZE_CONVERSION_H_
