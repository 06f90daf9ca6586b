#include "reference/numerics/activation_function.h"

#include <cmath>

namespace qconform {
namespace {

float Clamp(float x, float low, float high) {
  if (x < low) x = low;
  return x > high ? high : x;
}

float ShiftedRelu6(float x) { return Clamp(x + 3.0f, 0.0f, 6.0f); }

float LeakyRelu(float x, float slope) { return x > 0.0f ? x : x * slope; }

float Tanh(float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); }

double Logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

float Gelu(float x, bool approximate_tanh) {
  const double wide = x;
  if (approximate_tanh) {
    const double inner = 0.79788456080286535588 * (wide + 0.044715 * wide * wide * wide);
    return static_cast<float>(0.5 * wide * (1.0 + std::tanh(inner)));
  }
  return static_cast<float>(0.5 * wide * (1.0 + std::erf(wide * 0.70710678118654752440)));
}

}  // namespace

float ApplyActivation(qc_operator_kind kind, const qc_attributes& a, float x) {
  switch (kind) {
    case QC_RELU:
      return x < 0.0f ? 0.0f : x;
    case QC_RELU6:
      return Clamp(x, 0.0f, 6.0f);
    case QC_CLAMP:
      return Clamp(x, a.minimum, a.maximum);
    case QC_LEAKY_RELU:
      return LeakyRelu(x, a.alpha);
    case QC_ELU:
      return x > 0.0f ? x
                      : static_cast<float>(static_cast<double>(a.alpha) *
                                           std::expm1(static_cast<double>(x)));
    case QC_HARDSWISH:
      return x * ShiftedRelu6(x) / 6.0f;
    case QC_HARDSIGMOID:
      return ShiftedRelu6(x) / 6.0f;
    case QC_SIGMOID:
      return static_cast<float>(Logistic(x));
    case QC_TANH:
      return Tanh(x);
    case QC_GELU:
      return Gelu(x, a.approximate_tanh != 0);
    default:
      return x;
  }
}

float ApplyFusedActivation(const qc_attributes& a, float x) {
  switch (a.activation) {
    case QC_ACTIVATION_RELU:
      return x < 0.0f ? 0.0f : x;
    case QC_ACTIVATION_RELU6:
      return Clamp(x, 0.0f, 6.0f);
    case QC_ACTIVATION_CLAMP:
      return Clamp(x, a.activation_min, a.activation_max);
    case QC_ACTIVATION_LEAKY_RELU:
      return LeakyRelu(x, a.activation_alpha);
    case QC_ACTIVATION_TANH:
      return Tanh(x);
    case QC_ACTIVATION_GELU:
      return Gelu(x, a.approximate_tanh != 0);
    case QC_ACTIVATION_HARDSWISH:
      return x * ShiftedRelu6(x) / 6.0f;
    case QC_ACTIVATION_SILU:
      return static_cast<float>(static_cast<double>(x) * Logistic(x));
    default:
      return x;
  }
}

bool DefinesFusedActivation(const qc_attributes& a) {
  return a.activation >= QC_ACTIVATION_NONE && a.activation <= QC_ACTIVATION_SILU;
}

}  // namespace qconform
