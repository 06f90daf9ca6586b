// The bounds of error_bound.h through batch norm in training.
//
// A channel's statistics are sums of n values z known up to e = max E(z). With D the
// largest distance from the mean and N = n where torch sums in float32 (one position a
// sample), else 4 (in double):
//   E(mean) = e + gamma(N) max|z|,  E(var) = 2 D (e + E(mean)) + gamma(N + 2) D^2
//   E(y) = |g| r (E(z) + E(mean) + |z - mean| E(var) / (2 (var + eps))) + 8 u terms
// with r = 1 / sqrt(var + eps); without training, mean and var are the running ones and
// their bounds. These move by the momentum m: E(running) <- (1 - m) E(running) + m E and
// 4 u of the value. Variances divide by n - 1 there.
//
// A QAT module scales its weight by k = g / sqrt(running_var + eps), known up to a
// relative E(running_var) / (2 (running_var + eps)) + 2 u; its fake-quantizer sees w k.
#ifndef QCONFORM_CLI_PARITY_TRAIN_BOUND_H_
#define QCONFORM_CLI_PARITY_TRAIN_BOUND_H_

#include <unordered_map>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/registry.h"

namespace qconform::parity {

// What a module's state is known up to, by channel.
struct TrainedError {
  std::vector<double> running_mean;
  std::vector<double> running_var;
  // Of the range of the weight's fake-quantizer.
  std::vector<double> weight_range;
};
using TrainedErrors = std::unordered_map<const Module*, TrainedError>;

// Whether the bound of the module's forward needs this file: batch norm alone or inside a
// QAT module.
bool HasBatchNorm(const Module& module);

// Whether it is a fused container, of modules that run one after the other, with a batch
// norm among them.
bool ContainsBatchNorm(const Module& module);

// E(y) of one forward. `before` is a copy of the module from before it; `known` is
// what its state was known up to, and is brought up to date. `error` may be nullptr.
Tensor TrainedForwardError(const Module& before, const Tensor& x, const Tensor* error,
                           const Registry& registry, TrainedError& known);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_TRAIN_BOUND_H_
