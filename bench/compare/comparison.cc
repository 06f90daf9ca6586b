#include "bench/compare/comparison.h"

#include <algorithm>
#include <limits>

#include "bench/compare/mann_whitney.h"

namespace qconform::bench {
namespace {

BenchmarkChange Describe(const std::string& name, const BenchmarkSamples& before,
                         const BenchmarkSamples& after) {
  BenchmarkChange change;
  change.name = name;
  change.old_repetitions = before.nanoseconds.size();
  change.new_repetitions = after.nanoseconds.size();
  if (!before.error.empty() || !after.error.empty()) {
    change.verdict = ChangeVerdict::kError;
    if (!before.error.empty()) change.error = "in old: " + before.error;
    if (!after.error.empty())
      change.error += (change.error.empty() ? "in new: " : "; in new: ") + after.error;
    return change;
  }
  change.old_median = Median(before.nanoseconds);
  change.new_median = Median(after.nanoseconds);
  if (std::min(change.old_repetitions, change.new_repetitions) >= kFewestRepetitions)
    change.verdict = ChangeVerdict::kSame;
  return change;
}

// A factor is told from 1 where the interval leaves 1 out: of values whose ratios lie
// around it as they do around their middle, from middle / low on.
double SmallestDetectable(const RatioInterval& interval) {
  return interval.low > 0 ? interval.middle / interval.low - 1
                          : std::numeric_limits<double>::infinity();
}

// Holm, "A simple sequentially rejective multiple test procedure", 1979: of m hypotheses
// the i-th smallest p, from 0, may be up to alpha / (m - i), if those before it are.
std::vector<BenchmarkChange*> Confirmed(std::vector<BenchmarkChange*> tested) {
  std::sort(tested.begin(), tested.end(),
            [](const auto* a, const auto* b) { return a->p < b->p; });
  size_t count = 0;
  while (count < tested.size() &&
         tested[count]->p <=
             kFamilyWiseAlpha / static_cast<double>(tested.size() - count))
    ++count;
  tested.resize(count);
  return tested;
}

void Judge(const SampleFile& old_file, const SampleFile& new_file,
           std::vector<BenchmarkChange>& changes) {
  std::vector<BenchmarkChange*> tested;
  for (BenchmarkChange& change : changes)
    if (change.tested()) tested.push_back(&change);
  const double alone = kFamilyWiseAlpha / static_cast<double>(tested.size());
  for (BenchmarkChange* change : tested) {
    const auto& before = old_file.benchmarks.at(change->name).nanoseconds;
    const auto& after = new_file.benchmarks.at(change->name).nanoseconds;
    const MannWhitney test = MannWhitneyTest(before, after);
    change->p = test.p;
    change->ratio = IntervalOfRatio(before, after, kFamilyWiseAlpha);
    change->detectable = SmallestDetectable(IntervalOfRatio(before, after, alone));
    // Until it is confirmed, the direction alone.
    change->verdict =
        test.u > test.mean ? ChangeVerdict::kSlower : ChangeVerdict::kFaster;
  }
  const std::vector<BenchmarkChange*> confirmed = Confirmed(tested);
  for (BenchmarkChange* change : tested)
    if (std::find(confirmed.begin(), confirmed.end(), change) == confirmed.end())
      change->verdict = ChangeVerdict::kSame;
}

}  // namespace

std::string_view ChangeVerdictName(ChangeVerdict verdict) {
  switch (verdict) {
    case ChangeVerdict::kSame:
      return "same";
    case ChangeVerdict::kSlower:
      return "SLOWER";
    case ChangeVerdict::kFaster:
      return "faster";
    case ChangeVerdict::kNotReliable:
      return "not reliable";
    case ChangeVerdict::kError:
      return "error";
  }
  return "";
}

size_t BenchmarkComparison::Count(ChangeVerdict verdict) const {
  return static_cast<size_t>(
      std::count_if(changes.begin(), changes.end(),
                    [&](const auto& change) { return change.verdict == verdict; }));
}

size_t BenchmarkComparison::tested() const {
  return static_cast<size_t>(
      std::count_if(changes.begin(), changes.end(),
                    [](const auto& change) { return change.tested(); }));
}

BenchmarkComparison CompareBenchmarks(const SampleFile& old_file,
                                      const SampleFile& new_file) {
  BenchmarkComparison comparison;
  for (const auto& [name, before] : old_file.benchmarks) {
    const auto after = new_file.benchmarks.find(name);
    if (after == new_file.benchmarks.end()) {
      comparison.only_old.push_back(name);
    } else {
      comparison.changes.push_back(Describe(name, before, after->second));
    }
  }
  for (const auto& [name, after] : new_file.benchmarks)
    if (!old_file.benchmarks.contains(name)) comparison.only_new.push_back(name);
  Judge(old_file, new_file, comparison.changes);
  return comparison;
}

}  // namespace qconform::bench
