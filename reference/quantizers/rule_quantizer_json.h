// Rules as JSON, so that a quantizer needs no compiler:
//   {"quantizer": "rules", "name": "my_npu", "scalars_to_tensors": false,
//    "specs": {"act": SPEC, "weight": SPEC},
//    "patterns": {"gemm": [{"name": "mm", "targets": ["aten.matmul.default"],
//                           "inputs": ["a", "b"]}]},
//    "rules": [{"pattern": "conv_relu", "module_name": "stem", "module_type": "...",
//               "edges": [{"from": "input", "to": "conv", "spec": "act"},
//                         {"from": "weight", "to": "conv", "spec": "weight"}],
//               "outputs": {"relu": "act"}},
//              {"pattern": "linear", "module_name": "head", "float": true}]}
// A pattern is one of the library (pattern_library.h) or of the file: calls in their
// order, names without a call come from outside, and several targets make several graphs.
// A spec is one of "specs" by name, or as quantization_spec_json.h has it, with names of
// the pattern as places. "to" may be left out where one node uses "from".
#ifndef QCONFORM_REFERENCE_QUANTIZERS_RULE_QUANTIZER_JSON_H_
#define QCONFORM_REFERENCE_QUANTIZERS_RULE_QUANTIZER_JSON_H_

#include <memory>

#include "reference/formats/json_file.h"
#include "reference/quantizers/rule_quantizer.h"

namespace qconform {

// Throws InputError at the offending value.
std::shared_ptr<RuleQuantizer> RuleQuantizerFromJson(const ordered_json& json,
                                                     const JsonOrigin& origin, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_RULE_QUANTIZER_JSON_H_
