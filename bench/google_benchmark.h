// A run of Google Benchmark with our context; once in a process.
#ifndef QCONFORM_BENCH_GOOGLE_BENCHMARK_H_
#define QCONFORM_BENCH_GOOGLE_BENCHMARK_H_

#include <filesystem>
#include <string>
#include <vector>

namespace qconform::bench {

class GoogleBenchmark {
 public:
  // Forgets benchmarks that were registered before, and adds our version and the
  // machine's fingerprint to the context. Throws InputError for an unknown flag, or if
  // `json` (empty: none) cannot be written.
  GoogleBenchmark(const std::filesystem::path& json,
                  const std::vector<std::string>& flags);

  // Runs what was registered. The JSON file is written under another name and renamed
  // when it is whole.
  void Run() const;
  // The same without a table on standard output.
  void RunQuietly() const;

 private:
  void KeepFile() const;

  std::filesystem::path json_;
  std::filesystem::path unfinished_;
  // Google Benchmark keeps pointers into these.
  std::vector<std::string> arguments_;
};

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_GOOGLE_BENCHMARK_H_
