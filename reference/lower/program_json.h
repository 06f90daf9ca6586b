// A Program as text: program.json, its constants beside it in a safetensors file.
//   "values"  [{"name", "dtype", "shape", "scale", "zero_point" or "zero_point_f32",
//             "axis", "quant_min", "quant_max", "constant": true}]; what is absent or
//             zero is left out
//   "steps"   in order: {"operator": KIND, "attributes": {..}, "inputs", "outputs",
//             "scheme", "node", "nodes", "pattern"}, or
//             {"island": GRAPH, "inputs", "outputs", "nodes", "reason"}
//   "inputs", "outputs"   value names; null for an absent input
// KIND and the attributes are the ABI's names in lower case; zero attributes are left
// out. ProgramFromJson throws InputError, at the offending place, for a name that stands
// twice, an unknown name, a value used before it is made, and qparams or constants that
// do not fit.
#ifndef QCONFORM_REFERENCE_LOWER_PROGRAM_JSON_H_
#define QCONFORM_REFERENCE_LOWER_PROGRAM_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "reference/formats/json_file.h"
#include "reference/ir/ordered_map.h"
#include "reference/lower/program.h"

namespace qconform {

// "conv", "max_pool", ...
std::string_view OperatorKindName(int kind);
std::optional<qc_operator_kind> ParseOperatorKind(std::string_view name);

ordered_json AttributesToJson(const qc_attributes& attributes);
// Throws InputError for an unknown attribute.
qc_attributes AttributesFromJson(const ordered_json& value, const JsonOrigin& origin);

// Constants go into `tensors` as "constant.<value>", larger tensors of islands under the
// paths that they have in the graph.
ordered_json ProgramToJson(const Program& program, OrderedMap<Tensor>& tensors);
Program ProgramFromJson(const ordered_json& value, const JsonOrigin& origin,
                        const OrderedMap<Tensor>& tensors);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_PROGRAM_JSON_H_
