// A suite: a CSV file, one case a row. Columns, in any order:
//   operator    conv1d, conv2d, conv3d or linear
//   x, w, y     dtypes of activations, weights and output: u8, s8; y also f32
//   weights     per_tensor or per_channel
//   bias        none, f32, s32; f32_rounded: f32 under the scheme that rounds it first
//   activation  none, relu
//   n           batch; linear: the dimensions before the last, like 2x3
//   c, o        input and output channels; linear: K and N
//   size        spatial sizes, like 7x7; empty for linear, as the next five
//   kernel, stride, dilation
//   padding     1x1, or before_after: 0x0_1x1
//   groups
//   zx, zw, zy  zero points
//   fill        a name of datasets/fills.h
// Lines that start with # are remarks. Empty fields have their defaults.
#ifndef QCONFORM_CONFORMANCE_CASES_SUITE_CSV_H_
#define QCONFORM_CONFORMANCE_CASES_SUITE_CSV_H_

#include <filesystem>
#include <vector>

#include "conformance/cases/suite_row.h"

namespace qconform {

// The suite is named after the file. Throws InputError with file and line: a missing
// column, a field that is wrong, a case that stands there twice, no case at all.
std::vector<SuiteRow> ReadSuite(const std::filesystem::path& file);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUITE_CSV_H_
