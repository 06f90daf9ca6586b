#include "conformance/compare/accuracy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace qconform {

double SqnrDb(std::span<const double> got, std::span<const double> want) {
  assert(got.size() == want.size());
  double signal = 0;
  double noise = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    signal += want[i] * want[i];
    noise += (got[i] - want[i]) * (got[i] - want[i]);
  }
  if (noise == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}

std::optional<TopOneAgreement> CompareTopOne(const Shape& shape,
                                             std::span<const double> got,
                                             std::span<const double> want) {
  if (shape.size() != 2 || shape[1] < 2) return std::nullopt;
  const auto classes = static_cast<size_t>(shape[1]);
  const auto first_maximum = [classes](std::span<const double> values, size_t row) {
    const auto one = values.subspan(row * classes, classes);
    return std::max_element(one.begin(), one.end()) - one.begin();
  };
  TopOneAgreement agreement{0, shape[0]};
  for (size_t row = 0; row < static_cast<size_t>(shape[0]); ++row)
    agreement.same += first_maximum(got, row) == first_maximum(want, row) ? 1 : 0;
  return agreement;
}

}  // namespace qconform
