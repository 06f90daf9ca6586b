// A backend in this process for tests: the reference's arithmetic under one scheme,
// declared as another or as none, with a fault planted where a test wants one.
#ifndef QCONFORM_CONFORMANCE_COMPARE_DECLARED_TARGET_H_
#define QCONFORM_CONFORMANCE_COMPARE_DECLARED_TARGET_H_

#include <functional>
#include <string>
#include <utility>

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/call_target.h"

namespace qconform {

class DeclaredTarget : public CallTarget {
 public:
  using Fault = std::function<void(const OperatorCall&, std::vector<Bytes>&)>;

  // `follows` empty: the scheme that is asked for. `declares` "=": what it follows.
  DeclaredTarget(std::string follows, std::string declares, Fault fault = nullptr)
      : follows_(std::move(follows)),
        declares_(std::move(declares)),
        fault_(std::move(fault)) {}

  const LoadedBackend& Load() override { return loaded_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode) override {
    CallOutcome outcome;
    const std::string scheme = follows_.empty() ? call.scheme : follows_;
    auto outputs = ReferenceOutputs(call, scheme);
    // Not every operator has every scheme.
    if (!outputs) outputs = ReferenceOutputs(call, "");
    if (!outputs) {
      outcome.reply.reason = "no such operator";
      return outcome;
    }
    if (fault_) fault_(call, *outputs);
    outcome.reply.supported = true;
    outcome.reply.scheme = declares_ == "=" ? scheme : declares_;
    outcome.reply.runs.emplace_back();
    outcome.reply.runs[0].path = "declared";
    outcome.reply.runs[0].outputs = std::move(*outputs);
    return outcome;
  }

 private:
  std::string follows_;
  std::string declares_;
  Fault fault_;
  LoadedBackend loaded_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_DECLARED_TARGET_H_
