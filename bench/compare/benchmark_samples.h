// A benchmark's times, one a repetition, out of a JSON file of Google Benchmark: of
// qconform bench or of anybody's binary.
#ifndef QCONFORM_BENCH_COMPARE_BENCHMARK_SAMPLES_H_
#define QCONFORM_BENCH_COMPARE_BENCHMARK_SAMPLES_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qconform::bench {

enum class TimeField { kReal, kCpu };

struct BenchmarkSamples {
  std::vector<double> nanoseconds;  // in the file's order, whatever its unit; above 0
  std::string error;  // of the first repetition that failed: then no time counts
};

struct SampleFile {
  std::map<std::string, BenchmarkSamples> benchmarks;  // by run_name
  std::map<std::string, std::string> context;          // of scalars, as text
};

// Rows of aggregates (mean, median, ...) are passed over. Throws InputError
// "name:line: ..." or "name: benchmarks[i]: ..." for text that is no JSON, no
// benchmarks, aggregates alone, an unknown time unit, and a time that is not a finite
// number above 0.
SampleFile ReadSampleFile(const std::filesystem::path& path, TimeField field);
SampleFile ParseSamples(std::string_view text, const std::string& name, TimeField field);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_COMPARE_BENCHMARK_SAMPLES_H_
