#include "reference/ops/batch_statistics.h"

#include <cmath>

#include "reference/ops/axis.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/elements.h"

namespace qconform {
namespace {

// Calls visit(x) for each value of channel c, samples first.
template <typename Visit>
void ForEachOfChannel(const float* data, const AxisView& view, int64_t c,
                      const Visit& visit) {
  for (int64_t n = 0; n < view.outer; ++n) {
    const float* x = data + (n * view.size + c) * view.inner;
    for (int64_t i = 0; i < view.inner; ++i) visit(x[i]);
  }
}

}  // namespace

std::vector<float> BatchStatistics::InverseDeviation(double eps) const {
  std::vector<float> inverse;
  for (const float sum : squares) {
    const float variance = sum / static_cast<float>(count);
    inverse.push_back(static_cast<float>(1.0 / std::sqrt(double(variance) + eps)));
  }
  return inverse;
}

BatchStatistics TakeBatchStatistics(const Tensor& input) {
  const AxisView view = ViewAlong(input.shape(), 1);
  const ElementReader<float> reader(input);
  const float* data = reader.data();
  BatchStatistics statistics;
  statistics.count = view.outer * view.inner;
  statistics.mean.resize(static_cast<size_t>(view.size));
  statistics.squares.resize(static_cast<size_t>(view.size));
  const double count = static_cast<double>(statistics.count);
  // A single value is summed in double, too.
  const bool in_float = view.inner == 1 && statistics.count > 1;
#pragma omp parallel for if (input.numel() >= kParallelElements)
  for (int64_t c = 0; c < view.size; ++c) {
    float float_sum = 0;
    double sum = 0;
    ForEachOfChannel(data, view, c, [&](float x) {
      float_sum += x;
      sum += x;
    });
    const auto mean = static_cast<float>((in_float ? double(float_sum) : sum) / count);
    float_sum = 0;
    sum = 0;
    ForEachOfChannel(data, view, c, [&](float x) {
      const float distance = x - mean;
      if (in_float) {
        float_sum = std::fma(distance, distance, float_sum);
      } else {
        sum += distance * distance;
      }
    });
    const auto channel = static_cast<size_t>(c);
    statistics.mean[channel] = mean;
    statistics.squares[channel] = in_float ? float_sum : static_cast<float>(sum);
  }
  return statistics;
}

void MoveRunningStatistics(const BatchStatistics& batch, double momentum,
                           Tensor& running_mean, Tensor& running_var) {
  const auto step = static_cast<float>(momentum);
  const auto keep = static_cast<float>(1 - momentum);
  float* mean = running_mean.data<float>();
  float* variance = running_var.data<float>();
  for (size_t c = 0; c < batch.mean.size(); ++c) {
    mean[c] = step * batch.mean[c] + keep * mean[c];
    const float unbiased = batch.squares[c] / static_cast<float>(batch.count - 1);
    variance[c] = std::fma(step, unbiased, keep * variance[c]);
  }
}

}  // namespace qconform
