// How good a model's outputs are.
#ifndef QCONFORM_DATASETS_METRICS_H_
#define QCONFORM_DATASETS_METRICS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/catalogue.h"
#include "reference/ir/tensor.h"

namespace qconform {

// Share of rows whose first maximum is at the label. logits: float32 [N, classes],
// labels: int64 [N]. Precondition: N > 0.
double TopOneAccuracy(const Tensor& logits, const Tensor& labels);

// Of absolute differences; the median of an even count is the mean of the middle two.
struct Deviation {
  double median = 0.0;
  double largest = 0.0;
};
Deviation AbsoluteDeviation(std::span<const double> a, std::span<const double> b);

// One number about a model, and a line for a person.
struct Metric {
  std::string name;  // "top1", "cents_to_truth_median", ...
  double value;
  std::string unit;  // "%", "cents"
};

// The metrics of outputs on a model's evaluation data, against the truth.
std::vector<Metric> MeasureAgainstTruth(const EvaluationData& data,
                                        const Tensor& outputs);
// The same outputs against those of the float model: points of accuracy lost and rows
// that changed, or cents apart.
std::vector<Metric> MeasureAgainstFloat(const EvaluationData& data, const Tensor& outputs,
                                        const Tensor& float_outputs);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_METRICS_H_
