// Folds a batch norm in evaluation mode into the layer before it.
#ifndef QCONFORM_REFERENCE_FUSE_FOLD_BATCH_NORM_H_
#define QCONFORM_REFERENCE_FUSE_FOLD_BATCH_NORM_H_

#include <memory>

#include "reference/config/mode.h"
#include "reference/ir/module.h"

namespace qconform {

// Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", 2018, section 3.2; in the order of operations of
// torch.nn.utils.fusion, in the dtype of the weight:
//   r = 1 / sqrt(running_var + eps)
//   convolution: w' = w * (gamma * r), b' = (b - running_mean) * r * gamma + beta
//   linear:      w' = w * (gamma * r), b' = (b - running_mean) * (gamma * r) + beta
// A missing bias is 0, a missing gamma 1, a missing beta 0; for linear torch mode
// refuses the latter two as torch does. Both return a copy and throw PipelineError
// where torch raises. Strict mode also folds grouped transposed convolutions.
std::shared_ptr<Module> FoldConvBatchNorm(const Module& conv, const Module& batch_norm,
                                          bool is_transposed, Mode mode);
std::shared_ptr<Module> FoldLinearBatchNorm(const Module& linear,
                                            const Module& batch_norm, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FUSE_FOLD_BATCH_NORM_H_
