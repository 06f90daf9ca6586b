#include "reference/exported/tensor_shape_json.h"

#include "reference/exported/quoted_text.h"
#include "reference/exported/sympy_text.h"
#include "reference/formats/json_value.h"
#include "reference/formats/tensor_size.h"
#include "reference/ir/error.h"

namespace qconform {

TaggedJson RequireTagged(const ordered_json& value, std::string_view what,
                         const JsonOrigin& origin) {
  RequireObject(value, what, origin);
  const auto& members = value.get_ref<const ordered_json::object_t&>();
  if (members.size() != 1) {
    throw InputError(
        origin.Of(value),
        std::string(what) + " has " + std::to_string(members.size()) + " keys",
        "one that tells its kind");
  }
  return {members.begin()->first, members.begin()->second};
}

DType ScalarTypeFromJson(const ordered_json& value, const JsonOrigin& origin) {
  switch (RequireInteger(value, "the dtype", origin)) {
    case 1:
      return DType::kUInt8;
    case 2:
      return DType::kInt8;
    case 3:
      return DType::kInt16;
    case 4:
      return DType::kInt32;
    case 5:
      return DType::kInt64;
    case 6:
      return DType::kFloat16;
    case 7:
      return DType::kFloat32;
    case 8:
      return DType::kFloat64;
    case 12:
      return DType::kBool;
    case 13:
      return DType::kBFloat16;
    case 28:
      return DType::kUInt16;
    case 29:
      return DType::kFloat8E4M3FN;
    case 30:
      return DType::kFloat8E5M2;
    default:
      throw InputError(origin.Of(value), "the dtype is " + DescribeJson(value),
                       "a number of torch._export.serde.schema.ScalarType for a real or "
                       "integer type");
  }
}

Dimension DimensionFromJson(const ordered_json& value, const JsonOrigin& origin) {
  const auto [tag, content] = RequireTagged(value, "a size", origin);
  Dimension dimension;
  if (tag == "as_int") {
    dimension.value = RequireInteger(content, "a size", origin);
  } else if (tag == "as_expr") {
    RequireObject(content, "'as_expr'", origin);
    const ordered_json& text = RequireMember(content, "expr_str", origin);
    dimension.expression =
        SympyText(RequireString(text, "'expr_str'", origin), origin.Of(value));
    const ordered_json* hint = FindMember(content, "hint");
    if (hint != nullptr && !hint->is_null()) {
      const auto [kind, number] = RequireTagged(*hint, "'hint'", origin);
      if (kind != "as_int") {
        throw InputError(origin.Of(value), "the hint of a size is " + Quoted(kind),
                         "'as_int'");
      }
      dimension.value = RequireInteger(number, "the hint of a size", origin);
    }
  } else {
    throw InputError(origin.Of(value), "a size is " + Quoted(tag),
                     "'as_int' or 'as_expr'");
  }
  return dimension;
}

TensorMetadata TensorMetadataFromJson(const ordered_json& value,
                                      const JsonOrigin& origin) {
  RequireObject(value, "the description of a tensor", origin);
  TensorMetadata metadata;
  metadata.dtype = ScalarTypeFromJson(RequireMember(value, "dtype", origin), origin);
  Shape shape;
  const ordered_json& sizes = RequireMember(value, "sizes", origin);
  for (const ordered_json& size : RequireArray(sizes, "'sizes'", origin)) {
    metadata.shape.push_back(DimensionFromJson(size, origin));
    shape.push_back(metadata.shape.back().value);
  }
  constexpr size_t kMaxRank = 64;  // as many as TensorIterator takes
  if (shape.size() > kMaxRank || !CheckedByteSize(shape, metadata.dtype)) {
    throw InputError(origin.Of(value),
                     "a tensor has the sizes " + ShapeText(shape).substr(0, 200),
                     "sizes of a tensor that fits into a machine");
  }
  return metadata;
}

}  // namespace qconform
