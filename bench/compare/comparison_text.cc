#include "bench/compare/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qconform::bench {
namespace {

std::string Time(double nanoseconds) {
  if (nanoseconds < 1e3) return fmt::format("{:.4g} ns", nanoseconds);
  if (nanoseconds < 1e6) return fmt::format("{:.4g} us", nanoseconds / 1e3);
  if (nanoseconds < 1e9) return fmt::format("{:.4g} ms", nanoseconds / 1e6);
  return fmt::format("{:.4g} s", nanoseconds / 1e9);
}

std::string Percent(double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); }

std::string Medians(const BenchmarkChange& change) {
  return fmt::format("{:>9} -> {:>9}  x{:.3f}  {:>8}", Time(change.old_median),
                     Time(change.new_median), change.median_ratio(),
                     Percent(change.median_ratio()));
}

std::string Line(const BenchmarkChange& change, size_t width) {
  const std::string verdict(ChangeVerdictName(change.verdict));
  if (change.verdict == ChangeVerdict::kError)
    return fmt::format("{:<{}}  {} {}\n", change.name, width, verdict, change.error);
  const std::string start =
      fmt::format("{:<{}}  {}  ", change.name, width, Medians(change));
  if (change.verdict == ChangeVerdict::kNotReliable)
    return start + fmt::format("{}: {} and {} repetitions, {} needed\n", verdict,
                               change.old_repetitions, change.new_repetitions,
                               kFewestRepetitions);
  return start + fmt::format("[{}, {}]  p {:.2g}  {}\n", Percent(change.ratio.low),
                             Percent(change.ratio.high), change.p, verdict);
}

// What a change would have had to be.
std::string Detectable(const BenchmarkComparison& comparison) {
  double least = HUGE_VAL, most = 0;
  for (const BenchmarkChange& change : comparison.changes) {
    if (!change.tested()) continue;
    least = std::min(least, change.detectable);
    most = std::max(most, change.detectable);
  }
  if (std::isinf(least)) return "no change could have been confirmed";
  const auto percent = [](double growth) {
    return std::isinf(growth) ? std::string("never")
                              : fmt::format("{:.1f} %", 100 * growth);
  };
  return "smallest detectable change " + percent(least) +
         (percent(least) == percent(most) ? "" : " to " + percent(most));
}

}  // namespace

std::string ComparisonText(const BenchmarkComparison& comparison) {
  size_t width = 0;
  for (const auto& change : comparison.changes)
    width = std::max(width, change.name.size());
  std::string text;
  for (const auto& change : comparison.changes) text += Line(change, width);
  for (const std::string& name : comparison.only_old)
    text += "only in old: " + name + "\n";
  for (const std::string& name : comparison.only_new)
    text += "only in new: " + name + "\n";
  if (comparison.tested() > 0)
    text +=
        fmt::format("family-wise false alarm <= {:.0f} % over {} benchmarks; {}\n",
                    100 * kFamilyWiseAlpha, comparison.tested(), Detectable(comparison));
  const auto count = [&](ChangeVerdict verdict) { return comparison.Count(verdict); };
  return text + fmt::format(
                    "{} slower, {} faster, {} same, {} not reliable, {} errors, "
                    "{} in one file only\n",
                    count(ChangeVerdict::kSlower), count(ChangeVerdict::kFaster),
                    count(ChangeVerdict::kSame), count(ChangeVerdict::kNotReliable),
                    count(ChangeVerdict::kError),
                    comparison.only_old.size() + comparison.only_new.size());
}

}  // namespace qconform::bench
