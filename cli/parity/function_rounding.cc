#include "cli/parity/function_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cli/parity/error_rules.h"
#include "reference/ops/broadcast.h"

namespace qconform::parity {
namespace {

// Two roundings, and as much again for the bound's own.
constexpr double kRounding = 4 * 0x1p-24;

// The error at every element of y's shape; zeros for nullptr.
Tensor ErrorLike(const Tensor* error, const Tensor& y) {
  if (error == nullptr) return Tensor(DType::kFloat32, y.shape());
  return BroadcastTo(*error, y.shape(), "error bound");
}

}  // namespace

bool IsExactFunction(const std::string& operation) {
  static const auto* names = new std::set<std::string>{
      "relu",       "relu_",      "ReLU",        "relu6",      "ReLU6",
      "hardtanh",   "hardtanh_",  "Hardtanh",    "clamp",      "clamp_",
      "clip",       "leaky_relu", "leaky_relu_", "LeakyReLU",  "PReLU",
      "prelu",      "neg",        "abs",         "hardshrink", "Hardshrink",
      "softshrink", "Softshrink", "threshold",   "Threshold",  "square"};
  return names->count(operation) > 0;
}

double RoundedSize(const std::string& operation, const Tensor& x, const Tensor& y,
                   int64_t i) {
  static const auto* relative_to_input = new std::set<std::string>{
      "gelu",     "GELU",     "mish",        "Mish",      "elu",        "ELU",
      "celu",     "CELU",     "selu",        "SELU",      "tanhshrink", "Tanhshrink",
      "softplus", "Softplus", "log_softmax", "LogSoftmax"};
  const double size = std::fabs(y.ValueAt(i));
  if (relative_to_input->count(operation) == 0 || x.numel() != y.numel()) return size;
  return std::max(size, std::fabs(x.ValueAt(i)));
}

double SlopeAt(const std::string& operation, const Tensor& x, const Tensor& y, int64_t i,
               double error) {
  const double smallest = std::max(std::fabs(x.ValueAt(i)) - error, 0.0);
  if (operation == "exp") return std::fabs(y.ValueAt(i)) * std::exp(error);
  if (operation == "log") return 1 / smallest;
  if (operation == "sqrt") return 0.5 / std::sqrt(smallest);
  if (operation == "rsqrt") return 0.5 * std::pow(smallest, -1.5);
  if (operation == "reciprocal") return 1 / (smallest * smallest);
  if (operation == "log1p") return 1 / std::max(1 + x.ValueAt(i) - error, 0.0);
  if (operation == "expm1") return std::exp(x.ValueAt(i) + error);
  if (operation == "square") return PowerSlope(2, x.ValueAt(i), error);
  return LipschitzConstant(operation);
}

double PowerSlope(double exponent, double x, double error) {
  if (exponent == 0) return 0;
  const double size = exponent >= 1 ? std::fabs(x) + error : std::fabs(x) - error;
  return std::fabs(exponent) * std::pow(std::max(size, 0.0), exponent - 1);
}

double SoftmaxRange(const std::string& operation, const Tensor& x) {
  if (operation.find("oftmax") == std::string::npos || x.numel() == 0) return 0;
  double lowest = x.ValueAt(0);
  double highest = lowest;
  for (int64_t i = 1; i < x.numel(); ++i) {
    lowest = std::min(lowest, x.ValueAt(i));
    highest = std::max(highest, x.ValueAt(i));
  }
  return highest - lowest;
}

Tensor DifferenceError(const Tensor* a_error, const Tensor* b_error, const Tensor& y) {
  const Tensor a = ErrorLike(a_error, y);
  const Tensor b = ErrorLike(b_error, y);
  Tensor result(DType::kFloat32, y.shape());
  for (int64_t i = 0; i < y.numel(); ++i) {
    result.data<float>()[i] =
        static_cast<float>((a.ValueAt(i) + b.ValueAt(i)) * (1 + 0x1p-22) +
                           kRounding * std::fabs(y.ValueAt(i)));
  }
  return result;
}

Tensor QuotientError(const Tensor* a_error, const Tensor& b, const Tensor* b_error,
                     const Tensor& y) {
  const Tensor a = ErrorLike(a_error, y);
  const Tensor divisor = BroadcastTo(b, y.shape(), "error bound");
  const Tensor divisor_error = ErrorLike(b_error, y);
  Tensor result(DType::kFloat32, y.shape());
  for (int64_t i = 0; i < y.numel(); ++i) {
    const double size = std::fabs(y.ValueAt(i));
    const double smallest = std::fabs(divisor.ValueAt(i)) - divisor_error.ValueAt(i);
    result.data<float>()[i] =
        smallest > 0
            ? static_cast<float>((a.ValueAt(i) + size * divisor_error.ValueAt(i)) /
                                     smallest * (1 + 0x1p-22) +
                                 kRounding * size)
            : std::numeric_limits<float>::infinity();
  }
  return result;
}

}  // namespace qconform::parity
