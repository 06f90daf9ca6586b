// The base of all observers and fake-quantizers: what the pipeline needs to know
// about them. (torch.ao.quantization.observer.ObserverBase)
#ifndef QCONFORM_REFERENCE_OBSERVE_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_OBSERVER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "reference/config/mode.h"
#include "reference/ir/dtype.h"
#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"
#include "reference/numerics/qscheme.h"

namespace qconform {

// scale float32 [1] or [channels]; zero_point int32 (affine), int64 (symmetric, or
// nothing was observed) or float32 (float qparams), of the same shape.
struct Qparams {
  Tensor scale;
  Tensor zero_point;
};

class Observer : public ModuleState {
 public:
  // Updates the statistics from x. The output of an observer is its input.
  // Throws PipelineError where torch raises (per channel on a 1-D tensor: IndexError;
  // a histogram of NaN: RuntimeError). Strict mode takes both: it leaves out, and
  // counts, what is not finite.
  virtual void Observe(const Tensor& x) = 0;

  // What the module's forward returns; observers return x itself, fake-quantizers
  // its quantized and dequantized value. Calls Observe.
  virtual Tensor Forward(const Tensor& x);

  // Whether the forward returns what is no tensor as it is; torch raises AttributeError
  // in the others.
  virtual bool PassesAnyValue() const { return false; }

  // Throws PipelineError("Exception") for classes without parameters (placeholder,
  // noop, recording, reuse-input), PipelineError("AssertionError") for an impossible
  // range; in strict mode PipelineError("ValueError") if nothing seen was finite: its
  // scales are always finite.
  virtual Qparams CalculateQparams() const = 0;

  // How many elements were left out because they are NaN or infinite. (In torch mode
  // only histograms leave out any, the infinite ones.)
  virtual int64_t NonFiniteCount() const { return non_finite_count_; }

  // Statistics by torch's buffer name ("min_val", "max_val", "histogram", "eps",
  // "scale", ...).
  virtual OrderedMap<Tensor> Buffers() const = 0;

  // Takes one of Buffers() over, from a checkpoint. False if this class has none of that
  // name. Throws InputError for a value of the wrong size.
  virtual bool SetBuffer(const std::string& name, const Tensor& value);

  virtual void ResetMinMaxValues() {}

  // "MinMaxObserver", "FakeQuantize", ...: torch's class name without its module.
  std::string class_name;
  DType dtype = DType::kQUInt8;
  QScheme qscheme = QScheme::kPerTensorAffine;
  // Absent where torch has None (placeholder) or no such attribute.
  std::optional<int64_t> quant_min;
  std::optional<int64_t> quant_max;
  bool reduce_range = false;
  // Both bounds were given by the user.
  bool has_customized_qrange = false;
  float eps = 0x1p-23f;
  bool is_dynamic = false;
  // Only per channel classes: the channel axis. -1 otherwise.
  int ch_axis = -1;
  // The class belongs to torchao's copy, which refuses a NaN range.
  bool torchao = false;
  Mode mode = Mode::kTorch;

  // The observer inside a fake-quantizer; nullptr for an observer.
  virtual std::shared_ptr<Observer> ActivationPostProcess() const { return nullptr; }
  bool IsFakeQuantize() const { return ActivationPostProcess() != nullptr; }

 protected:
  int64_t non_finite_count_ = 0;
};

// Scale and zero point of per tensor parameters, as they are written into a graph.
double ScaleValue(const Qparams& qparams);
int64_t ZeroPointValue(const Qparams& qparams);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_OBSERVER_H_
