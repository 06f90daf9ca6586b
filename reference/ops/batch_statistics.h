// Statistics of a batch by channel, to the bit as torch's CPU kernels take them.
#ifndef QCONFORM_REFERENCE_OPS_BATCH_STATISTICS_H_
#define QCONFORM_REFERENCE_OPS_BATCH_STATISTICS_H_

#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

struct BatchStatistics {
  std::vector<float> mean;
  // Sum of the squared distances from the mean.
  std::vector<float> squares;
  // Values a channel.
  int64_t count = 0;

  // 1 / sqrt(squares / count + eps)
  std::vector<float> InverseDeviation(double eps) const;
};

// Of [N, C, ...], float. Sums are taken in index order: in double, of float terms,
// where a channel has more than one position a sample; else in float. Torch splits the
// latter over its threads and adds the parts in double: this is what one thread gives.
// (batch_norm_cpu_collect_stats)
BatchStatistics TakeBatchStatistics(const Tensor& input);

// Moves running_mean and running_var [C], float32, in place by `momentum`. Precondition:
// count > 1.
void MoveRunningStatistics(const BatchStatistics& batch, double momentum,
                           Tensor& running_mean, Tensor& running_var);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_BATCH_STATISTICS_H_
