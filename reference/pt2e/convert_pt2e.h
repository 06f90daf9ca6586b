// From a calibrated program to one over plain integers.
// (torchao.quantization.pt2e.quantize_pt2e.convert_pt2e)
#ifndef QCONFORM_REFERENCE_PT2E_CONVERT_PT2E_H_
#define QCONFORM_REFERENCE_PT2E_CONVERT_PT2E_H_

#include "reference/pt2e/prepare_pt2e.h"

namespace qconform {

struct ConvertPt2eOptions {
  // Quantized constants are stored as integers, _frozen_param<n>.
  bool fold_quantize = true;
};

struct ConvertedProgram {
  ExportedProgram program;
  Annotations annotations;
};

// Observers become quantized_decomposed quantize and dequantize nodes, a QAT convolution
// and its batch norm one convolution; every annotated reader of a dequantized value gets
// a dequantize of its own. Throws PipelineError as torchao does: ValueError for a dynamic
// input behind which nothing chooses parameters (strict mode leaves that be).
// (Takes the prepared program over, as PreparePt2e does.)
ConvertedProgram ConvertPt2e(PreparedProgram prepared,
                             const ConvertPt2eOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_CONVERT_PT2E_H_
