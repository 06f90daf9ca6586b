#include "reference/pt2e/derived_observer.h"

#include "reference/ir/error.h"
#include "reference/pt2e/derive_function.h"

namespace qconform {

DerivedObserver::DerivedObserver(const DerivedQuantizationSpec& spec,
                                 std::vector<std::shared_ptr<Observer>> sources)
    : derive_function_(spec.derive_function), sources_(std::move(sources)) {
  class_name = "DerivedObserverOrFakeQuantize";
  torchao = true;
  dtype = spec.dtype;
  quant_min = spec.quant_min;
  quant_max = spec.quant_max;
  if (spec.qscheme) qscheme = *spec.qscheme;
  if (IsPerChannel(qscheme) && !spec.ch_axis) {
    throw PipelineError("AssertionError",
                        "Must provide a valid ch_axis if qscheme is per channel");
  }
  if (spec.ch_axis) ch_axis = static_cast<int>(*spec.ch_axis);
  DeriveFunctions().Get(derive_function_);
}

Qparams DerivedObserver::CalculateQparams() const {
  for (const std::shared_ptr<Observer>& source : sources_) {
    if (source == nullptr) {
      throw PipelineError("AttributeError",
                          "parameters are derived from a place whose spec is None");
    }
  }
  return DeriveFunctions().Get(derive_function_)(sources_);
}

}  // namespace qconform
