#include "reports/benchmark_file.h"

#include <map>
#include <nlohmann/json.hpp>

#include "bench/record.h"
#include "reports/report_error.h"

namespace qconform {
namespace {

using Json = nlohmann::ordered_json;

double SecondsPerUnit(const std::string& unit) {
  if (unit == "s") return 1;
  if (unit == "ms") return 1e-3;
  return unit == "us" ? 1e-6 : 1e-9;
}

// The last part of a path of either separator.
std::string FileName(const std::string& path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// "resnet50/conv1/threads:2" -> suite, layer.
void SplitName(const std::string& name, LayerTiming& timing) {
  const size_t first = name.find('/');
  size_t last = name.find("/threads:");
  // Google Benchmark may append "/manual_time" or the like.
  if (last == std::string::npos) last = name.size();
  if (first == std::string::npos || first >= last) {
    timing.layer = name.substr(0, last);
    return;
  }
  timing.suite = name.substr(0, first);
  timing.layer = name.substr(first + 1, last - first - 1);
}

LayerTiming ReadTiming(const Json& entry) {
  LayerTiming timing;
  SplitName(entry.value("run_name", entry.at("name").get<std::string>()), timing);
  timing.path = entry.value("label", "");
  timing.threads = static_cast<int>(entry.value(bench::kThreads, 1.0));
  if (entry.value("error_occurred", false)) {
    timing.error = entry.value("error_message", "an error without a message");
    return timing;
  }
  timing.seconds = entry.at("real_time").get<double>() *
                   SecondsPerUnit(entry.value("time_unit", "ns"));
  timing.gmac_per_second = entry.value(bench::kGmacPerSecond, 0.0);
  if (entry.contains(bench::kShareOfPeak)) {
    timing.share_of_peak = entry.at(bench::kShareOfPeak).get<double>();
  }
  timing.peak_gmac_per_second = entry.value(bench::kPeak, 0.0);
  timing.macs = entry.value(bench::kMacs, 0.0);
  timing.layer_count = entry.value(bench::kLayerCount, 1.0);
  return timing;
}

void ReadContext(const Json& context, BenchmarkFile& benchmark) {
  const std::string prefix = bench::kPeakPrefix;
  const std::string infix = bench::kPeakThreads;
  for (const auto& [key, value] : context.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (key.starts_with(prefix)) {
      const size_t threads = key.find(infix, prefix.size());
      std::string name = key.substr(prefix.size(), threads - prefix.size());
      if (threads != std::string::npos) {
        const std::string count = key.substr(threads + infix.size());
        name += ", " + count + (count == "1" ? " thread" : " threads");
      }
      benchmark.peaks.emplace_back(name, std::strtod(text.c_str(), nullptr));
    } else if (key == bench::kBackend) {
      benchmark.backend = text;
    } else if (key == bench::kBackendFile) {
      benchmark.backend_file = FileName(text);
    } else if (key == bench::kSuite) {
      benchmark.suite = FileName(text);
    } else if (key == bench::kVersion) {
      benchmark.version = text;
    } else if (key == "date") {
      benchmark.date = text;
    } else if (key == bench::kCpuModel || key == bench::kCpuCores ||
               key == bench::kCpuFeatures || key == bench::kCpuGovernor ||
               key == bench::kLoadAverage) {
      benchmark.machine.emplace_back(key, text);
    }
  }
}

}  // namespace

BenchmarkFile ParseBenchmarkFile(std::string_view text, const std::string& file) {
  BenchmarkFile benchmark;
  benchmark.file = file;
  try {
    const Json json = Json::parse(text);
    ReadContext(json.at("context"), benchmark);
    std::map<std::string, size_t> index;  // of a name: its median replaces its runs
    for (const Json& entry : json.at("benchmarks")) {
      const bool is_aggregate = entry.value("run_type", "") == "aggregate";
      if (is_aggregate && entry.value("aggregate_name", "") != "median") continue;
      const std::string name =
          entry.value("run_name", entry.at("name").get<std::string>());
      const auto [found, is_new] = index.emplace(name, benchmark.layers.size());
      if (is_new) {
        benchmark.layers.push_back(ReadTiming(entry));
      } else if (is_aggregate) {
        benchmark.layers[found->second] = ReadTiming(entry);
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw ReportError(file + ": " + error.what() +
                      ", expected Google Benchmark's JSON with context and benchmarks");
  }
  return benchmark;
}

}  // namespace qconform
