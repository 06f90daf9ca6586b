// Runs a suite of layers on a backend and reports through Google Benchmark.
#ifndef QCONFORM_BENCH_SUITE_H_
#define QCONFORM_BENCH_SUITE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "bench/shape_table.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform::bench {

struct SuiteOptions {
  std::filesystem::path backend;   // shared object, loaded into this process
  std::string suite = "resnet50";  // a name, or the path of a shape table in CSV
  int threads = 1;                 // given to plan
  std::filesystem::path json;      // Google Benchmark's JSON; empty: none
  std::vector<std::string> benchmark_flags;  // --benchmark_*, as Google's own
};

struct SuiteOutcome {
  int layers = 0;
  int wrong = 0;  // layers with a wrong output, a refusal or a failure
};

// The shape table of a suite: a path as it is, a name in `folder`. Throws InputError.
std::filesystem::path SuiteFile(const std::string& suite);

// The rows of a shape table that have a share of the peak. Throws InputError.
std::vector<Layer> MultiplyingLayers(const std::filesystem::path& table);

// About how long RunSuite will take, in seconds.
double ExpectedSeconds(const std::vector<Layer>& layers);

// Prints Google Benchmark's table to standard output; once in a process. Throws
// InputError for a bad suite or flag or an unwritable file, BackendError for a backend
// that cannot be loaded.
SuiteOutcome RunSuite(const SuiteOptions& options);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_SUITE_H_
