// A backend beside its peers: every layer planned by each, every output checked, and then
// timed in turns.
#ifndef QCONFORM_BENCH_PEERS_COMPARISON_H_
#define QCONFORM_BENCH_PEERS_COMPARISON_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/shape_table.h"

namespace qconform::bench {

struct ComparisonOptions {
  std::filesystem::path backend;
  std::vector<std::filesystem::path> peers;  // shared objects that speak the ABI
  std::vector<std::string> suites = {"resnet50", "mobilenet_v2", "bert_base"};
  std::vector<int64_t> batches = {1, 8};
  std::vector<int> threads = {1, 2};
  int rounds = 9;
};

// What one backend did with one layer.
struct SubjectResult {
  std::string refusal;          // why it was not timed; else empty
  bool declined = false;        // it has no such operator, or failed
  int64_t wrong = 0;            // codes that are not those of the scalar definition
  int64_t far = 0;              // of these, those further away than one
  std::string path;             // that it says it runs
  bool is_signed = false;       // u8 codes were given to it as s8 codes
  std::vector<double> seconds;  // of a run, by round

  bool timed() const { return refusal.empty(); }
  // A peer is right that stays within one code: it may round otherwise than we define.
  bool right() const { return timed() && far == 0; }
  double median() const;
  double shortest() const;
};

struct ComparisonRow {
  std::string suite;
  int64_t batch = 1;
  int threads = 1;
  Layer layer;
  int64_t codes = 0;                    // of the output
  std::vector<SubjectResult> subjects;  // the backend, then the peers
  double peak_seconds = 0;  // that the multiply-adds take at the measured peak; or 0
  double copy_seconds = 0;  // that a copy takes which moves as many bytes

  double bound_seconds() const;
};

struct Comparison {
  std::vector<std::string> names;     // of the subjects
  std::vector<std::string> versions;  // theirs
  std::string path;
  std::vector<ComparisonRow> rows;
  int wrong = 0;    // layers that the backend itself refused, failed or got wrong
  int refused = 0;  // rows of peers that do not have them
};

// conv, depthwise, GEMM, elementwise, normalize or pooling.
std::string ClassOf(const Layer& layer);

// `row_done` is called after each row. The peers are held to the backend's path: where
// QCONFORM_ISA is not set, this sets it to the machine's fastest. A peer's output is
// wrong for another reason than sums of two products in 16 bits if it is wrong with
// weights of 7 bits too: then it is not timed. Throws InputError, BackendError.
Comparison Compare(const ComparisonOptions& options,
                   const std::function<void(const Comparison&)>& row_done);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEERS_COMPARISON_H_
