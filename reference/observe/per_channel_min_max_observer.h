// Running minimum and maximum of each slice of the channel axis.
// (torch.ao.quantization.observer.PerChannelMinMaxObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_PER_CHANNEL_MIN_MAX_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_PER_CHANNEL_MIN_MAX_OBSERVER_H_

#include <memory>
#include <vector>

#include "reference/observe/uniform_observer.h"

namespace qconform {

class PerChannelMinMaxObserver : public UniformObserver {
 public:
  explicit PerChannelMinMaxObserver(ObserverArguments& arguments);

  // Throws PipelineError("IndexError") for a tensor of fewer than two dimensions and
  // PipelineError("RuntimeError") if the number of channels changes.
  void Observe(const Tensor& x) override;
  Qparams CalculateQparams() const override;
  OrderedMap<Tensor> Buffers() const override;
  bool SetBuffer(const std::string& name, const Tensor& value) override;
  void ResetMinMaxValues() override;
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<PerChannelMinMaxObserver>(*this);
  }

  const std::vector<float>& min_values() const { return min_values_; }
  const std::vector<float>& max_values() const { return max_values_; }

 protected:
  // Merges one batch's ranges into the running ones.
  virtual void Merge(const std::vector<float>& min_values,
                     const std::vector<float>& max_values);

  std::vector<float> min_values_;
  std::vector<float> max_values_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_PER_CHANNEL_MIN_MAX_OBSERVER_H_
