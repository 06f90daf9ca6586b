// A running histogram whose range is clipped to minimize the quantization error.
// (torch.ao.quantization.observer.HistogramObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_OBSERVER_H_

#include <limits>
#include <memory>
#include <vector>

#include "reference/observe/histogram_search.h"
#include "reference/observe/uniform_observer.h"

namespace qconform {

class HistogramObserver : public UniformObserver {
 public:
  // Keyword bins (2048). Throws PipelineError("TypeError") for a dtype that is not an
  // integer.
  explicit HistogramObserver(ObserverArguments& arguments);

  // Infinities are dropped. Throws PipelineError("RuntimeError") for NaN, which strict
  // mode drops, too.
  void Observe(const Tensor& x) override;
  Qparams CalculateQparams() const override;
  OrderedMap<Tensor> Buffers() const override;
  bool SetBuffer(const std::string& name, const Tensor& value) override;
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<HistogramObserver>(*this);
  }

  int64_t bins() const { return bins_; }
  // Empty before the first values.
  const std::vector<float>& histogram() const { return histogram_; }
  float min_value() const { return min_value_; }
  float max_value() const { return max_value_; }
  // Nothing but an untouched observer is uninitialized here.
  bool IsUninitialized() const;
  // The clipped range. Precondition: not IsUninitialized().
  ClippedRange Search() const;

 private:
  // The old counts over the wider range.
  std::vector<float> Moved(float new_min, float new_max) const;

  int64_t bins_;
  std::vector<float> histogram_;
  float min_value_ = std::numeric_limits<float>::infinity();
  float max_value_ = -std::numeric_limits<float>::infinity();
  int64_t code_count_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_HISTOGRAM_OBSERVER_H_
