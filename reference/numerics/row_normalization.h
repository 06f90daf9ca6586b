// Normalization of rows by their own mean and variance: what layer, group and instance
// norm are.
#ifndef QCONFORM_REFERENCE_NUMERICS_ROW_NORMALIZATION_H_
#define QCONFORM_REFERENCE_NUMERICS_ROW_NORMALIZATION_H_

#include <cmath>
#include <cstdint>

namespace qconform {

struct RowNormalization {
  int64_t rows = 0;
  int64_t width = 0;
  float epsilon = 0.0f;
  // One value a parameter, or nullptr for ones and zeros.
  const float* gamma = nullptr;
  const float* beta = nullptr;

  // y = (x - mean) / sqrt(variance + epsilon) * gamma + beta. Sums in double and index
  // order, the result rounded once. Element i of a row has the parameters at
  // parameter(row, i). y may be x.
  template <typename Parameter>
  void Run(const float* x, float* y, const Parameter& parameter) const {
    if (width == 0) return;
#pragma omp parallel for if (rows * width >= kParallel)
    for (int64_t row = 0; row < rows; ++row) {
      RunRow(row, x + row * width, y + row * width, parameter);
    }
  }

 private:
  static constexpr int64_t kParallel = 1 << 15;

  template <typename Parameter>
  void RunRow(int64_t row, const float* x, float* y, const Parameter& parameter) const {
    double sum = 0.0;
    for (int64_t i = 0; i < width; ++i) sum += static_cast<double>(x[i]);
    const double mean = sum / static_cast<double>(width);
    double squares = 0.0;
    for (int64_t i = 0; i < width; ++i) {
      const double distance = static_cast<double>(x[i]) - mean;
      squares += distance * distance;
    }
    const double variance = squares / static_cast<double>(width);
    const double scale = 1.0 / std::sqrt(variance + static_cast<double>(epsilon));
    for (int64_t i = 0; i < width; ++i) {
      double value = (static_cast<double>(x[i]) - mean) * scale;
      if (gamma != nullptr) value *= static_cast<double>(gamma[parameter(row, i)]);
      if (beta != nullptr) value += static_cast<double>(beta[parameter(row, i)]);
      y[i] = static_cast<float>(value);
    }
  }
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ROW_NORMALIZATION_H_
