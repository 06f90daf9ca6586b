// Convolutions with a batch norm in training: the weight is quantized as it will be once
// the batch norm is folded.
#ifndef QCONFORM_REFERENCE_PT2E_QAT_BATCH_NORM_H_
#define QCONFORM_REFERENCE_PT2E_QAT_BATCH_NORM_H_

#include "reference/config/mode.h"
#include "reference/exported/exported_program.h"
#include "reference/pt2e/quantization_annotation.h"

namespace qconform {

// y = bn(conv(x, w) + b) becomes, with s = gamma / sqrt(running_var + eps),
//   y = bn(conv(x, w * s, 0) / s + b)
// for 1-d and 2-d convolutions and transposed ones whose value only the batch norm reads.
// eps is 1e-5 whatever the model has in torch mode, the model's in strict mode. The
// convolution's annotation moves to the new one: the specs of its first three inputs by
// position, names of the old nodes in shared and derived specs with it. Throws
// PipelineError("IndexError") for an annotated convolution with fewer than two.
// (_fuse_conv_bn_qat)
void ScaleWeightsOfBatchNorms(ExportedProgram& program, Annotations& annotations,
                              Mode mode);

// The same with quantized weights, and perhaps bias, becomes one convolution over the
// folded weight, which has the annotation of the old one; counters of batch norms go.
// (_fold_conv_bn_qat)
void FoldScaledBatchNorms(ExportedProgram& program, Annotations& annotations, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_QAT_BATCH_NORM_H_
