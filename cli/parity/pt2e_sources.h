// Where the nodes of a recorded program came from, as far as records let it be told.
#ifndef QCONFORM_CLI_PARITY_PT2E_SOURCES_H_
#define QCONFORM_CLI_PARITY_PT2E_SOURCES_H_

#include "reference/exported/exported_program.h"

namespace qconform::parity {

// Records hold module stacks but neither torch_fn nor source_fn_stack. Both are made as
// torch.export makes them for a model that adds by operators and calls functions by their
// usual names (F.relu, torch.cat): torch_fn for every call, one call each; in a strict
// program source_fn_stack, too, where a get_attr node has that of its last user.
void AddSourceMetadata(ExportedProgram& program);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_SOURCES_H_
