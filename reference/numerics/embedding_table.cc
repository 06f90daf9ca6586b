#include "reference/numerics/embedding_table.h"

#include "reference/ir/half.h"

namespace qconform {

RowQparams RowQparamsOf(float scale, float zero_point, bool four_bits) {
  const RowQparams row{scale, -zero_point * scale};
  if (!four_bits) return row;
  return {HalfToFloat(FloatToHalf(row.scale)), HalfToFloat(FloatToHalf(row.offset))};
}

}  // namespace qconform
