// The strides of torch's views that select elements.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_SLICED_STRIDES_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_SLICED_STRIDES_H_

#include "reference/native_operators/memory_format.h"
#include "reference/ops/registry.h"

namespace qconform {

// Sets those of the tensors in `result`, which `view` gave for `call`, whose first
// argument is a tensor.
void SetSlicedStrides(const FunctionDefinition& view, const Call& call,
                      MemoryFormats& formats, Value& result);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_SLICED_STRIDES_H_
