#include "bench/suite.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "bench/expected_codes.h"
#include "bench/google_benchmark.h"
#include "bench/layer_call.h"
#include "bench/peak.h"
#include "bench/planned_call.h"
#include "bench/record.h"
#include "conformance/host/plugin.h"
#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

// The scalar definition, which checks every output, does about this many multiply-adds a
// second; and Google Benchmark's least time for a layer, with its trial runs.
constexpr double kReferenceMacsPerSecond = 2e9;
constexpr double kSecondsPerLayer = 0.5;

// By path name.
using PeakMeters = std::map<std::string, PeakMeter>;

PeakMeters MeasurePeaks(int threads) {
  PeakMeters meters;
  for (const std::string& path : PeakPaths()) {
    meters.emplace(path, PeakMeter(path, threads));
  }
  return meters;
}

// A path that is not one of ours is measured against the fastest that the machine has.
PeakMeter& MeterOf(PeakMeters& meters, const std::string& path) {
  const auto found = meters.find(path);
  if (found != meters.end()) return found->second;
  return std::max_element(meters.begin(), meters.end(),
                          [](const auto& a, const auto& b) {
                            return a.second.best() < b.second.best();
                          })
      ->second;
}

double Median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Run {
  const qc_backend& backend;
  PeakMeters& peaks;
  int threads;
  SuiteOutcome outcome;
};

int64_t CountDifferences(const std::vector<std::byte>& a,
                         const std::vector<std::byte>& b) {
  int64_t wrong = 0;
  for (size_t i = 0; i < a.size(); ++i) wrong += a[i] != b[i] ? 1 : 0;
  return wrong;
}

// Google Benchmark calls this several times for one layer with more and more iterations;
// `checked` keeps the verdict of the first.
void RunLayer(benchmark::State& state, const Layer& layer, const OperatorCall& call,
              std::string& verdict, bool& checked, Run& run) {
  try {
    PlannedCall planned(run.backend, call, run.threads);
    if (planned.Run() != QC_OK) throw std::runtime_error("run failed");
    if (!checked) {
      const std::vector<std::byte> codes = planned.Output();
      const int64_t wrong = CountDifferences(codes, ExpectedCodes(call));
      if (wrong > 0) {
        verdict = fmt::format("{} of {} codes differ from the scalar reference", wrong,
                              codes.size());
      }
      checked = true;
    }
    if (!verdict.empty()) throw std::runtime_error(verdict);
    const std::vector<std::byte> right = planned.Output();
    PeakMeter& meter = MeterOf(run.peaks, planned.path());
    constexpr double kSecondsBetweenSamples = 5e-4;
    double since_sample = kSecondsBetweenSamples;
    std::vector<double> seconds;
    for (auto _ : state) {
      if (since_sample >= kSecondsBetweenSamples) {
        meter.Sample();
        since_sample = 0;
      }
      const auto start = std::chrono::steady_clock::now();
      const qc_status status = planned.Run();
      const auto stop = std::chrono::steady_clock::now();
      if (status != QC_OK) throw std::runtime_error("a timed run failed");
      seconds.push_back(std::chrono::duration<double>(stop - start).count());
      since_sample += seconds.back();
      state.SetIterationTime(seconds.back());
    }
    // A backend that was right once must still be right after the timing.
    if (planned.Run() != QC_OK) throw std::runtime_error("run failed after the timing");
    if (const int64_t wrong = CountDifferences(planned.Output(), right); wrong > 0) {
      verdict = fmt::format("{} codes changed in the timed runs", wrong);
      throw std::runtime_error(verdict);
    }
    const double giga = static_cast<double>(layer.Macs()) * 1e-9;
    const double peak = meter.best();
    const double shortest = *std::min_element(seconds.begin(), seconds.end());
    const double median = Median(seconds);
    state.SetLabel(planned.path());
    state.counters[kGmacPerSecond] = giga / median;
    state.counters[kShareOfPeak] = giga / shortest / peak;
    state.counters[kMedianShareOfPeak] = giga / median / peak;
    state.counters[kPeak] = peak;
    state.counters[kMacs] = static_cast<double>(layer.Macs());
    state.counters[kLayerCount] = static_cast<double>(layer.count);
    state.counters[kThreads] = run.threads;
  } catch (const std::exception& error) {
    verdict = error.what();
    checked = true;
    state.SkipWithError(error.what());
  }
}

void AddContext(const SuiteOptions& options, const qc_backend& backend,
                const PeakMeters& peaks) {
  benchmark::AddCustomContext(kBackend,
                              fmt::format("{} {}", backend.name, backend.version));
  benchmark::AddCustomContext(kBackendFile, options.backend.string());
  benchmark::AddCustomContext(kSuite, options.suite);
  for (const auto& [path, meter] : peaks) {
    benchmark::AddCustomContext(
        fmt::format("{}{}{}{}", kPeakPrefix, path, kPeakThreads, options.threads),
        fmt::format("{:.1f}", meter.best()));
  }
}

}  // namespace

std::filesystem::path SuiteFile(const std::string& suite) {
  if (suite.find('/') != std::string::npos || suite.ends_with(".csv")) return suite;
  const std::filesystem::path file =
      std::filesystem::path(QCONFORM_SHAPE_FOLDER) / (suite + ".csv");
  if (!std::filesystem::exists(file)) {
    throw InputError("suite " + suite, "no shape table " + file.string(),
                     "resnet50, mobilenet_v2, bert_base or the path of a CSV file");
  }
  return file;
}

double ExpectedSeconds(const std::vector<Layer>& layers) {
  double seconds = 1;
  for (const Layer& layer : layers) {
    seconds +=
        kSecondsPerLayer + static_cast<double>(layer.Macs()) / kReferenceMacsPerSecond;
  }
  return seconds;
}

std::vector<Layer> MultiplyingLayers(const std::filesystem::path& table) {
  std::vector<Layer> layers = ReadShapeTable(table);
  std::erase_if(layers, [](const Layer& layer) { return !layer.Multiplies(); });
  if (layers.empty()) {
    throw InputError(table.string(), "nothing multiplies", "conv, linear or matmul");
  }
  return layers;
}

SuiteOutcome RunSuite(const SuiteOptions& options) {
  const std::vector<Layer> layers = MultiplyingLayers(SuiteFile(options.suite));
  if (options.threads < 1 || options.threads > 1024) {
    throw InputError("--threads", std::to_string(options.threads), "1 to 1024");
  }
  const Plugin plugin(options.backend);
  PeakMeters peaks = MeasurePeaks(options.threads);
  const GoogleBenchmark google(options.json, options.benchmark_flags);
  AddContext(options, plugin.table(), peaks);

  Run run{plugin.table(), peaks, options.threads, {}};
  struct State {
    OperatorCall call;
    std::string verdict;
    bool checked = false;
  };
  std::vector<State> states(layers.size());
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::string name = fmt::format(
        "{}/{}/threads:{}", std::filesystem::path(options.suite).stem().string(),
        layers[i].name, options.threads);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&, i](benchmark::State& state) {
                                   State& own = states[i];
                                   if (own.call.inputs.empty())
                                     own.call = MakeLayerCall(layers[i]);
                                   RunLayer(state, layers[i], own.call, own.verdict,
                                            own.checked, run);
                                 })
        ->UseManualTime()
        ->MinTime(0.1)
        ->Unit(benchmark::kMicrosecond);
  }
  google.Run();
  SuiteOutcome outcome;
  for (const State& state : states) {
    outcome.layers += state.checked ? 1 : 0;
    outcome.wrong += state.verdict.empty() ? 0 : 1;
  }
  return outcome;
}

}  // namespace qconform::bench
