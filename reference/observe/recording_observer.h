// Keeps a copy of every tensor that it sees.
// (torch.ao.quantization.observer.RecordingObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_RECORDING_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_RECORDING_OBSERVER_H_

#include <memory>
#include <vector>

#include "reference/observe/placeholder_observer.h"

namespace qconform {

class RecordingObserver : public BlindObserver {
 public:
  explicit RecordingObserver(ObserverArguments& arguments) {
    class_name = arguments.class_name();
    dtype = arguments.TakeDType("dtype", DType::kQUInt8);
    arguments.RejectOthers();
  }

  void Observe(const Tensor& x) override { values_.push_back(x.Clone()); }
  bool PassesAnyValue() const override { return false; }
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<RecordingObserver>(*this);
  }
  const std::vector<Tensor>& values() const { return values_; }

 private:
  std::vector<Tensor> values_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_RECORDING_OBSERVER_H_
