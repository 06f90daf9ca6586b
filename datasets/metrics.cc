#include "datasets/metrics.h"

#include <algorithm>
#include <cmath>

#include "datasets/pitch.h"

namespace qconform {
namespace {

int64_t FirstMaximum(const float* row, int64_t count) {
  return std::max_element(row, row + count) - row;
}

std::vector<double> TruthInCents(const EvaluationData& data) {
  std::vector<double> truth;
  for (double frequency : data.frequencies) truth.push_back(CentsOfFrequency(frequency));
  return truth;
}

}  // namespace

double TopOneAccuracy(const Tensor& logits, const Tensor& labels) {
  const int64_t rows = logits.dim(0);
  const int64_t classes = logits.dim(1);
  assert(rows > 0 && labels.numel() == rows);
  int64_t right = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const float* row = logits.data<float>() + i * classes;
    right += FirstMaximum(row, classes) == labels.data<int64_t>()[i] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(rows);
}

Deviation AbsoluteDeviation(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<double> apart;
  for (size_t i = 0; i < a.size(); ++i) apart.push_back(std::abs(a[i] - b[i]));
  if (apart.empty()) return {};
  std::sort(apart.begin(), apart.end());
  const size_t middle = apart.size() / 2;
  const double median =
      apart.size() % 2 == 1 ? apart[middle] : (apart[middle - 1] + apart[middle]) / 2;
  return {median, apart.back()};
}

std::vector<Metric> MeasureAgainstTruth(const EvaluationData& data,
                                        const Tensor& outputs) {
  switch (data.metric) {
    case MetricKind::kTopOne:
      return {{"top1", 100 * TopOneAccuracy(outputs, data.labels), "%"}};
    case MetricKind::kCents: {
      const Deviation apart =
          AbsoluteDeviation(PitchesInCents(outputs), TruthInCents(data));
      return {{"to_truth_median", apart.median, "cents"},
              {"to_truth_largest", apart.largest, "cents"}};
    }
    case MetricKind::kNone:
      break;
  }
  return {};
}

std::vector<Metric> MeasureAgainstFloat(const EvaluationData& data, const Tensor& outputs,
                                        const Tensor& float_outputs) {
  switch (data.metric) {
    case MetricKind::kTopOne: {
      const int64_t classes = outputs.dim(1);
      double changed = 0;
      for (int64_t i = 0; i < outputs.dim(0); ++i) {
        const int64_t row = i * classes;
        changed += FirstMaximum(outputs.data<float>() + row, classes) !=
                   FirstMaximum(float_outputs.data<float>() + row, classes);
      }
      const double lost = TopOneAccuracy(float_outputs, data.labels) -
                          TopOneAccuracy(outputs, data.labels);
      return {{"top1_lost", 100 * lost, "points"}, {"rows_changed", changed, "rows"}};
    }
    case MetricKind::kCents: {
      const Deviation apart =
          AbsoluteDeviation(PitchesInCents(outputs), PitchesInCents(float_outputs));
      return {{"to_float_median", apart.median, "cents"},
              {"to_float_largest", apart.largest, "cents"}};
    }
    case MetricKind::kNone:
      break;
  }
  return {};
}

}  // namespace qconform
