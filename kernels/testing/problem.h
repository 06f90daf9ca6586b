// For tests: one convolution or linear layer with random operands, computed by a backend
// through the ABI and by the scalar definition in reference/numerics.
#ifndef QCONFORM_KERNELS_TESTING_PROBLEM_H_
#define QCONFORM_KERNELS_TESTING_PROBLEM_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

enum class Bias { kNone, kF32, kS32 };
enum class Layout { kContiguous, kChannelsLast, kGaps };

// kind LINEAR uses batch (rows), group_inputs (K) and group_outputs (N) only.
struct Problem {
  qc_operator_kind kind = QC_CONV;
  int spatial_rank = 2;
  int64_t batch = 1, groups = 1, group_inputs = 1, group_outputs = 1;
  int64_t input[2] = {1, 1}, kernel[2] = {1, 1};
  int64_t stride[2] = {1, 1}, dilation[2] = {1, 1};
  int64_t before[2] = {0, 0}, after[2] = {0, 0};
  qc_dtype input_dtype = QC_U8, output_dtype = QC_U8;
  int32_t input_zero_point = 0, output_zero_point = 0, weight_zero_point = 0;
  bool per_channel = false;
  bool powers_of_two = false;  // scales that make many ties
  bool extreme = false;        // codes at the ends of their range only
  Bias bias = Bias::kF32;
  qc_activation activation = QC_ACTIVATION_NONE;
  Layout input_layout = Layout::kContiguous, output_layout = Layout::kContiguous;
  const char* scheme = nullptr;
  int threads = 1;
  uint32_t seed = 1;
};

std::string Describe(const Problem& problem);

// A random small problem of any kind that the backend declares.
Problem RandomProblem(uint32_t seed, qc_operator_kind kind);

// A loaded backend.
class LoadedBackend {
 public:
  // Throws std::runtime_error if the shared object cannot be used.
  explicit LoadedBackend(const std::string& file);
  ~LoadedBackend();
  LoadedBackend(const LoadedBackend&) = delete;
  LoadedBackend& operator=(const LoadedBackend&) = delete;

  const qc_backend& table() const { return *table_; }
  using Entry = const qc_backend* (*)(uint32_t major, uint32_t minor);
  Entry entry() const { return entry_; }

 private:
  void* handle_ = nullptr;
  Entry entry_ = nullptr;
  const qc_backend* table_ = nullptr;
};

struct Outcome {
  std::string failure;  // of the call or of the memory around the output; empty: none
  std::string path;
  std::vector<int32_t> codes;     // in torch's logical order
  std::vector<int32_t> expected;  // the same, from the scalar definition
  int64_t wrong = 0;              // codes that differ
};

// Changes what the backend is asked, after the scalar definition has answered: the
// descriptor, its attributes, and the tensors x, w, y.
using Edit = std::function<void(qc_descriptor&, qc_attributes&, qc_tensor*)>;

// `ties` is the rounding of the scalar definition: "even" as the schemes say, or "away".
Outcome Solve(const LoadedBackend& backend, const Problem& problem,
              const std::string& ties = "even", const Edit& edit = {});

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TESTING_PROBLEM_H_
