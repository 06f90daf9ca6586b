// The observer that a weight really gets.
#ifndef QCONFORM_REFERENCE_OBSERVE_WEIGHT_CONSTRUCTOR_H_
#define QCONFORM_REFERENCE_OBSERVE_WEIGHT_CONSTRUCTOR_H_

#include <string>

#include "reference/config/mode.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Whether a module class or a function is a transposed convolution: its weight has its
// output channels on axis 1.
bool IsTransposedConvolution(const std::string& type);

// `weight` itself; in strict mode, for a transposed convolution and a per channel
// observer that was given no ch_axis, the same with ch_axis 1. torch refuses the modules
// and takes axis 0, the input channels, for functions and for fake-quantizers.
ObserverConstructor WeightConstructor(const ObserverConstructor& weight,
                                      const std::string& type, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_WEIGHT_CONSTRUCTOR_H_
