#include "reference/observe/weight_constructor.h"

#include "reference/qconfig/observer_settings.h"

namespace qconform {

bool IsTransposedConvolution(const std::string& type) {
  return type.find("ConvTranspose") != std::string::npos ||
         type.find("conv_transpose") != std::string::npos;
}

ObserverConstructor WeightConstructor(const ObserverConstructor& weight,
                                      const std::string& type, Mode mode) {
  ObserverConstructor constructor = weight;
  const bool has_axis =
      weight.kwargs.Contains("ch_axis") ||
      (weight.observer != nullptr && weight.observer->kwargs.Contains("ch_axis"));
  if (mode == Mode::kStrict && !has_axis && IsTransposedConvolution(type) &&
      DescribeObserver(weight).IsPerChannel()) {
    // A fake-quantizer hands it on to its observer.
    constructor.kwargs.Set("ch_axis", 1);
    constructor.has_arguments = true;
  }
  return constructor;
}

}  // namespace qconform
