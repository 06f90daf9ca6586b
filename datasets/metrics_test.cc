#include "datasets/metrics.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

Tensor Logits() {
  return Tensor::FromVector<float>(DType::kFloat32, {3, 2}, {1, 2, 5, 4, 3, 3});
}

TEST(Metrics, TopOneTakesTheFirstMaximum) {
  const Tensor labels = Tensor::FromVector<int64_t>(DType::kInt64, {3}, {1, 1, 0});
  EXPECT_DOUBLE_EQ(TopOneAccuracy(Logits(), labels), 2.0 / 3.0);
}

TEST(Metrics, DeviationOfEvenAndOddCounts) {
  const std::vector<double> a = {1, 5, 2, 10};
  const std::vector<double> b = {2, 5, 4, 7};  // apart 1 0 2 3
  EXPECT_EQ(AbsoluteDeviation(a, b).median, 1.5);
  EXPECT_EQ(AbsoluteDeviation(a, b).largest, 3);
  EXPECT_EQ(AbsoluteDeviation(std::span(a).first(3), std::span(b).first(3)).median, 1);
  EXPECT_EQ(AbsoluteDeviation({}, {}).largest, 0);
}

TEST(Metrics, AgainstFloatCountsChangedRowsAndLostPoints) {
  EvaluationData data;
  data.metric = MetricKind::kTopOne;
  data.labels = Tensor::FromVector<int64_t>(DType::kInt64, {3}, {1, 0, 0});
  const Tensor worse =
      Tensor::FromVector<float>(DType::kFloat32, {3, 2}, {2, 1, 5, 4, 3, 3});
  const std::vector<Metric> metrics = MeasureAgainstFloat(data, worse, Logits());
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_NEAR(metrics[0].value, 100.0 / 3.0, 1e-12);
  EXPECT_EQ(metrics[1].value, 1);
  EXPECT_EQ(MeasureAgainstTruth(data, Logits())[0].value, 100);
}

}  // namespace
}  // namespace qconform
