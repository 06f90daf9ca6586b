// What observers of a uniform quantization share: their settings, and parameters
// from observed ranges. (torch.ao.quantization.observer.UniformQuantizationObserverBase)
#ifndef QCONFORM_REFERENCE_OBSERVE_UNIFORM_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_UNIFORM_OBSERVER_H_

#include <vector>

#include "reference/observe/observer.h"
#include "reference/observe/observer_arguments.h"

namespace qconform {

class UniformObserver : public Observer {
 public:
  // One value a channel; `scalar` for per tensor (they hold one value each). Nothing
  // observed (empty, or the scalar +inf, -inf) gives scale 1 and zero point 0, in strict
  // mode that of the qscheme (128 for symmetric quint8). Throws
  // PipelineError("AssertionError") for a minimum above its maximum, in torchao's
  // copy also for NaN; in strict mode PipelineError("ValueError") where elements were
  // seen and none of them, or of one channel, is finite.
  Qparams QparamsOf(const std::vector<float>& min_values,
                    const std::vector<float>& max_values, bool scalar) const;

  bool SetBuffer(const std::string& name, const Tensor& value) override;

 protected:
  // Reads dtype, qscheme, reduce_range, quant_min, quant_max, eps, is_dynamic and
  // rejects keywords that nobody took. Throws PipelineError as torch's constructor.
  UniformObserver(ObserverArguments& arguments, QScheme default_qscheme);

  // x in float32; strict mode leaves out what is not finite, and counts it. Only for what
  // does not look at the shape.
  Tensor Observable(const Tensor& x);

  // {"eps": [1]}, with which every Buffers() begins.
  OrderedMap<Tensor> EpsBuffer() const;

 private:
  [[noreturn]] void RefuseNothingFinite() const;
};

// The one element of a buffer. Throws InputError if there are more or none.
float SingleValue(const std::string& name, const Tensor& value);

// Throws PipelineError("NotImplementedError") if the qscheme is of the other kind.
void RequirePerTensor(ObserverArguments& arguments);
void RequirePerChannel(ObserverArguments& arguments);
void RefuseDynamic(ObserverArguments& arguments);

// Throws PipelineError("NotImplementedError") for a symmetric quint8 range with a bit
// taken off: its zero point 128 is no code of 0 to 127.
void RefuseReducedSymmetricQUInt8(const Observer& observer);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_UNIFORM_OBSERVER_H_
