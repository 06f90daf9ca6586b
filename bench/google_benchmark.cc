#include "bench/google_benchmark.h"

#include <benchmark/benchmark.h>

#include <fstream>

#include "bench/fingerprint.h"
#include "bench/record.h"
#include "reference/ir/error.h"

namespace qconform::bench {

GoogleBenchmark::GoogleBenchmark(const std::filesystem::path& json,
                                 const std::vector<std::string>& flags)
    : json_(json), unfinished_(json), arguments_({"qconform"}) {
  unfinished_ += ".unfinished";
  if (!json_.empty() && !std::ofstream(unfinished_)) {
    throw InputError(json_.string(), "cannot be written", "a file in a folder");
  }
  arguments_.insert(arguments_.end(), flags.begin(), flags.end());
  if (!json_.empty()) {
    arguments_.push_back("--benchmark_out=" + unfinished_.string());
    arguments_.push_back("--benchmark_out_format=json");
  }
  benchmark::ClearRegisteredBenchmarks();
  benchmark::AddCustomContext(kVersion, QCONFORM_VERSION);
  for (const auto& [key, value] : MachineFingerprint()) {
    benchmark::AddCustomContext(key, value);
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments_) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (count > 1) {
    throw InputError(std::string("option ") + pointers[1], "unknown",
                     "a flag of Google Benchmark");
  }
}

void GoogleBenchmark::Run() const {
  benchmark::RunSpecifiedBenchmarks();
  KeepFile();
}

void GoogleBenchmark::RunQuietly() const {
  class Silent : public benchmark::BenchmarkReporter {
   public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
  };
  Silent silent;
  benchmark::RunSpecifiedBenchmarks(&silent);
  KeepFile();
}

void GoogleBenchmark::KeepFile() const {
  if (!json_.empty()) std::filesystem::rename(unfinished_, json_);
}

}  // namespace qconform::bench
