// Observers as nodes of an exported program.
#ifndef QCONFORM_REFERENCE_PT2E_INSERT_PROGRAM_OBSERVERS_H_
#define QCONFORM_REFERENCE_PT2E_INSERT_PROGRAM_OBSERVERS_H_

#include "reference/exported/exported_program.h"
#include "reference/pt2e/observer_map.h"
#include "reference/pt2e/quantization_annotation.h"

namespace qconform {

// Gives every annotated node its input observers and, where its value is one tensor, its
// output observer, as modules activation_post_process_<n>. A place whose observer stands
// there already, by the producer's output or by another user, reads that one. Linear in
// the number of arguments. Throws PipelineError("AssertionError") for an annotated node
// with a node among its keyword arguments.
// (_maybe_insert_input_and_output_observers_for_node)
void InsertProgramObservers(ExportedProgram& program, const Annotations& annotations,
                            const ObserverMap& observers);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_INSERT_PROGRAM_OBSERVERS_H_
