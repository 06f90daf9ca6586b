// Constants that are quantized ahead of time.
#ifndef QCONFORM_REFERENCE_PT2E_FOLD_QUANTIZE_H_
#define QCONFORM_REFERENCE_PT2E_FOLD_QUANTIZE_H_

#include "reference/exported/exported_program.h"

namespace qconform {

// Every quantize node whose inputs are constants becomes a get_attr node of its name that
// reads the integers, _frozen_param<n>; constants that nothing reads any more go. What an
// operator writes to is no constant. (constant_fold with _quant_node_constraint)
void FoldQuantize(ExportedProgram& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_FOLD_QUANTIZE_H_
