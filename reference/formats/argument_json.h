// Node arguments in JSON:
//   {"n": NAME} node      {"l": [..]} list    {"t": [..]} tuple   {"d": {..}} dict
//   {"sl": [a, b, c]} slice    {"dt": "torch.uint8"} dtype    {"o": TEXT} other
//   {"s": TEXT} a string that reads like a non-finite number; else JSON scalars,
//   with "NaN", "Infinity" and "-Infinity" for the floats that JSON lacks.
#ifndef QCONFORM_REFERENCE_FORMATS_ARGUMENT_JSON_H_
#define QCONFORM_REFERENCE_FORMATS_ARGUMENT_JSON_H_

#include <functional>
#include <string>

#include "reference/formats/json_file.h"
#include "reference/ir/argument.h"
#include "reference/ir/graph.h"

namespace qconform {

// The node of a name, or nullptr.
using NodeLookup = std::function<Node*(const std::string&)>;

// Throws InputError on an unknown encoding and on a node that `lookup` does not know;
// without a lookup on every node.
Argument ArgumentFromJson(const ordered_json& value, const NodeLookup& lookup = {},
                          const JsonOrigin& origin = "argument");

ordered_json ArgumentToJson(const Argument& argument);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_ARGUMENT_JSON_H_
