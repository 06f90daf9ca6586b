// Averages of codes: average pools and mean.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_AVERAGES_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_AVERAGES_H_

#include <memory>
#include <string>

#include "reference/native_operators/memory_format.h"
#include "reference/ops/registry.h"

namespace qconform {

// avg_pool2d, AdaptiveAvgPool1d, ...
bool IsAveragePool(const std::string& name);

// `base` averages floats. Tensors that are not quantized go to it as they are.
FunctionDefinition AveragedFunction(const std::string& name, const std::string& engine,
                                    const std::shared_ptr<const MemoryFormats>& formats,
                                    const FunctionDefinition& base);
ModuleDefinition AveragedModule(const std::string& name, const std::string& engine,
                                const std::shared_ptr<const MemoryFormats>& formats,
                                const ModuleDefinition& base);

// The mean over the last axes of a row-major tensor is taken of the codes, and by QNNPACK
// that of planes; others by `through_float`. (mean_quantized_cpu, qmean_inner_dim)
FunctionDefinition AveragedMean(const std::string& engine,
                                const std::shared_ptr<const MemoryFormats>& formats,
                                const FunctionDefinition& base,
                                const FunctionDefinition& through_float);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_AVERAGES_H_
