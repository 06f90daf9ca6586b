// A serialized program (models/*.json of an archive) with its tensors.
#ifndef QCONFORM_REFERENCE_EXPORTED_PROGRAM_JSON_H_
#define QCONFORM_REFERENCE_EXPORTED_PROGRAM_JSON_H_

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

struct ProgramTensors {
  OrderedMap<Tensor> weights;
  // Constants and buffers that are not persistent.
  OrderedMap<Tensor> constants;
};

// The program as torch.export.load(file).module() gives it, node for node. `guarded` is
// whether the archive holds sample inputs: only then torch adds the call of _guards_fn.
// Throws InputError "file: ..." on another major version of the schema, on tensors that
// are missing or have another dtype or shape than the graph says, and as ReadLiftedGraph.
ExportedProgram ExportedProgramFromJson(const JsonFile& file,
                                        const ProgramTensors& tensors, bool guarded);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_PROGRAM_JSON_H_
