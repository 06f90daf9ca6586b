// What each input and output of a serialized program stands for
// (torch._export.serde.schema.GraphSignature).
#ifndef QCONFORM_REFERENCE_EXPORTED_SIGNATURE_JSON_H_
#define QCONFORM_REFERENCE_EXPORTED_SIGNATURE_JSON_H_

#include <string>
#include <vector>

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"

namespace qconform {

// An output is returned, or written to a buffer, parameter or input.
struct OutputSpec {
  bool is_mutation = false;
  // The attribute path, or for an input the name of its value.
  std::string target;
};

struct GraphSignature {
  // `node` is the name of the value; it is empty for a constant input without a name.
  std::vector<ProgramInput> inputs;
  std::vector<OutputSpec> outputs;
};

// Throws InputError on objects, tokens and gradients.
GraphSignature GraphSignatureFromJson(const ordered_json& value,
                                      const JsonOrigin& origin);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_SIGNATURE_JSON_H_
