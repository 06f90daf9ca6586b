// Dead code elimination that keeps what has an effect beside its value.
#ifndef QCONFORM_REFERENCE_PT2E_LIVE_NODES_H_
#define QCONFORM_REFERENCE_PT2E_LIVE_NODES_H_

#include "reference/exported/exported_program.h"

namespace qconform {

// Whether the node writes to one of its arguments, draws random numbers, or checks the
// inputs (_guards_fn); placeholders and the output, too. (torch.fx.Node.is_impure)
bool IsImpure(const Node& node);

// Whether the first argument is written to: aten.add_.Tensor, aten.copy_.default.
bool WritesFirstArgument(const Node& node);

// Removes nodes without users that are not impure, last to first, in linear time.
void EliminateDeadNodes(ExportedProgram& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_LIVE_NODES_H_
