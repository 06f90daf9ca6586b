// A comparison for a person, and for Google Benchmark's JSON.
#ifndef QCONFORM_BENCH_PEERS_COMPARISON_TEXT_H_
#define QCONFORM_BENCH_PEERS_COMPARISON_TEXT_H_

#include <string>
#include <vector>

#include "bench/peers/comparison.h"

namespace qconform::bench {

// Names and versions.
std::string SubjectNames(const Comparison& comparison);

// What the columns say.
std::string Legend(const Comparison& comparison);

// The column names, before the first row of a suite and batch.
std::string TableHead(const Comparison& comparison);

// One line. The backend's time, its share of what binds it, and for each peer its time,
// how many times longer it took (median by median) and its wrong codes.
std::string TableLine(const ComparisonRow& row);

// Geometric means per class and thread number, of the shares, and of the peers' times
// over the backend's: of each peer, of the best of each row, and of the best right one.
std::string GeometricMeans(const Comparison& comparison);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEERS_COMPARISON_TEXT_H_
