// Memory formats of pools and interpolations of codes.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_POOL_FORMATS_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_POOL_FORMATS_H_

#include <string>

#include "reference/ir/module.h"
#include "reference/native_operators/memory_format.h"
#include "reference/ops/call.h"

namespace qconform {

// Of the function's call or of the module (else nullptr).
bool CeilMode(const std::string& name, const Call& call, const Module* module);

// Whether QNNPACK runs it, and not torch itself: pools in one or two dimensions of quint8
// without ceil_mode, adaptive ones where the output divides the input. `name` is that of
// the function or class.
bool IsQnnpackPool(const std::string& name, const std::string& engine, bool ceil_mode,
                   DType dtype, const Shape& input, const Shape& output);

// The strides of the result, of this shape.
Strides PooledStrides(const std::string& name, const std::string& engine, bool ceil_mode,
                      DType dtype, const Placement& input, const Shape& output);

// Whether torch writes the result channels last though PooledStrides says row-major: its
// kernels for channels last take what is contiguous in both formats, such as images of
// one pixel, and their result has the format that the input's strides suggest.
bool WritesPixelByPixel(const std::string& name, const std::string& engine,
                        bool ceil_mode, DType dtype, const Placement& input,
                        const Shape& output);

// Elements of a window of such a pool; `settings` has the kernel_size.
int64_t PoolWindow(const std::string& name, const Call& settings, const Shape& input,
                   const Shape& output);

// Whether torch's own average pool adds the zero point before it rounds: its kernels for
// channels last do not. (qavg_pool, qadaptive_avg_pool)
bool RoundsAveragedCode(const std::string& name, const Placement& input);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_POOL_FORMATS_H_
