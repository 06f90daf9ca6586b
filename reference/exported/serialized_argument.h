// Arguments of a node in the JSON of torch.export (torch._export.serde.schema.Argument).
#ifndef QCONFORM_REFERENCE_EXPORTED_SERIALIZED_ARGUMENT_H_
#define QCONFORM_REFERENCE_EXPORTED_SERIALIZED_ARGUMENT_H_

#include <functional>
#include <string>

#include "reference/formats/json_file.h"
#include "reference/ir/argument.h"

namespace qconform {

// The node that gives the value of a name; throws InputError if none does yet.
using ValueLookup =
    std::function<Node*(const std::string& name, const std::string& where)>;

// {"as_tensor": {"name": "x"}}, {"as_ints": [1, 1]}, {"as_none": true}, ... Dtypes are
// dtypes; memory formats, layouts and devices stay text ("torch.channels_last", "cpu").
// Throws InputError on unknown kinds and on those that are no data: graphs and objects.
Argument ArgumentFromSerialized(const ordered_json& value, const ValueLookup& lookup,
                                const JsonOrigin& origin);

// "torch.ops.aten.conv2d.default" -> "aten.conv2d.default", "_operator.mul" ->
// "operator.mul"; others as they are.
std::string OperatorTarget(const std::string& serialized);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_SERIALIZED_ARGUMENT_H_
