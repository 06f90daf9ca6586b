#include "bench/peers/comparison_record.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "bench/record.h"

namespace qconform::bench {
namespace {

void Replay(benchmark::State& state, const ComparisonRow& row,
            const SubjectResult& subject, const std::string& path, size_t& round) {
  if (!subject.timed()) {
    state.SkipWithError(subject.refusal.c_str());
    return;
  }
  const double seconds = subject.seconds[round++ % subject.seconds.size()];
  for (auto _ : state) state.SetIterationTime(seconds);
  state.SetLabel(path);
  state.counters[kThreads] = row.threads;
  state.counters[kLayerCount] = static_cast<double>(row.layer.count);
  // Google Benchmark divides by a counter's mean, and JSON has no NaN: zeros are absent.
  const auto set = [&state](const char* name, int64_t value) {
    if (value != 0) state.counters[name] = static_cast<double>(value);
  };
  set(kWrongCodes, subject.wrong);
  set(kFarCodes, subject.far);
  set(kMacs, row.layer.Macs() * row.batch);
  state.counters[kShareOfBound] = row.bound_seconds() / subject.shortest();
}

}  // namespace

void RegisterSamples(const Comparison& comparison) {
  for (const ComparisonRow& row : comparison.rows) {
    for (size_t i = 0; i < row.subjects.size(); ++i) {
      const SubjectResult& subject = row.subjects[i];
      const std::string name =
          fmt::format("{}/batch:{}/{}/{}/threads:{}", row.suite, row.batch,
                      row.layer.name, comparison.names[i], row.threads);
      auto* benchmark = benchmark::RegisterBenchmark(
          name.c_str(), [&row, &subject, &comparison,
                         round = size_t{0}](benchmark::State& state) mutable {
            Replay(state, row, subject, comparison.path, round);
          });
      benchmark->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
      if (subject.timed())
        benchmark->Repetitions(static_cast<int>(subject.seconds.size()));
    }
  }
}

}  // namespace qconform::bench
