// What query and plan are handed of an operator call: lent, and taken back when they have
// returned.
#ifndef QCONFORM_CONFORMANCE_HOST_LENT_CALL_H_
#define QCONFORM_CONFORMANCE_HOST_LENT_CALL_H_

#include <memory>

#include "conformance/host/abi_view.h"
#include "conformance/host/guarded_buffer.h"

namespace qconform {

// A copy of the descriptor and of all that it points at (attributes, tensors, qparams,
// scheme) in one guarded block; the data of constants stay where the view has them.
class LentCall {
 public:
  // Throws std::bad_alloc.
  explicit LentCall(const AbiView& view);
  // What was taken back stays so for a while: memory that is used again can be read.
  ~LentCall();
  LentCall(const LentCall&) = delete;

  const qc_descriptor& descriptor() const { return *descriptor_; }
  // As plan wants them: NULL where the input is no constant.
  const qc_tensor* const* constants() const { return constants_; }

  // From now on every access faults, and is told as one after `borrower`, a literal, has
  // returned. For one thread at a time.
  void TakeBack(const char* borrower) { block_->TakeBack(borrower); }

 private:
  std::unique_ptr<GuardedBuffer> block_;
  const qc_descriptor* descriptor_ = nullptr;
  const qc_tensor* const* constants_ = nullptr;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_LENT_CALL_H_
