// Observed custom modules of torch.ao.nn.quantizable become the quantized ones of
// torch.ao.nn.quantized.
#ifndef QCONFORM_REFERENCE_NATIVE_QUANTIZABLE_CONVERSION_H_
#define QCONFORM_REFERENCE_NATIVE_QUANTIZABLE_CONVERSION_H_

#include "reference/convert/convert.h"

namespace qconform {

// Adds the conversion of every such class that options.custom_config names, for
// options.engine; one that is there already stays. ConvertToNative does it by itself.
// (from_observed, torch.ao.quantization.convert)
void AddQuantizableConversions(ConvertOptions& options);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_QUANTIZABLE_CONVERSION_H_
