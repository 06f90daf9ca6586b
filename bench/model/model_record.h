// Comparisons of whole models as benchmarks of Google Benchmark.
#ifndef QCONFORM_BENCH_MODEL_MODEL_RECORD_H_
#define QCONFORM_BENCH_MODEL_MODEL_RECORD_H_

#include <vector>

#include "bench/model/model_comparison.h"

namespace qconform::bench {

// MODEL/SUBJECT/threads:N, one repetition a round with its measured time, so that `bench
// compare` can test them; subjects that were not timed have error_occurred. `rows` must
// outlive the run.
void RegisterModelSamples(const std::vector<ModelRow>& rows);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_MODEL_MODEL_RECORD_H_
