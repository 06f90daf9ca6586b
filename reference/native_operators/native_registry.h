// What torch's native engines compute: the definitions of torch.ops.quantized, of the
// modules of torch.ao.nn.quantized, and of float operators on quantized tensors.
//
// Convolution and linear are exact in integers: f32/one/even/bias_f32/zp_after for
// fbgemm, x86 and onednn, bias_s32 for qnnpack, which adds quint8 in fixed point, too
// (fixed_point_add.h). The other operators dequantize, compute as reference/ops does and
// quantize; torch's vector code rounds some of them differently, and its code may lie one
// beside ours where a value meets a tie.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_NATIVE_REGISTRY_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_NATIVE_REGISTRY_H_

#include <string>

#include "reference/ops/registry.h"

namespace qconform {

// `base` with the definitions for `engine` (fbgemm, x86, qnnpack or onednn) added. It
// keeps the tensors of its runs that are not row-major: one registry a run, on one
// thread.
Registry NativeRegistry(const std::string& engine,
                        const Registry& base = Registry::BuiltIn());

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_NATIVE_REGISTRY_H_
