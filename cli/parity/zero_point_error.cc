#include "cli/parity/zero_point_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "reference/observe/histogram_observer.h"

namespace qconform::parity {
namespace {

// The low end of the range that the parameters come from.
std::optional<double> LowEnd(const Observer& observer) {
  if (const auto inner = observer.ActivationPostProcess()) return LowEnd(*inner);
  if (const auto* histogram = dynamic_cast<const HistogramObserver*>(&observer)) {
    if (histogram->IsUninitialized()) return std::nullopt;
    return histogram->Search().min;
  }
  const OrderedMap<Tensor> buffers = observer.Buffers();
  const Tensor* low = buffers.Find("min_val");
  if (low == nullptr || low->numel() != 1) return std::nullopt;
  return low->ValueAt(0);
}

}  // namespace

ZeroPointTie TieOf(double end, double scale, double range_error, double scale_error) {
  const double exact = -end / scale;
  return {std::fabs(exact - std::floor(exact) - 0.5),
          (range_error + std::fabs(end) * scale_error / scale) / scale};
}

ZeroPointTie TieOf(const Observer& observer, double scale, double range_error,
                   double scale_error) {
  if (range_error == 0 || IsSymmetric(observer.qscheme)) return {};
  const std::optional<double> low = LowEnd(observer);
  if (!low) return {};
  return TieOf(std::min(*low, 0.0), scale, range_error, scale_error);
}

std::optional<Difference> CompareZeroPoint(const std::string& where, int64_t got,
                                           int64_t want, const ZeroPointTie& tie,
                                           RecordReport& report) {
  if (got == want) return std::nullopt;
  if (!(tie.distance <= tie.reach) || std::llabs(got - want) > 1) {
    return Difference{
        where, fmt::format("{} ({} from a tie, bound {})", got, tie.distance, tie.reach),
        fmt::format("{}", want)};
  }
  report.Note(fmt::format("{}: {} against {}, {} from a tie (bound {})", where, got, want,
                          tie.distance, tie.reach));
  return std::nullopt;
}

}  // namespace qconform::parity
