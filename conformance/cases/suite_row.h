// One row of a suite: a convolution or linear by its shape, dtypes, zero points and
// fill. Row and id say the same; each is made from the other.
//
//   first_light/conv2d.u8s8u8.per_channel.bias_f32.relu/
//       n1.c64.i7x7.o32.k3x3.s2x2.p1x1_0x1.g2.zx128.zym5/pair_saturate
//
// Left to right: suite, what, shape, fill. A minus is spelled m, for an id holds none
// of `: - * ?`. What is not there has its default: stride, dilation and groups 1, no
// padding, weights' zero point 0, no bias, no activation. Padding that differs between
// the sides is before_after.
#ifndef QCONFORM_CONFORMANCE_CASES_SUITE_ROW_H_
#define QCONFORM_CONFORMANCE_CASES_SUITE_ROW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/fills.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

using Numbers = std::vector<int64_t>;

struct SuiteRow {
  std::string suite;
  std::string operator_name;  // conv1d, conv2d, conv3d, linear
  qc_dtype x = QC_U8;
  qc_dtype w = QC_S8;
  qc_dtype y = QC_U8;
  bool per_channel = false;
  std::string bias = "none";  // none, f32, s32, f32_rounded (f32, but rounded first)
  bool relu = false;
  Numbers n;      // batch; linear: every dimension before the last
  int64_t c = 0;  // input channels; linear: K
  Numbers size;   // spatial; empty for linear
  int64_t o = 0;  // output channels; linear: N
  Numbers kernel;
  Numbers stride;
  Numbers dilation;
  Numbers padding_before;
  Numbers padding_after;
  int64_t groups = 1;
  int32_t zx = 0;
  int32_t zw = 0;
  int32_t zy = 0;
  Fill fill = Fill::kUniform;

  bool is_linear() const { return operator_name == "linear"; }
  bool operator==(const SuiteRow&) const = default;
};

// Fills defaults in, and checks that the pieces fit (as many numbers as dimensions,
// groups that divide the channels, zero points in range, an output size of at least
// zero). Throws InputError with `where`.
void CompleteRow(SuiteRow& row, const std::string& where);

// Of a completed row.
std::string IdOf(const SuiteRow& row);
// "first_light/conv2d.u8s8u8.per_channel": what summaries group by.
std::string GroupOf(const SuiteRow& row);

// Rebuilds the row from nothing but the id. Throws InputError.
SuiteRow RowFromId(const std::string& id);

// "3x3" -> {3, 3}. Throws InputError.
Numbers ParseNumbers(const std::string& text, const std::string& where);
std::string NumbersText(const Numbers& numbers);

// Output sizes of the spatial dimensions of a completed convolution row.
Numbers OutputSize(const SuiteRow& row);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUITE_ROW_H_
