// Whole models from end to end: a backend's run with planned memory beside onnxruntime's
// run of the same program, every value checked, and then timed in turns.
#ifndef QCONFORM_BENCH_MODEL_MODEL_COMPARISON_H_
#define QCONFORM_BENCH_MODEL_MODEL_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/model/bench_model.h"
#include "bench/model/peer_model.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform::bench {

// Of one kind of operator in a run.
struct KindTime {
  std::string kind;  // "conv2d 3x3", "depthwise 3x3", "add", ...; "float" of islands
  int steps = 0;
  double seconds = 0;
  bool reference = false;  // the backend has no such operator, or it is an island
};

struct ModelSubject {
  std::string name;
  std::string version;
  std::string refusal;  // why it was not timed; else empty
  int64_t wrong = 0;    // outputs that are not the definitions'
  double furthest = 0;  // of them, as real values
  // In codes of what an output was dequantized from; 0 where it was from none.
  int64_t far = 0;  // further away than one
  int64_t furthest_code = 0;
  std::vector<double> seconds;  // of a run, by round

  bool timed() const { return refusal.empty(); }
};

struct ModelRow {
  std::string model;
  int threads = 1;
  std::string path;
  int64_t outputs = 0;  // elements
  ModelSubject own;     // every value of its program is the definition's, or a refusal
  // onnxruntime; on processors without VNNI once more with exact sums.
  std::vector<ModelSubject> peers;
  std::vector<KindTime> kinds;  // of the backend, the longest first
  int backend_steps = 0;
  int reference_steps = 0;   // operators and islands that the reference ran
  int folded = 0;            // clamps that other operators' bounds do
  int views = 0;             // steps that cost nothing: their output is their input
  size_t planned_bytes = 0;  // of the activations, and what they would take separately
  size_t separate_bytes = 0;
};

// The peer gets the program as qconform would hand it to any runtime: QDQ, real biases.
// `threads` for each. Where it is missing or refuses, the peers say why.
ModelRow CompareModel(const BenchModel& model, const qc_backend& backend, int threads,
                      int rounds, const OpenPeerModel& open_peer);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_MODEL_MODEL_COMPARISON_H_
