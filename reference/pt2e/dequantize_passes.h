// What convert does to the dequantize nodes that it wrote.
#ifndef QCONFORM_REFERENCE_PT2E_DEQUANTIZE_PASSES_H_
#define QCONFORM_REFERENCE_PT2E_DEQUANTIZE_PASSES_H_

#include "reference/config/mode.h"
#include "reference/exported/exported_program.h"
#include "reference/pt2e/quantization_annotation.h"

namespace qconform {

// A dequantize node with several users is copied for each user that an annotation says
// something of; the others keep it. Not behind parameters that are chosen at run time.
// (DuplicateDQPass)
void DuplicateDequantize(ExportedProgram& program, const Annotations& annotations);

// Copies stack trace and quantization tag: a dequantize takes those of the node that
// reads it, a quantize those of its producer or constant. Throws PipelineError in torch
// mode for a dynamic input without chosen parameters ("ValueError") or with other readers
// of them
// ("InternalError"). (PortNodeMetaForQDQ)
void PortMetadata(ExportedProgram& program, const Annotations& annotations, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_DEQUANTIZE_PASSES_H_
