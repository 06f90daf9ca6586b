#include "bench/pipeline/pipeline_suite.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "bench/google_benchmark.h"
#include "bench/pipeline/bandwidth.h"
#include "bench/pipeline/growth.h"
#include "bench/pipeline/pipeline_case.h"
#include "bench/pipeline/torch_times.h"
#include "bench/record.h"

namespace qconform::bench {
namespace {

// One case on one number of threads.
struct TimedCase {
  PipelineCase work;
  int threads;
  BandwidthMeter* meter;
  std::optional<TorchTime> torch;
  bool checked = false;
  bool has_aim = false;
  bool reached = false;
  std::string verdict;
};

struct Times {
  double best;
  double median;
};

Times Measure(benchmark::State& state, TimedCase& timed) {
  std::vector<double> seconds;
  for (auto _ : state) {
    if (timed.work.read_bytes + timed.work.copied_bytes > 0) timed.meter->Sample();
    const auto start = std::chrono::steady_clock::now();
    timed.work.run();
    const auto stop = std::chrono::steady_clock::now();
    seconds.push_back(std::chrono::duration<double>(stop - start).count());
    state.SetIterationTime(seconds.back());
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2]};
}

// Above this the bandwidth was measured too low: other work disturbed it, not the case.
constexpr double kMostShare = 1.1;

// The aim and whether it was reached, in words.
std::string Judge(TimedCase& timed, double value, double aim, const std::string& text) {
  timed.has_aim = true;
  timed.reached = value >= aim;
  return fmt::format("{} {}", text, timed.reached ? "(reached)" : "(missed)");
}

std::string Describe(benchmark::State& state, TimedCase& timed, const Times& times) {
  const PipelineCase& work = timed.work;
  std::vector<std::string> parts;
  const double bytes = work.read_bytes + work.copied_bytes;
  if (bytes > 0) {
    const double least =
        work.read_bytes / timed.meter->read() + work.copied_bytes / timed.meter->copy();
    const double share = least / times.best;
    state.counters[kBytesMoved] = bytes;
    state.counters[kReadBandwidth] = timed.meter->read();
    state.counters[kCopyBandwidth] = timed.meter->copy();
    state.counters[kShareOfBandwidth] = share;
    state.counters[kMedianShareOfBandwidth] = least / times.median;
    parts.push_back(fmt::format("{:.0f} MB moved, read {:.1f} copy {:.1f} GB/s",
                                bytes / 1e6, timed.meter->read() / 1e9,
                                timed.meter->copy() / 1e9));
    const std::string share_text = fmt::format("{:.0f} % of bandwidth (median {:.0f} %)",
                                               100 * share, 100 * least / times.median);
    parts.push_back(
        share > kMostShare ? share_text + ", not judged: the bandwidth was disturbed"
        : work.aim_share == 0
            ? share_text
            : Judge(timed, share, work.aim_share,
                    fmt::format("{}, aim {:.0f} %", share_text, 100 * work.aim_share)));
  }
  if (timed.torch) {
    const double speedup = timed.torch->best * 1e-3 / times.best;
    state.counters[kTorchSeconds] = timed.torch->best * 1e-3;
    state.counters[kSpeedup] = speedup;
    const std::string text =
        fmt::format("torch {:.3g} ms, {:.3g} times ours", timed.torch->best, speedup);
    parts.push_back(work.aim_speedup == 0
                        ? text
                        : Judge(timed, speedup, work.aim_speedup,
                                fmt::format("{}, aim {:.0f}", text, work.aim_speedup)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Google Benchmark calls this several times with more and more iterations.
void RunCase(benchmark::State& state, TimedCase& timed) {
  omp_set_num_threads(timed.threads);
  if (!timed.checked) {
    timed.work.run();
    timed.verdict = timed.work.wrong();
    timed.checked = true;
  }
  if (timed.verdict.empty()) {
    const Times times = Measure(state, timed);
    state.SetLabel(Describe(state, timed, times));
    state.counters[kMedianSeconds] = times.median;
    state.counters[kThreads] = timed.threads;
    timed.verdict = timed.work.wrong();
  }
  if (!timed.verdict.empty()) {
    state.SkipWithError(("wrong: " + timed.verdict).c_str());
  }
}

// What Google Benchmark was told to time; empty: everything.
std::string FilterOf(const std::vector<std::string>& flags) {
  constexpr std::string_view kFilter = "--benchmark_filter=";
  for (const std::string& flag : flags) {
    if (flag.starts_with(kFilter)) return flag.substr(kFilter.size());
  }
  return "";
}

}  // namespace

PipelineOutcome RunPipelineSuite(const PipelineOptions& options) {
  TorchTimes torch{"left out", {}};
  if (options.with_torch) {
    torch = MeasureTorch(options.threads, FilterOf(options.benchmark_flags));
  }
  const GoogleBenchmark google(options.json, options.benchmark_flags);
  benchmark::AddCustomContext(kTorch, torch.version);

  std::map<int, std::unique_ptr<BandwidthMeter>> meters;
  std::vector<std::unique_ptr<TimedCase>> cases;
  const auto add = [&](const PipelineCase& work, int threads) {
    std::unique_ptr<BandwidthMeter>& meter = meters[threads];
    if (!meter) meter = std::make_unique<BandwidthMeter>(threads);
    cases.push_back(std::make_unique<TimedCase>(
        TimedCase{work, threads, meter.get(), torch.Find(work.name, threads)}));
    TimedCase* timed = cases.back().get();
    benchmark::RegisterBenchmark(
        fmt::format("{}/threads:{}", work.name, threads).c_str(),
        [timed](benchmark::State& state) { RunCase(state, *timed); })
        ->UseManualTime()
        ->Iterations(work.runs)
        ->Unit(benchmark::kMillisecond);
  };
  for (const PipelineCase& work : ResNet50Cases()) add(work, 1);
  for (const int threads : options.threads) {
    for (const PipelineCase& work : ObserverCases()) add(work, threads);
  }
  RegisterGrowth();
  google.Run();
  PipelineOutcome outcome;
  for (const auto& timed : cases) {
    outcome.timed += timed->checked ? 1 : 0;
    outcome.wrong += timed->verdict.empty() ? 0 : 1;
    outcome.aims += timed->has_aim ? 1 : 0;
    outcome.aims_reached += timed->reached ? 1 : 0;
  }
  return outcome;
}

}  // namespace qconform::bench
