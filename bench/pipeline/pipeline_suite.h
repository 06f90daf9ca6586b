// Times the pipeline itself: ours beside torch's, and both beside the machine's memory.
#ifndef QCONFORM_BENCH_PIPELINE_PIPELINE_SUITE_H_
#define QCONFORM_BENCH_PIPELINE_PIPELINE_SUITE_H_

#include <filesystem>
#include <string>
#include <vector>

namespace qconform::bench {

struct PipelineOptions {
  std::vector<int> threads = {1, 2};         // of the observers
  bool with_torch = true;                    // where it is installed
  std::filesystem::path json;                // Google Benchmark's JSON; empty: none
  std::vector<std::string> benchmark_flags;  // --benchmark_*, as Google's own
};

struct PipelineOutcome {
  int timed = 0;
  int wrong = 0;         // results that were not what they should be
  int aims = 0;          // cases with an aim
  int aims_reached = 0;  // at the shortest time
};

// Prints Google Benchmark's table to standard output; once in a process. A missed aim is
// no failure: the machine may be busy. Throws InputError for a bad flag or an unwritable
// file.
PipelineOutcome RunPipelineSuite(const PipelineOptions& options);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PIPELINE_PIPELINE_SUITE_H_
