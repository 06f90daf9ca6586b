#include "reference/ir/rows.h"

#include <algorithm>
#include <cassert>

namespace qconform {

Tensor Rows(const Tensor& x, int64_t begin, int64_t end) {
  assert(x.rank() > 0 && 0 <= begin && begin <= end && end <= x.dim(0));
  Shape shape = x.shape();
  shape[0] = end - begin;
  Tensor rows(x.dtype(), std::move(shape));
  if (x.quantization()) rows.set_quantization(*x.quantization());
  if (rows.byte_size() == 0) return rows;
  const size_t row_bytes = x.byte_size() / static_cast<size_t>(x.dim(0));
  std::copy_n(x.bytes() + static_cast<size_t>(begin) * row_bytes, rows.byte_size(),
              rows.bytes());
  return rows;
}

}  // namespace qconform
