// A benchmark as Google Benchmark's JSON tells it, with our counters and context
// (bench/record.h).
#ifndef QCONFORM_REPORTS_BENCHMARK_FILE_H_
#define QCONFORM_REPORTS_BENCHMARK_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qconform {

struct LayerTiming {
  std::string suite;
  std::string layer;
  std::string path;   // code path that ran
  std::string error;  // why the time does not count; empty if it does
  double seconds = 0;
  double gmac_per_second = 0;
  std::optional<double> share_of_peak;
  double peak_gmac_per_second = 0;
  double macs = 0;
  double layer_count = 1;
  int threads = 1;
};

struct BenchmarkFile {
  std::string file;  // name, for people
  std::string backend;
  std::string backend_file;
  std::string suite;
  std::string version;
  std::string date;
  std::vector<std::pair<std::string, std::string>> machine;
  // "avx2, 1 thread" and GMAC/s
  std::vector<std::pair<std::string, double>> peaks;
  std::vector<LayerTiming> layers;
};

// Of repetitions the median counts. Throws ReportError.
BenchmarkFile ParseBenchmarkFile(std::string_view text, const std::string& file);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_BENCHMARK_FILE_H_
