// One row of a suite: an operator by its dtypes, shapes, qparams and fill. Row and id say
// the same; each is made from the other.
//
//   first_light/conv2d.u8s8u8.per_channel.bias_f32.relu/
//       n1.c64.i7x7.o32.k3x3.s2x2.p1x1_0x1.g2.zx128.zym5/pair_saturate
//
// Left to right: suite, what, shape, fill, and /seed.7 where the fill is drawn with other
// numbers than the row's own. A minus is spelled m and a decimal point _,
// for an id holds none of `: - * ?`. What is not there has its default. Padding that
// differs between the sides is before_after. row_field.h has the words, row_operator.h
// which operator has which.
#ifndef QCONFORM_CONFORMANCE_CASES_SUITE_ROW_H_
#define QCONFORM_CONFORMANCE_CASES_SUITE_ROW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/tier.h"
#include "datasets/fills.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

using Numbers = std::vector<int64_t>;
using Reals = std::vector<float>;

// No dtype: the operator has no such operand.
inline constexpr qc_dtype kNoDType = static_cast<qc_dtype>(0);

struct Sides {
  Numbers before;
  Numbers after;
  bool operator==(const Sides&) const = default;
};

struct SuiteRow {
  std::string suite;
  std::string operator_name;  // as in row_operator.cc
  qc_dtype x = QC_U8;
  qc_dtype w = kNoDType;  // weights, or the second operand
  qc_dtype y = QC_U8;
  // No part of the id: how often it runs, the number of the public case that it stands
  // for, and the codes that are right there, repeated as often as it takes.
  Tier tier = Tier::kCi;
  std::string reported;
  Numbers want;

  std::string weights;     // per_tensor, per_channel
  std::string bias;        // none, f32, s32, f32_rounded (f32, but rounded first)
  std::string activation;  // fused: none, relu, ...
  std::string scheme;      // own: the operator's own
  bool residual = false;
  std::string relation;  // of a metamorphic case; none: compared with the reference
  std::string expect;    // declared: refused where the backend's config has no such row

  Numbers n;      // batch; linear: every dimension before the last
  int64_t c = 0;  // input channels; linear: K
  Numbers size;   // spatial
  int64_t o = 0;  // output channels; linear: N
  Numbers kernel;
  Numbers stride;
  Numbers dilation;
  Sides padding;
  Numbers output_padding;
  int64_t groups = 1;
  bool ceil = false;
  bool include_pad = false;
  int64_t divisor = 0;

  Numbers shape;  // of the whole input, where it is no [n, c, size]
  Numbers other;  // of the second operand
  Numbers out;    // output sizes that the input does not give
  int64_t axis = -1;
  int64_t qaxis = -1;  // of codes with qparams per channel
  Numbers axes;
  bool keep = false;
  Numbers parts;  // sizes of the inputs of a concat along its axis
  Numbers start;
  Numbers stop;
  Numbers step;
  std::string padding_mode;
  std::string interpolation;
  bool align = false;
  Reals scale_factor;
  int64_t factor = 0;
  int64_t group_count = 0;
  std::string reduction;
  Numbers offsets;
  bool include_last = false;
  bool sample_weights = false;
  int64_t padding_index = 0;
  int64_t hidden = 0;
  int64_t layers = 1;
  bool bidirectional = false;
  bool batch_first = false;
  bool reduce_range = false;
  bool dequantized =
      false;  // recurrent layers: weights are dequantized, x is not quantized

  Reals scalar;
  bool scalar_first = false;
  Reals alpha;
  Reals minimum;
  Reals maximum;
  Reals epsilon;
  bool approximate = false;

  int64_t zx = 0;
  // Of weights with an axis one a channel, repeated as often as it takes.
  Numbers zw;
  Reals zf;  // float zero points of a table, one a row, instead of zw
  int64_t zy = 0;
  int64_t zr = 0;  // of the residual
  Numbers zs;      // of the inputs of a concat, in turn
  Reals sx;        // scales; chosen by the fill unless given
  Reals sw;
  Reals sy;
  Reals sr;
  Numbers range;  // smallest and largest code of the output; empty: those of its dtype

  Fill fill = Fill::kUniform;
  // Of the fill `codes`: for every input in turn, repeated as often as it takes.
  std::vector<Numbers> codes;
  Reals values;  // of the fill `values`
  // Draws other data that reach the same trap. None for data that are written down.
  std::optional<uint64_t> data_seed;
  // No part of the id: how many draws of this seed were tame.
  int draw = 0;

  bool per_channel() const { return weights == "per_channel"; }
  bool operator==(const SuiteRow&) const = default;
};

// Fills defaults in, and checks that the pieces fit (as many numbers as dimensions,
// groups that divide the channels, zero points in range, an output size of at least
// zero). Throws InputError with `where`.
void CompleteRow(SuiteRow& row, const std::string& where);

// Of a completed row.
std::string IdOf(const SuiteRow& row);
// What its random numbers are keyed by: the id and the draw.
std::string DataKeyOf(const SuiteRow& row);
// "first_light/conv2d.u8s8u8.per_channel": what summaries group by.
std::string GroupOf(const SuiteRow& row);

// Rebuilds the row from nothing but the id. Throws InputError.
SuiteRow RowFromId(const std::string& id);

// "uniform", "codes.255.0_m3.7", "uniform/seed.7": as the column and the id spell it.
std::string FillText(const SuiteRow& row);
// Throws InputError.
void SetFill(SuiteRow& row, const std::string& text, const std::string& where);

// Draws the row's data with this seed, unless they are written down or the row has a
// seed of its own: what somebody wrote stays.
void DrawOtherData(SuiteRow& row, uint64_t seed);

// The id but for its seed: "s/what/shape/uniform" of "s/what/shape/uniform/seed.7".
std::string_view WithoutDataSeed(std::string_view id);

// Every value that the operands can take is in the case: 256 codes of a unary operator,
// 65,536 pairs of a binary one, every product of a requantization.
bool HoldsWholeDomain(const SuiteRow& row);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SUITE_ROW_H_
