// ABI tensors as dense row-major vectors of integers or real values, and back, for any
// byte strides.
#ifndef QCONFORM_REFERENCE_NUMERICS_ABI_TENSOR_H_
#define QCONFORM_REFERENCE_NUMERICS_ABI_TENSOR_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/scheme.h"

namespace qconform {

// Bytes of one element, of one pair of 4-bit codes; 0 for a dtype that the scalar
// operators do not know.
int64_t ElementBytes(int32_t dtype);
// Two codes a byte along the last dimension, whose stride is that of a pair.
inline bool IsPacked(const qc_tensor& tensor) {
  return tensor.dtype == QC_U4 || tensor.dtype == QC_S4;
}
int64_t ElementCount(const qc_tensor& tensor);
std::vector<int64_t> ShapeOf(const qc_tensor& tensor);

inline bool IsQuantized(const qc_tensor& tensor) { return tensor.scale != nullptr; }
// u8 or s8 with a scale.
bool IsCode8(const qc_tensor& tensor);
bool IsReal(const qc_tensor& tensor);  // f32 without a scale

struct CodeBounds {
  int32_t min;
  int32_t max;
};
// The tensor's own bounds, or those of its dtype.
CodeBounds BoundsOf(const qc_tensor& tensor);

// Parameters of slice `channel` of the quantized axis, or the only ones.
float ScaleAt(const qc_tensor& tensor, int64_t channel = 0);
int32_t ZeroPointAt(const qc_tensor& tensor, int64_t channel = 0);
// Same dtype, parameters and bounds: codes may be copied.
bool SameQparams(const qc_tensor& a, const qc_tensor& b);

// Elements of u8, s8, s16, u16, s32, u4, s4.
std::vector<int32_t> ReadIntegers(const qc_tensor& tensor);
// Elements of s32, s64.
std::vector<int64_t> ReadIndices(const qc_tensor& tensor);
// Precondition: not packed.
void WriteIntegers(qc_tensor& tensor, std::span<const int32_t> values);

// Dequantized codes, or f32 as they are; plain integers become float32.
std::vector<float> ReadReal(const qc_tensor& tensor);
// Quantized to codes by a real scheme's rule, or f32 as they are. NaN gives code 0
// clamped to the bounds.
void WriteReal(qc_tensor& tensor, std::span<const float> values, const Scheme& scheme);

// Checks for descriptors; empty means none to name.
// Rank, sizes, dtype; scales finite and positive, zero points inside the dtype or, where
// they are float, finite.
std::string CheckTensor(const qc_tensor& tensor, const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_ABI_TENSOR_H_
