// From the saved form of a program to that of ExportedProgram.module().
#ifndef QCONFORM_REFERENCE_EXPORTED_UNLIFT_H_
#define QCONFORM_REFERENCE_EXPORTED_UNLIFT_H_

#include "reference/exported/exported_program.h"
#include "reference/exported/signature_json.h"

namespace qconform {

// Calls without users go, last to first, unless they have an effect: what .module() does
// to programs that were decomposed. (torch.export._remove_effect_tokens_pass)
void EraseUnusedNodes(ExportedProgram& program);

// Placeholders of parameters, buffers and constants become get_attr nodes in their
// places; outputs that are written to one of those or to an input become aten.copy_
// before the output node. Sets `program.inputs`. Throws InputError "where: ..." if an
// output is written to nothing. (torch.export._unlift._unlift)
void Unlift(const GraphSignature& signature, const std::string& where,
            ExportedProgram& program);

// The call of the module _guards_fn, which would check the inputs, after the last
// placeholder; none without placeholders. (_unlift_exported_program_lifted_states)
void AddGuardsCall(ExportedProgram& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_UNLIFT_H_
