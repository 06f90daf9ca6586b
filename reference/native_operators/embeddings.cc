// Embedding tables of codes (numerics/embedding_table.h).
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/packed_values.h"
#include "reference/numerics/embedding_table.h"
#include "reference/ops/elements.h"

namespace qconform {
namespace {

struct Table {
  Tensor codes;
  std::vector<RowQparams> rows;

  void AddRow(int64_t row, float factor, float* sum) const {
    const int64_t width = codes.dim(1);
    for (int64_t k = 0; k < width; ++k) {
      const auto code = static_cast<float>(codes.IntegerAt(row * width + k));
      sum[k] = AddCode(sum[k], code, rows[static_cast<size_t>(row)], factor);
    }
  }
};

Table TableOf(const Module& module, const Call& call) {
  const NativeWeight packed = PackedOf(module, call);
  Table table{packed.weight, {}};
  if (!packed.weight.quantization()) call.Fail("the table is not quantized");
  const QuantizationParameters& parameters = *packed.weight.quantization();
  for (size_t i = 0; i < parameters.scale.size(); ++i) {
    table.rows.push_back(RowQparamsOf(static_cast<float>(parameters.scale[i]),
                                      static_cast<float>(parameters.zero_point[i]),
                                      packed.weight.dtype() == DType::kQUInt4x2));
  }
  return table;
}

std::vector<int64_t> Rows(const Tensor& indices, const Table& table, const Call& call) {
  std::vector<int64_t> rows = ReadElements<int64_t>(indices);
  for (const int64_t row : rows) {
    if (row < 0 || row >= table.codes.dim(0)) {
      call.Fail("index " + std::to_string(row), "a row of the table");
    }
  }
  return rows;
}

Value Embedding(Module& module, const Call& call) {
  const Table table = TableOf(module, call);
  const Tensor& indices = call.TensorAt(0, "indices");
  const std::vector<int64_t> rows = Rows(indices, table, call);
  Shape shape = indices.shape();
  shape.push_back(table.codes.dim(1));
  Tensor result(DType::kFloat32, shape);
  for (size_t i = 0; i < rows.size(); ++i) {
    table.AddRow(rows[i], 1.0f,
                 result.data<float>() + static_cast<int64_t>(i) * table.codes.dim(1));
  }
  return result;
}

// torch's module sums, whatever its mode says.
Value EmbeddingBag(Module& module, const Call& call) {
  const Table table = TableOf(module, call);
  const Tensor& indices = call.TensorAt(0, "indices");
  const Tensor* offsets = call.OptionalTensor(1, "offsets");
  const Tensor* weights = call.OptionalTensor(2, "per_sample_weights");
  const std::vector<int64_t> rows = Rows(indices, table, call);
  std::vector<int64_t> bounds;
  if (indices.rank() == 2) {
    for (int64_t i = 0; i <= indices.dim(0); ++i) bounds.push_back(i * indices.dim(1));
  } else if (offsets != nullptr) {
    bounds = ReadElements<int64_t>(*offsets);
    if (!module.Boolean("include_last_offset", false)) bounds.push_back(indices.numel());
  }
  if (bounds.empty()) call.Fail("indices are " + ValueText(indices), "with offsets");
  const auto bags = static_cast<int64_t>(bounds.size()) - 1;
  Tensor result(DType::kFloat32, {bags, table.codes.dim(1)});
  for (int64_t bag = 0; bag < bags; ++bag) {
    for (int64_t i = bounds[static_cast<size_t>(bag)];
         i < bounds[static_cast<size_t>(bag) + 1]; ++i) {
      const float factor =
          weights == nullptr ? 1.0f : static_cast<float>(weights->ValueAt(i));
      table.AddRow(rows.at(static_cast<size_t>(i)), factor,
                   result.data<float>() + bag * table.codes.dim(1));
    }
  }
  return result;
}

}  // namespace

void AddNativeEmbeddings(Registry& registry) {
  registry.AddModule("torch.ao.nn.quantized.Embedding", Embedding);
  registry.AddModule("torch.ao.nn.quantized.EmbeddingBag", EmbeddingBag);
}

}  // namespace qconform
