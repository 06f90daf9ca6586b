// A suite: a CSV file, one case a row. Columns, in any order, and only those that the
// suite needs:
//   operator    a name of row_operator.cc: conv1d to conv3d, linear, add, relu, ...
//   x, w, y     dtypes of the input, of weights or the second operand (empty: there is
//               none), and of the output: u8, s8, f32, ...
//   fill        a name of datasets/fills.h, or literal data: codes.255.0_m3.7 (for every
//               input, repeated), values.0_5.m1_5.inf (of a float input); uniform/seed.7
//               is drawn with other numbers than uniform
//   tier        smoke, ci, nightly or full: how often it runs; ci unless said
//   reported    number of the public case that the row stands for, QB39
//   want        the codes that are right there, 251.252.255, repeated as often as it
//               takes; a test holds the reference to them
// and the fields of row_field.cc:
//   weights     per_tensor or per_channel
//   bias        none, f32, s32; f32_rounded: f32 under the scheme that rounds it first
//   activation  fused: none, relu, relu6, clamp, leaky_relu, tanh, ...
//   scheme      own, real, q31_one, q31_two: what the case asks for
//   residual    yes: y = activation(op(x) + residual)
//   relation    a name of metamorphic/: two calls are compared with each other
//   expect      answer; declared: a backend whose config has rows of the operator, but
//               none with these dtypes and qparams, must refuse
//   n           batch; linear: the dimensions before the last, like 2x3
//   c, o        input and output channels; linear: K and N
//   size        spatial sizes, like 7x7
//   kernel, stride, dilation, output_padding, groups
//   padding     1x1, or before_after: 0x0_1x1; pad: of every dimension
//   padding_mode  of pad and of convolutions: zeros, reflect, replicate, circular
//   ceil, include_pad, divisor                       of pooling
//   shape, other, out   of the whole input, of the second operand, of the output where
//               the input does not say it
//   axis, axes, keep, parts (of a concat along its axis), start, stop, step
//   qaxis       the axis of qparams per channel of quantize and dequantize
//   scalar, scalar_first, alpha, minimum, maximum, epsilon, approximate
//   zx, zw, zy, zr      zero points of input, weights, output, residual; zw of weights
//               with an axis may be one a channel, 3x-7x0, repeated as often as it takes
//   zf          float zero points of an embedding's table, 0.5x-3.25, one a row
//   dequantized yes: a recurrent layer whose weights are dequantized, where others
//               quantize its inputs at run time
//   zs          zero points of the inputs of a concat, in turn
//   sx, sw, sy, sr      scales; those not given are the fill's
//   range       smallest and largest code of the output, 0x127
// Lines that start with # are remarks. Empty fields have their defaults.
#ifndef QCONFORM_CONFORMANCE_CASES_SUITE_CSV_H_
#define QCONFORM_CONFORMANCE_CASES_SUITE_CSV_H_

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/cases/suite_row.h"

namespace qconform {

// The suite is named after the file. Throws InputError with file and line: an unknown
// column or one that the operator has no use for, a field that is wrong, a case that
// the reference does not define or that stands there twice, no case at all.
std::vector<SuiteRow> ReadSuite(const std::filesystem::path& file);

// The line of column names with all of them, and a row below it; both with their end.
std::string SuiteCsvHeader();
std::string SuiteCsvLine(const SuiteRow& row);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUITE_CSV_H_
