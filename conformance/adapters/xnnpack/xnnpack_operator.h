// One operator of XNNPACK, created from a descriptor, with the sizes that it is set up
// for.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_XNNPACK_OPERATOR_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_XNNPACK_OPERATOR_H_

#include <xnnpack.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "conformance/adapters/peer_call/peer_call.h"
#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::xnnpack {

// What XNNPACK has not, in words.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The memory of one call.
struct Memory {
  const void* first = nullptr;
  const void* second = nullptr;
  void* result = nullptr;
};

struct Deleter {
  void operator()(xnn_operator* created) const { xnn_delete_operator(created); }
};
using Handle = std::unique_ptr<xnn_operator, Deleter>;

struct Operator {
  Handle handle;
  std::function<xnn_status(xnn_operator_t, const Memory&, pthreadpool_t)> setup;
  // Of qc_answer.
  uint32_t memory_formats = QC_CONTIGUOUS;
  std::string scheme;
  // u8 codes of the call are s8 codes of the operator, less 128.
  bool shifts = false;
  // The result is read too, as far behind its end as inputs are.
  bool reads_result = false;
};

// Workers sleep between calls, and do not spin into the turn of others.
inline constexpr uint32_t kFlags = XNN_FLAG_YIELD_WORKERS;

template <typename Code>
Code ZeroPoint(const qc_tensor& tensor) {
  return static_cast<Code>(ZeroPointAt(tensor));
}

// What the first output's codes may be at least and at most.
template <typename Code>
struct ResultCodes {
  explicit ResultCodes(const qc_descriptor& descriptor) {
    const ResultBounds bounds = ResultBoundsOf(descriptor);
    const auto zero_point = static_cast<float>(ZeroPointAt(*descriptor.outputs[0]));
    least = static_cast<Code>(bounds.lower + zero_point);
    most = static_cast<Code>(bounds.upper + zero_point);
  }
  Code least, most;
};

// Throws Refusal where `status` is no success.
void CheckCreated(xnn_status status);

// CONV and LINEAR. What is against it, or empty; without weights.
std::string CheckWeighted(const qc_descriptor& descriptor, bool takes_u8);
// Precondition: nothing is. `constants` hold the weight and the bias.
Operator MakeWeighted(const qc_descriptor& descriptor, const qc_tensor* const* constants);

// ADD, SUB, MUL, CLAMP and its kin, SIGMOID, TANH, ELU, LEAKY_RELU, SOFTMAX.
Operator MakeElementwise(const qc_descriptor& descriptor);
// Pools, MEAN over an image, UPSAMPLE.
Operator MakeImage(const qc_descriptor& descriptor);

}  // namespace qconform::xnnpack

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_XNNPACK_OPERATOR_H_
