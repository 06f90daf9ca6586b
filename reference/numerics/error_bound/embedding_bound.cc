// EMBEDDING and EMBEDDING_BAG: rows of a table dequantized, and their sum, mean or
// maximum.
#include <algorithm>

#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/embedding_table.h"
#include "reference/numerics/error_bound/bound_call.h"

namespace qconform {
namespace {

// Codes with float zero points: code * scale + offset, where the offset is rounded, once
// more to float16 with the scale in a table of four bits; and a row's factor may be
// multiplied into both before.
BoundedValues ReadTable(const qc_tensor& table) {
  if (table.zero_point_f32 == nullptr) return ReadBounded(table);
  BoundedValues values;
  const std::vector<int32_t> codes = ReadIntegers(table);
  for (const int32_t code : codes) {
    const auto row = static_cast<int64_t>(values.size()) / table.shape[1];
    const RowQparams qparams =
        RowQparamsOf(table.scale[row], table.zero_point_f32[row], IsPacked(table));
    const double product = static_cast<double>(code) * double{qparams.scale};
    values.push_back({product + double{qparams.offset},
                      Gamma(3) * (std::abs(product) + std::abs(double{qparams.offset}))});
  }
  return values;
}

struct Bag {
  int64_t begin;
  int64_t end;
};

std::vector<Bag> BagsOf(const ScalarCall& call) {
  std::vector<Bag> bags;
  const qc_tensor* offsets = call.input(2);
  if (offsets == nullptr) {
    for (int64_t i = 0; i < call.x().shape[0]; ++i)
      bags.push_back({i * call.x().shape[1], (i + 1) * call.x().shape[1]});
    return bags;
  }
  std::vector<int64_t> bounds = ReadIndices(*offsets);
  if (call.attributes.include_last_offset == 0) bounds.push_back(ElementCount(call.x()));
  for (size_t i = 0; i + 1 < bounds.size(); ++i)
    bags.push_back({bounds[i], bounds[i + 1]});
  return bags;
}

// gamma_n sum |factor x|: products and n - 1 sums; the maximum adds nothing.
Bounded Reduce(const ScalarCall& call, const BoundedValues& column,
               const BoundedValues& factors) {
  if (column.empty()) return Exact(0);
  if (call.attributes.reduction == QC_REDUCTION_MAX) {
    const auto less = [](const Bounded& a, const Bounded& b) {
      return a.value < b.value;
    };
    Bounded largest = *std::max_element(column.begin(), column.end(), less);
    for (const Bounded& x : column) largest.error = std::max(largest.error, x.error);
    return largest;
  }
  BoundedSum sum;
  for (size_t i = 0; i < column.size(); ++i)
    sum.Add(factors.empty() ? column[i] : Multiply(column[i], factors[i]));
  // The first is added to zero, the offset on its own.
  Bounded total = sum.Total();
  total.error += Gamma(static_cast<double>(column.size()) + 1) * total.magnitude();
  return call.attributes.reduction == QC_REDUCTION_MEAN
             ? DivideBy(total, static_cast<double>(column.size()))
             : total;
}

BoundedValues Bags(const ScalarCall& call, const BoundedValues& table, int64_t width) {
  const std::vector<int64_t> rows = ReadIndices(call.x());
  BoundedValues factors;
  if (call.input(3) != nullptr) factors = ReadBounded(*call.input(3));
  BoundedValues values;
  for (const Bag& bag : BagsOf(call)) {
    for (int64_t k = 0; k < width; ++k) {
      BoundedValues column;
      BoundedValues kept;
      for (auto i = static_cast<size_t>(bag.begin); i < static_cast<size_t>(bag.end);
           ++i) {
        if (rows[i] == call.attributes.padding_index - 1) continue;
        column.push_back(table[static_cast<size_t>(rows[i] * width + k)]);
        if (!factors.empty()) kept.push_back(factors[i]);
      }
      values.push_back(Reduce(call, column, kept));
    }
  }
  return values;
}

BoundedValues Evaluate(const ScalarCall& call) {
  const qc_tensor& table_tensor = *call.inputs[1];
  const int64_t width = table_tensor.shape[1];
  const BoundedValues table = ReadTable(table_tensor);
  if (call.kind == QC_EMBEDDING_BAG) return Bags(call, table, width);
  BoundedValues values;
  for (const int64_t row : ReadIndices(call.x()))
    for (int64_t k = 0; k < width; ++k)
      values.push_back(table[static_cast<size_t>(row * width + k)]);
  return values;
}

}  // namespace

std::vector<ArithmeticBound> EmbeddingBounds(const ScalarCall& call) {
  const bool bag = call.kind == QC_EMBEDDING_BAG;
  return {RealBound(call, bag ? "float32 sums of rows" : "rows dequantized",
                    std::string(bag ? "e = gamma_(2n+4) sum |factor| (|code s| + |zp s|)"
                                    : "e = gamma_3 (|code s| + |zp s|)") +
                        "; in codes (e + gamma_2 (|y| + e)) / so + u |code|",
                    ScaleTexts(call), [call] { return Evaluate(call); })};
}

}  // namespace qconform
