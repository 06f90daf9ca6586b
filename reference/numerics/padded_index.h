// Where an element of a padded axis comes from.
#ifndef QCONFORM_REFERENCE_NUMERICS_PADDED_INDEX_H_
#define QCONFORM_REFERENCE_NUMERICS_PADDED_INDEX_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// `at` counts from the first element of the input and may lie outside [0, size).
// Answers the input's index, or -1 for the fill. Precondition: CheckPadding.
inline int64_t PaddedIndex(int64_t at, int64_t size, int32_t mode) {
  if (at >= 0 && at < size) return at;
  switch (mode) {
    case QC_PADDING_REFLECT:
      return at < 0 ? -at : 2 * (size - 1) - at;
    case QC_PADDING_REPLICATE:
      return std::clamp<int64_t>(at, 0, size - 1);
    case QC_PADDING_CIRCULAR:
      return (at % size + size) % size;
    default:
      return -1;
  }
}

inline std::string CheckPadding(int64_t size, int64_t before, int64_t after,
                                int32_t mode) {
  if (before < 0 || after < 0) return "padding is negative";
  const int64_t most = std::max(before, after);
  switch (mode) {
    case QC_PADDING_ZEROS:
      return "";
    case QC_PADDING_REFLECT:
      return most < size || most == 0 ? "" : "reflection reaches beyond the input";
    case QC_PADDING_REPLICATE:
      return size > 0 || most == 0 ? "" : "there is no element to replicate";
    case QC_PADDING_CIRCULAR:
      return most <= size ? "" : "circular padding is longer than the input";
    default:
      return "the padding mode is not known";
  }
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_PADDED_INDEX_H_
