// Batch norms of an exported program folded into the layer before them.
#ifndef QCONFORM_REFERENCE_PT2E_FOLD_EXPORTED_BATCH_NORM_H_
#define QCONFORM_REFERENCE_PT2E_FOLD_EXPORTED_BATCH_NORM_H_

#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/exported/exported_program.h"

namespace qconform {

// What a fold did that its author may not expect: one line that names the nodes.
using FoldWarnings = std::vector<std::string>;

// Every batch norm over a convolution, then every one over a linear; the formula is that
// of fuse/fold_batch_norm.h with the node's eps. A layer without a bias gets one as
// <weight>_bias. In torch mode as torchao: a layer whose value is used elsewhere, too,
// gives the folded value there; of a weight that two batch norms share only the first is
// folded in, the second is dropped. Strict mode folds neither. A batch norm over a linear
// of more than two dimensions stays. Throws PipelineError("ValueError") where weights are
// no attributes. (_fuse_conv_bn_, _fuse_linear_bn_)
FoldWarnings FoldExportedBatchNorms(ExportedProgram& program, Mode mode);

// Folds one batch norm into `layer`; the batch norm goes if nothing reads it any more.
// `bias` is the node that the layer reads its bias through, nullptr without; `weight` is
// the attribute's node, which need not be the layer's own argument.
// (fold_bn_weights_into_conv_node)
void FoldBatchNormInto(ExportedProgram& program, Node* layer, const Node* weight,
                       const Node* bias, Node* batch_norm, bool only_drop, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_FOLD_EXPORTED_BATCH_NORM_H_
