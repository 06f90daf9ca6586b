// Whether two benchmark files come from machines whose times may be compared.
#ifndef QCONFORM_BENCH_COMPARE_MACHINES_H_
#define QCONFORM_BENCH_COMPARE_MACHINES_H_

#include <string>
#include <vector>

#include "bench/compare/benchmark_samples.h"

namespace qconform::bench {

struct MachineComparison {
  std::vector<std::string> alike;   // keys of the context
  std::vector<std::string> unlike;  // "cpu_cores 2 and 8"
};

// By our fingerprint (bench/record.h), and by num_cpus and library_build_type, which
// Google Benchmark writes itself; of each what both files have.
MachineComparison CompareMachines(const SampleFile& old_file, const SampleFile& new_file);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_COMPARE_MACHINES_H_
