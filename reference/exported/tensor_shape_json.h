// Dtypes and sizes in the JSON of torch.export: numbers of torch._export.serde.schema.
#ifndef QCONFORM_REFERENCE_EXPORTED_TENSOR_SHAPE_JSON_H_
#define QCONFORM_REFERENCE_EXPORTED_TENSOR_SHAPE_JSON_H_

#include <string>

#include "reference/exported/exported_program.h"
#include "reference/formats/json_file.h"

namespace qconform {

// All throw InputError "origin: ..." on another kind of value.

// schema.ScalarType as a number; those that no tensor here can have are refused.
DType ScalarTypeFromJson(const ordered_json& value, const JsonOrigin& origin);

// {"as_int": 3} or {"as_expr": {"expr_str": ..., "hint": {"as_int": 3}}}. The value of an
// expression without a hint is 0.
Dimension DimensionFromJson(const ordered_json& value, const JsonOrigin& origin);

// schema.TensorMeta: dtype and sizes; a shape that no machine holds is refused.
TensorMetadata TensorMetadataFromJson(const ordered_json& value,
                                      const JsonOrigin& origin);

// The only member of an object that stands for a union: {"as_int": 3} -> ("as_int", 3).
struct TaggedJson {
  const std::string& tag;
  const ordered_json& value;
};
TaggedJson RequireTagged(const ordered_json& value, std::string_view what,
                         const JsonOrigin& origin);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_TENSOR_SHAPE_JSON_H_
