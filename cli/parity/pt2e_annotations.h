// Annotations and sharing groups of exported programs in the form of the oracle records.
#ifndef QCONFORM_CLI_PARITY_PT2E_ANNOTATIONS_H_
#define QCONFORM_CLI_PARITY_PT2E_ANNOTATIONS_H_

#include <nlohmann/json.hpp>
#include <string>

#include "reference/pt2e/prepare_pt2e.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// By node in graph order: {"inputs": [[producer, spec]], "output": spec, "annotated",
// "allow_implicit_sharing", "is_output_of_quantized_pattern"}.
ordered_json AnnotationsToRecord(const ExportedProgram& program,
                                 const Annotations& annotations);
// Records do not name derive functions: "scale_product" is taken for each. Throws
// InputError for a spec of another form.
Annotations AnnotationsFromRecord(const ExportedProgram& program,
                                  const ordered_json& json, const std::string& where);

// [[{"n": NODE} or {"edge": [PRODUCER, NODE]}, group]]
ordered_json GroupsToRecord(const std::vector<SharingEntry>& groups);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_ANNOTATIONS_H_
