// Observers that also quantize and dequantize what they pass on, for training.
// (torch.ao.quantization.fake_quantize)
#ifndef QCONFORM_REFERENCE_OBSERVE_FAKE_QUANTIZE_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_FAKE_QUANTIZE_OBSERVER_H_

#include <memory>

#include "reference/observe/observer.h"

namespace qconform {

// FakeQuantize. The buffers scale [1] = 1 and zero_point [1] = 0 take the observer's
// parameters at every forward while the observer is enabled.
class FakeQuantizeObserver : public Observer {
 public:
  FakeQuantizeObserver(std::string class_name, std::shared_ptr<Observer> inner);
  FakeQuantizeObserver(const FakeQuantizeObserver& other);

  void Observe(const Tensor& x) override { Forward(x); }
  Tensor Forward(const Tensor& x) override;
  Qparams CalculateQparams() const override { return inner_->CalculateQparams(); }
  int64_t NonFiniteCount() const override { return inner_->NonFiniteCount(); }
  OrderedMap<Tensor> Buffers() const override;
  // The observer's own stand under "activation_post_process.".
  bool SetBuffer(const std::string& name, const Tensor& value) override;
  std::shared_ptr<Observer> ActivationPostProcess() const override { return inner_; }
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<FakeQuantizeObserver>(*this);
  }

  bool fake_quant_enabled = true;
  bool observer_enabled = true;
  // What the last forward quantized with.
  const Tensor& scale() const { return scale_; }
  const Tensor& zero_point() const { return zero_point_; }
  // Where the gradient of the last forward passes (bool); empty unless makes_mask was set
  // before.
  const Tensor& mask() const { return mask_; }
  bool makes_mask = false;

 protected:
  void SetParameters(const Qparams& qparams);
  Tensor Quantized(const Tensor& x);

  std::shared_ptr<Observer> inner_;

 private:
  Tensor scale_;
  Tensor zero_point_;
  Tensor mask_;
};

// FusedMovingAvgObsFakeQuantize: its own choice of parameters
// (ChooseQuantizationParams), made only while fake quantization is enabled. In strict
// mode as FakeQuantize: the parameters are the observer's, as in convert.
class FusedMovingAverageFakeQuantize : public FakeQuantizeObserver {
 public:
  // Throws PipelineError("AssertionError") unless `inner` is a moving-average observer.
  FusedMovingAverageFakeQuantize(std::string class_name, std::shared_ptr<Observer> inner);

  Tensor Forward(const Tensor& x) override;
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<FusedMovingAverageFakeQuantize>(*this);
  }
};

// FixedQParamsFakeQuantize: the parameters never change.
class FixedQParamsFakeQuantize : public FakeQuantizeObserver {
 public:
  // Throws PipelineError("AssertionError") unless `inner` is a FixedQParamsObserver.
  FixedQParamsFakeQuantize(std::string class_name, std::shared_ptr<Observer> inner);

  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<FixedQParamsFakeQuantize>(*this);
  }
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_FAKE_QUANTIZE_OBSERVER_H_
