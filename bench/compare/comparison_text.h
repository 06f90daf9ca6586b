// A comparison of benchmarks for people.
#ifndef QCONFORM_BENCH_COMPARE_COMPARISON_TEXT_H_
#define QCONFORM_BENCH_COMPARE_COMPARISON_TEXT_H_

#include <string>

#include "bench/compare/comparison.h"

namespace qconform::bench {

// A line a benchmark, the names that one side lacks, what the run could have seen, and
// last, alone: "1 slower, 0 faster, 10 same, 1 not reliable, 0 errors, 2 in one file
// only".
std::string ComparisonText(const BenchmarkComparison& comparison);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_COMPARE_COMPARISON_TEXT_H_
