// An observer that sees nothing: its parameters follow from those of others.
// (torchao.quantization.pt2e.DerivedObserverOrFakeQuantize)
#ifndef QCONFORM_REFERENCE_PT2E_DERIVED_OBSERVER_H_
#define QCONFORM_REFERENCE_PT2E_DERIVED_OBSERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "reference/observe/observer.h"
#include "reference/pt2e/quantization_spec.h"

namespace qconform {

class DerivedObserver : public Observer {
 public:
  // Throws PipelineError("AssertionError") for parameters per channel without an axis,
  // InputError for a function that nobody registered.
  DerivedObserver(const DerivedQuantizationSpec& spec,
                  std::vector<std::shared_ptr<Observer>> sources);

  void Observe(const Tensor&) override {}
  bool PassesAnyValue() const override { return true; }
  Qparams CalculateQparams() const override;
  OrderedMap<Tensor> Buffers() const override { return {}; }
  // The copy derives from the same sources; set_sources gives it others.
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<DerivedObserver>(*this);
  }

  const std::vector<std::shared_ptr<Observer>>& sources() const { return sources_; }
  void set_sources(std::vector<std::shared_ptr<Observer>> sources) {
    sources_ = std::move(sources);
  }

 private:
  std::string derive_function_;
  std::vector<std::shared_ptr<Observer>> sources_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_DERIVED_OBSERVER_H_
