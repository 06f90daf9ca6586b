// The weights as a native engine keeps them: torch.classes.quantized.
// LinearPackedParamsBase, Conv1d/2d/3dPackedParamsBase, EmbeddingPackedParamsBase. Here
// packing changes no bytes; what it does is refuse what an engine cannot take.
#ifndef QCONFORM_REFERENCE_NATIVE_PACKED_WEIGHTS_H_
#define QCONFORM_REFERENCE_NATIVE_PACKED_WEIGHTS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/value.h"

namespace qconform {

// Throws InputError unless `engine` is one of torch.backends.quantized's: fbgemm, x86,
// qnnpack, onednn.
void RequireNativeEngine(const std::string& engine);

enum class PackedKind { kLinear, kConvolution, kTransposedConvolution };

// The bias that an engine keeps beside a quantized weight: qnnpack makes zeros of a
// missing one. Refuses (RuntimeError) what torch's prepack operator does: fbgemm and x86
// take qint8 only, onednn a zero point of 0 only, no engine but qnnpack a per channel
// weight of a transposed convolution. `groups` counts for that one.
std::optional<Tensor> PackedBias(PackedKind kind, const Tensor& weight,
                                 const std::optional<Tensor>& bias, int64_t groups,
                                 const std::string& engine);

// onednn takes no output padding (RuntimeError). `convolution` has the attribute.
void CheckOutputPadding(const Module& convolution, const std::string& engine);

// The float weight rounded to float16, in float32, values beyond it saturated.
// (linear_prepack_fp16, then linear_unpack_fp16; qnnpack and onednn refuse)
Tensor PackedHalfWeight(const Tensor& weight, const std::string& engine);

// quantized.linear_prepack, linear_prepack_fp16, conv1d_prepack, conv_transpose2d_prepack
// and their like.
bool IsPrepackOperator(const std::string& target);

// Runs one. The result is a module with the buffers weight and bias and, for
// convolutions, the attributes stride, padding, output_padding, dilation, groups. Throws
// PipelineError("RuntimeError") if the arguments do not fit the operator's schema.
std::shared_ptr<Module> Prepack(const std::string& target, const std::vector<Value>& args,
                                const OrderedMap<Value>& kwargs,
                                const std::string& engine);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_PACKED_WEIGHTS_H_
