// How far a scale may lie from one that was taken from slightly other values.
#ifndef QCONFORM_CLI_PARITY_SCALE_ERROR_H_
#define QCONFORM_CLI_PARITY_SCALE_ERROR_H_

#include <cmath>

#include "reference/observe/observer.h"

namespace qconform::parity {

// A range known up to e at both ends gives s = (max - min) / steps, which is then known
// up to 2 e / steps and two roundings, of u = 2^-24 and as much again for s itself.
inline double ScaleError(double range_error, double steps, double scale) {
  return 2 * range_error / steps + 0x1p-22 * scale;
}

// Whether two values lie further apart than a bound. A NaN lies apart from everything but
// a NaN, an infinity from everything but itself, and no bound that is not finite holds.
inline bool IsApart(double got, double want, double bound) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return false;
  return !std::isfinite(bound) || !(std::fabs(got - want) <= bound);
}

// quant_max - quant_min, of quint8 where an observer has none.
inline double StepsOf(const Observer& observer) {
  return static_cast<double>(observer.quant_max.value_or(255) -
                             observer.quant_min.value_or(0));
}

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_SCALE_ERROR_H_
