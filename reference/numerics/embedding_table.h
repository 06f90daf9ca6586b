// Rows of an embedding table as real values.
#ifndef QCONFORM_REFERENCE_NUMERICS_EMBEDDING_TABLE_H_
#define QCONFORM_REFERENCE_NUMERICS_EMBEDDING_TABLE_H_

#include <cmath>
#include <cstdint>

namespace qconform {

// What fbgemm keeps beside a row of codes: real = code * scale + offset, where offset is
// -zero_point * scale, rounded on its own.
struct RowQparams {
  float scale;
  float offset;
};

// Tables of four bits keep both in float16, as torch packs them.
RowQparams RowQparamsOf(float scale, float zero_point, bool four_bits);

// sum + factor * (code * scale + offset), rounded as fbgemm's kernel does.
inline float AddCode(float sum, float code, const RowQparams& row, float factor) {
  return std::fma(code, row.scale * factor, sum + row.offset * factor);
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_EMBEDDING_TABLE_H_
