// Whether a zero point that is one apart is explained by what its range is known up to.
#ifndef QCONFORM_CLI_PARITY_ZERO_POINT_ERROR_H_
#define QCONFORM_CLI_PARITY_ZERO_POINT_ERROR_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cli/parity/part.h"
#include "reference/observe/observer.h"

namespace qconform::parity {

// How far the value that is rounded to a zero point lies from a tie, and how far its
// error reaches.
struct ZeroPointTie {
  double distance = 0.5;
  double reach = 0;
};

// Of -end / scale, where the range's end is known up to `range_error`, d, and the scale
// up to `scale_error`, E(s): -end / s is known up to (d + |end| E(s) / s) / s.
ZeroPointTie TieOf(double end, double scale, double range_error, double scale_error);

// Of the parameters that `observer` gives: an affine one has a tie at the low end of its
// range; of a symmetric one, or one without a range, every zero point is exact.
ZeroPointTie TieOf(const Observer& observer, double scale, double range_error,
                   double scale_error);

// Another zero point only where the error reaches the tie, one apart; it is noted.
std::optional<Difference> CompareZeroPoint(const std::string& where, int64_t got,
                                           int64_t want, const ZeroPointTie& tie,
                                           RecordReport& report);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_ZERO_POINT_ERROR_H_
