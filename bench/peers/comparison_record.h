// A comparison as benchmarks of Google Benchmark.
#ifndef QCONFORM_BENCH_PEERS_COMPARISON_RECORD_H_
#define QCONFORM_BENCH_PEERS_COMPARISON_RECORD_H_

#include "bench/peers/comparison.h"

namespace qconform::bench {

// SUITE/batch:B/LAYER/SUBJECT/threads:N, one repetition a round with its measured time,
// so that `bench compare` can test them; subjects that were not timed have
// error_occurred. `comparison` must outlive the run.
void RegisterSamples(const Comparison& comparison);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEERS_COMPARISON_RECORD_H_
