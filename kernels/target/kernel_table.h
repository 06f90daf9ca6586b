// The compiled Halide kernels of one path, as function pointers.
#ifndef QCONFORM_KERNELS_TARGET_KERNEL_TABLE_H_
#define QCONFORM_KERNELS_TARGET_KERNEL_TABLE_H_

#include <cstdint>

#include "kernels/target/path.h"

struct halide_buffer_t;

namespace qconform::kernels {

// input, pixel_offset, tap_offset, weight, start, bias, multiplier, lower, upper,
// zero_point, flip, output: see conv/generator.cc.
using ConvKernel = int (*)(halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                           halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                           halide_buffer_t*, float, float, int32_t, uint8_t,
                           halide_buffer_t*);

// input, weight, start, bias, multiplier, lower, upper, zero_point, flip, output: see
// linear/generator.cc.
using LinearKernel = int (*)(halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                             halide_buffer_t*, halide_buffer_t*, float, float, int32_t,
                             uint8_t, halide_buffer_t*);

// a, b, flip, zero point and scale of each, alpha, lowest, highest, reciprocal, lower,
// upper, zero_point, of_nan, flip, output: see elementwise/generator.cc.
using ElementwiseKernel = int (*)(halide_buffer_t*, halide_buffer_t*, uint8_t, int32_t,
                                  float, uint8_t, int32_t, float, float, float, float,
                                  float, float, float, int32_t, int16_t, uint8_t,
                                  halide_buffer_t*);

// a, row_offset, depth_offset, b, reciprocal, lower, upper, zero_point, of_nan, flip,
// output: see matmul/generator.cc.
using MatmulKernel = int (*)(halide_buffer_t*, halide_buffer_t*, halide_buffer_t*,
                             halide_buffer_t*, float, float, float, int32_t, int16_t,
                             uint8_t, halide_buffer_t*);

// input, output: see pool/generator.cc.
using PoolMaxKernel = int (*)(halide_buffer_t*, halide_buffer_t*);

// input, divisor, depth, height, flip, zero point and scale of the input, reciprocal,
// lower, upper, zero_point, of_nan, flip, output: see pool/generator.cc.
using PoolAverageKernel = int (*)(halide_buffer_t*, halide_buffer_t*, float, float,
                                  uint8_t, int32_t, float, float, float, float, int32_t,
                                  int16_t, uint8_t, halide_buffer_t*);

// input, input_flip, slope, offset, lowest, highest, flip, output: see
// activation/generator.cc.
using AffineCodesKernel = int (*)(halide_buffer_t*, uint8_t, halide_buffer_t*,
                                  halide_buffer_t*, float, float, uint8_t,
                                  halide_buffer_t*);

// With threshold, upper slope and upper offset behind the first pair.
using TwoAffineCodesKernel = int (*)(halide_buffer_t*, uint8_t, halide_buffer_t*,
                                     halide_buffer_t*, int32_t, float, float, float,
                                     float, uint8_t, halide_buffer_t*);

// input with its flip, zero point and scale, mean, scale, gamma, beta, lowest, highest,
// reciprocal, lower, upper, zero_point, of_nan, flip, output: see normalize/generator.cc.
using NormalizeRowKernel = int (*)(halide_buffer_t*, uint8_t, int32_t, float, double,
                                   double, halide_buffer_t*, halide_buffer_t*, float,
                                   float, float, float, float, int32_t, int16_t, uint8_t,
                                   halide_buffer_t*);

// See quantize/generator.cc: input, parameters, of_nan, flip, output.
using QuantizeCodesKernel = int (*)(halide_buffer_t*, halide_buffer_t*, int16_t, uint8_t,
                                    halide_buffer_t*);
// input, parameters, of_nan, output
using QuantizeIntegersKernel = int (*)(halide_buffer_t*, halide_buffer_t*, int32_t,
                                       halide_buffer_t*);
// input, flip, parameters, output
using DequantizeCodesKernel = int (*)(halide_buffer_t*, uint8_t, halide_buffer_t*,
                                      halide_buffer_t*);
// input, parameters, output
using DequantizeIntegersKernel = int (*)(halide_buffer_t*, halide_buffer_t*,
                                         halide_buffer_t*);

// exponential, sum, reciprocal, lower, upper, zero_point, of_nan, flip, output: see
// softmax/generator.cc.
using SoftmaxKernel = int (*)(halide_buffer_t*, double, float, float, float, int32_t,
                              int16_t, uint8_t, halide_buffer_t*);

// A member is null where the path has no such kernel. _i16: activations and weights
// as 16-bit integers without their zero points; _u8: activations as unsigned
// bytes (signed on Arm), weights as signed bytes, four products an instruction; _short2,
// _short4: the same bytes with sums of as many products in 16 bits (conv/short_sums.h);
// _sum: accumulators in 32 bits instead of codes.
struct KernelTable {
  ConvKernel conv_wide_i16 = nullptr;
  ConvKernel conv_narrow_i16 = nullptr;
  ConvKernel conv_wide_u8 = nullptr;
  ConvKernel conv_narrow_u8 = nullptr;
  ConvKernel conv_depthwise_i16 = nullptr;
  ConvKernel conv_wide_sum_i16 = nullptr;
  ConvKernel conv_narrow_sum_i16 = nullptr;
  ConvKernel conv_wide_sum_u8 = nullptr;
  ConvKernel conv_narrow_sum_u8 = nullptr;
  ConvKernel conv_depthwise_sum_i16 = nullptr;
  ConvKernel conv_wide_short2 = nullptr;
  ConvKernel conv_wide_short4 = nullptr;
  ConvKernel conv_wide_sum_short2 = nullptr;
  ConvKernel conv_wide_sum_short4 = nullptr;
  ConvKernel conv_narrow_short2 = nullptr;
  ConvKernel conv_narrow_short4 = nullptr;
  ConvKernel conv_narrow_sum_short2 = nullptr;
  ConvKernel conv_narrow_sum_short4 = nullptr;
  LinearKernel linear_tile_i16 = nullptr;
  LinearKernel linear_row_i16 = nullptr;
  LinearKernel linear_tile_u8 = nullptr;
  LinearKernel linear_row_u8 = nullptr;
  LinearKernel linear_tile_sum_i16 = nullptr;
  LinearKernel linear_row_sum_i16 = nullptr;
  LinearKernel linear_tile_sum_u8 = nullptr;
  LinearKernel linear_row_sum_u8 = nullptr;
  LinearKernel linear_tile_short2 = nullptr;
  LinearKernel linear_tile_short4 = nullptr;
  LinearKernel linear_tile_sum_short2 = nullptr;
  LinearKernel linear_tile_sum_short4 = nullptr;
  MatmulKernel matmul_codes = nullptr;
  MatmulKernel matmul_real = nullptr;
  ElementwiseKernel elementwise_add = nullptr;
  ElementwiseKernel elementwise_add_scaled = nullptr;
  ElementwiseKernel elementwise_subtract = nullptr;
  ElementwiseKernel elementwise_multiply = nullptr;
  PoolMaxKernel pool_max_u8 = nullptr;
  PoolMaxKernel pool_max_s8 = nullptr;
  PoolAverageKernel pool_average = nullptr;
  PoolAverageKernel pool_adaptive = nullptr;
  AffineCodesKernel activation_affine = nullptr;
  TwoAffineCodesKernel activation_two_affine = nullptr;
  NormalizeRowKernel normalize_row = nullptr;
  QuantizeCodesKernel quantize_codes = nullptr;
  QuantizeIntegersKernel quantize_integers = nullptr;
  DequantizeCodesKernel dequantize_codes = nullptr;
  DequantizeIntegersKernel dequantize_integers = nullptr;
  SoftmaxKernel softmax_codes = nullptr;
};

// Built from the kernels.inc of every family (all_kernels.inc). A shared object that was
// built with fewer paths answers with null members.
const KernelTable& KernelsOf(Path path);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TARGET_KERNEL_TABLE_H_
