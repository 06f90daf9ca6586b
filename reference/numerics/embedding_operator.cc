// EMBEDDING and EMBEDDING_BAG: rows of a table, alone or put together in bags.
//
// A table with float zero points, one a row, adds code * scale + offset in one rounding
// (embedding_table.h). Any other table is dequantized, (code - zero_point) * scale, and
// summed in float32 in index order. An empty bag is zero. The padding index leaves its
// row out of bags, and means nothing to an embedding, as in torch.
#include <algorithm>

#include "reference/numerics/embedding_table.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

bool IsIndex(const qc_tensor& tensor) {
  return (tensor.dtype == QC_S64 || tensor.dtype == QC_S32) && !IsQuantized(tensor);
}

const qc_tensor& Table(const ScalarCall& call) { return *call.inputs[1]; }

std::string CheckTable(const ScalarCall& call) {
  const qc_tensor* table = call.input(1);
  if (table == nullptr || table->rank != 2) return "the table is not [rows, columns]";
  if (table->zero_point_f32 != nullptr && table->quantized_axis != 0) {
    return "the table has float zero points that are not one a row";
  }
  return CheckValues(*table, "the table");
}

std::string CheckEmbedding(const ScalarCall& call) {
  std::vector<int64_t> want = ShapeOf(call.x());
  want.push_back(Table(call).shape[1]);
  return want == ShapeOf(call.y()) ? "" : "the output is not [indices.., table columns]";
}

std::string CheckBags(const ScalarCall& call) {
  const qc_attributes& a = call.attributes;
  const qc_tensor* offsets = call.input(2);
  const qc_tensor* factors = call.input(3);
  if (a.reduction < QC_REDUCTION_SUM || a.reduction > QC_REDUCTION_MAX) {
    return "the reduction is not known";
  }
  if (call.x().rank != (offsets == nullptr ? 2 : 1)) {
    return "the indices are neither [bags, indices] nor [indices] with offsets";
  }
  int64_t bags = call.x().shape[0];
  if (offsets != nullptr) {
    if (!IsIndex(*offsets) || offsets->rank != 1) return "the offsets are not s64 or s32";
    bags = offsets->shape[0];
    if (a.include_last_offset != 0 && --bags < 0) return "the last offset is missing";
  }
  if (ShapeOf(call.y()) != std::vector<int64_t>{bags, Table(call).shape[1]}) {
    return "the output is not [bags, table columns]";
  }
  if (factors == nullptr) return "";
  if (!IsReal(*factors) || ShapeOf(*factors) != ShapeOf(call.x())) {
    return "the weights are not f32, one for each index";
  }
  return a.reduction == QC_REDUCTION_SUM ? "" : "weights belong to the sum only";
}

std::string Check(const ScalarCall& call) {
  if (!IsIndex(call.x())) return "the indices are not s64 or s32";
  std::string objection = CheckTable(call);
  if (objection.empty()) objection = CheckValues(call.y(), "the output");
  if (objection.empty()) objection = CheckNoActivation(call);
  if (objection.empty() && call.attributes.padding_index < 0) {
    objection = "the padding index is negative";
  }
  if (!objection.empty()) return objection;
  return call.kind == QC_EMBEDDING ? CheckEmbedding(call) : CheckBags(call);
}

// Rows as real values, one at a time.
class TableReader {
 public:
  explicit TableReader(const qc_tensor& table) : width_(table.shape[1]) {
    if (table.zero_point_f32 == nullptr) {
      values_ = ReadReal(table);
      return;
    }
    for (const int32_t code : ReadIntegers(table)) {
      values_.push_back(static_cast<float>(code));
    }
    for (int64_t row = 0; row < table.shape[0]; ++row) {
      rows_.push_back(
          RowQparamsOf(table.scale[row], table.zero_point_f32[row], IsPacked(table)));
    }
  }

  int64_t width() const { return width_; }

  float At(int64_t row, int64_t column) const {
    const float value = values_[static_cast<size_t>(row * width_ + column)];
    if (rows_.empty()) return value;
    return AddCode(0.0f, value, rows_[static_cast<size_t>(row)], 1.0f);
  }

  void Add(int64_t row, float factor, float* sum) const {
    const float* values = values_.data() + row * width_;
    for (int64_t k = 0; k < width_; ++k) {
      sum[k] = rows_.empty()
                   ? sum[k] + factor * values[k]
                   : AddCode(sum[k], values[k], rows_[static_cast<size_t>(row)], factor);
    }
  }

 private:
  int64_t width_;
  std::vector<float> values_;     // real ones, or codes
  std::vector<RowQparams> rows_;  // of codes with float zero points
};

// Begin of each bag, and the end of the last; empty with a word in `invalid`.
std::vector<int64_t> Bounds(const ScalarCall& call, std::string& invalid) {
  const qc_tensor* offsets = call.input(2);
  const int64_t count = ElementCount(call.x());
  std::vector<int64_t> bounds;
  if (offsets == nullptr) {
    const int64_t width = call.x().shape[1];
    for (int64_t i = 0; i <= call.x().shape[0]; ++i) bounds.push_back(i * width);
    return bounds;
  }
  bounds = ReadIndices(*offsets);
  if (call.attributes.include_last_offset == 0) bounds.push_back(count);
  int64_t before = 0;
  for (const int64_t bound : bounds) {
    if (bound < before || bound > count) invalid = "the offsets do not rise inside";
    before = bound;
  }
  if (bounds.front() != 0 && bounds.size() > 1) invalid = "the first offset is not 0";
  return bounds;
}

// One bag of `rows`, each with its factor, into sum; sum holds zeros.
void RunBag(const TableReader& table, int32_t reduction, std::span<const int64_t> rows,
            std::span<const float> factors, float* sum) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (reduction != QC_REDUCTION_MAX) {
      table.Add(rows[i], factors[i], sum);
      continue;
    }
    for (int64_t k = 0; k < table.width(); ++k) {
      const float x = table.At(rows[i], k);
      sum[k] = i == 0 || x > sum[k] ? x : sum[k];
    }
  }
  if (reduction != QC_REDUCTION_MEAN || rows.empty()) return;
  for (int64_t k = 0; k < table.width(); ++k) sum[k] /= static_cast<float>(rows.size());
}

void RunBags(const ScalarCall& call, const TableReader& table,
             const std::vector<int64_t>& rows, const std::vector<int64_t>& bounds,
             std::vector<float>& values) {
  const int64_t padding = call.attributes.padding_index;
  std::vector<float> factors(rows.size(), 1.0f);
  if (call.input(3) != nullptr) factors = ReadReal(*call.input(3));
  float* sum = values.data();
  for (size_t bag = 0; bag + 1 < bounds.size(); ++bag, sum += table.width()) {
    std::vector<int64_t> kept;
    std::vector<float> kept_factors;
    for (auto i = static_cast<size_t>(bounds[bag]);
         i < static_cast<size_t>(bounds[bag + 1]); ++i) {
      if (padding != 0 && rows[i] == padding - 1) continue;
      kept.push_back(rows[i]);
      kept_factors.push_back(factors[i]);
    }
    RunBag(table, call.attributes.reduction, kept, kept_factors, sum);
  }
}

void Run(const ScalarCall& call) {
  std::string& invalid = call.report->invalid;
  const std::vector<int64_t> rows = ReadIndices(call.x());
  for (const int64_t row : rows) {
    if (row < 0 || row >= Table(call).shape[0]) invalid = "an index is outside the table";
  }
  std::vector<int64_t> bounds;
  if (call.kind == QC_EMBEDDING_BAG) bounds = Bounds(call, invalid);
  if (!invalid.empty()) return;
  const TableReader table(Table(call));
  std::vector<float> values(static_cast<size_t>(ElementCount(call.y())));
  if (call.kind == QC_EMBEDDING_BAG) {
    RunBags(call, table, rows, bounds, values);
  } else {
    for (size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      values[i] =
          table.At(rows[static_cast<size_t>(at / table.width())], at % table.width());
    }
  }
  WriteReal(call.y(), values, call.scheme);
}

}  // namespace

const OperatorFamily& EmbeddingFamily() {
  static constexpr OperatorFamily kFamily{Check, RealOnly, Run};
  return kFamily;
}

}  // namespace qconform
