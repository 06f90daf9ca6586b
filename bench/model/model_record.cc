#include "bench/model/model_record.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/record.h"

namespace qconform::bench {
namespace {

void Replay(benchmark::State& state, const ModelRow& row, const ModelSubject& subject,
            size_t& round) {
  if (!subject.timed()) {
    state.SkipWithError(subject.refusal.c_str());
    return;
  }
  const double seconds = subject.seconds[round++ % subject.seconds.size()];
  for (auto _ : state) state.SetIterationTime(seconds);
  state.SetLabel(row.path);
  state.counters[kThreads] = row.threads;
  // Google Benchmark divides by a counter's mean, and JSON has no NaN: zeros are absent.
  if (subject.wrong > 0) state.counters[kWrongCodes] = static_cast<double>(subject.wrong);
  if (subject.far > 0) state.counters[kFarCodes] = static_cast<double>(subject.far);
  if (&subject != &row.own) return;
  double all = 0;
  for (const KindTime& kind : row.kinds) all += kind.seconds;
  for (const KindTime& kind : row.kinds)
    if (kind.seconds > 0) state.counters[kTimeShare + kind.kind] = kind.seconds / all;
}

}  // namespace

void RegisterModelSamples(const std::vector<ModelRow>& rows) {
  for (const ModelRow& row : rows) {
    std::vector<const ModelSubject*> subjects = {&row.own};
    for (const ModelSubject& peer : row.peers) subjects.push_back(&peer);
    for (const ModelSubject* subject : subjects) {
      const std::string name =
          fmt::format("{}/{}/threads:{}", row.model, subject->name, row.threads);
      auto* benchmark = benchmark::RegisterBenchmark(
          name.c_str(),
          [&row, subject, round = size_t{0}](benchmark::State& state) mutable {
            Replay(state, row, *subject, round);
          });
      benchmark->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
      if (subject->timed())
        benchmark->Repetitions(static_cast<int>(subject->seconds.size()));
    }
  }
}

}  // namespace qconform::bench
