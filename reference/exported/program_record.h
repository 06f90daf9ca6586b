// A program as the JSON that datasets/export/exported_programs.py writes of torch's:
//   {"nodes": [{"name", "op", "target", "args", "kwargs", "stack": [[path, class]],
//     "source": [[name, function]], "torch_fn", "value", "users"}],
//    "attributes": {path: {"kind", "node", "dtype", "shape", "sha256"}},
//    "symbols": {name: [minimum, maximum]}}
// Arguments are encoded as in graph files; a value is {"dtype", "shape"}, {"tuple":
// [...]}, "symbol" or null.
#ifndef QCONFORM_REFERENCE_EXPORTED_PROGRAM_RECORD_H_
#define QCONFORM_REFERENCE_EXPORTED_PROGRAM_RECORD_H_

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"

namespace qconform {

ordered_json ProgramRecord(const ExportedProgram& program);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_PROGRAM_RECORD_H_
