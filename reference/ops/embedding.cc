// Embedding tables; bags are summed in index order in float32, means divided after.
#include <limits>

#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

std::vector<int64_t> RowIndices(const Tensor& indices, int64_t rows, const Call& call) {
  if (IsFloatingDType(indices.dtype()) || IsQuantizedDType(indices.dtype())) {
    call.Fail("indices are " + ValueText(indices), "integers");
  }
  std::vector<int64_t> result = ReadElements<int64_t>(indices);
  for (int64_t index : result) {
    if (index < 0 || index >= rows) {
      call.Fail("index " + std::to_string(index) + " into a table of " +
                std::to_string(rows) + " rows");
    }
  }
  return result;
}

const Tensor& Table(const Call& call) {
  const Tensor& weight = PlainTensor(call, 1, "weight");
  if (weight.rank() != 2) call.Fail("weight is " + ValueText(weight), "rank 2");
  return weight;
}

// Rescaling rows by their norm changes the table itself.
void RefuseMaxNorm(const Call& call, size_t position) {
  if (call.OptionalReal(position, "max_norm")) call.Fail("max_norm is not supported");
}

Value Embedding(const Call& call) {
  const Tensor& indices = call.TensorAt(0, "input");
  const Tensor& weight = Table(call);
  call.Ignore(2, "padding_idx");  // matters to gradients only
  RefuseMaxNorm(call, 3);
  call.Ignore(4, "norm_type");
  call.Ignore(5, "scale_grad_by_freq");
  call.Ignore(6, "sparse");
  const std::vector<int64_t> rows = RowIndices(indices, weight.dim(0), call);
  Shape shape = indices.shape();
  shape.push_back(weight.dim(1));
  Tensor result(weight.dtype(), std::move(shape));
  const size_t row_bytes = static_cast<size_t>(weight.dim(1)) * ItemSize(weight.dtype());
  for (size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(weight.bytes() + static_cast<size_t>(rows[i]) * row_bytes, row_bytes,
                result.bytes() + i * row_bytes);
  }
  return result;
}

// Begin of each bag in the flat indices, and the end of the last.
std::vector<int64_t> BagBounds(const Call& call, const Tensor& indices) {
  const Tensor* offsets = call.OptionalTensor(2, "offsets");
  const bool include_last = call.Boolean(9, "include_last_offset", false);
  std::vector<int64_t> bounds;
  if (indices.rank() == 2) {
    if (offsets != nullptr) call.Fail("offsets for indices of rank 2", "None");
    for (int64_t i = 0; i <= indices.dim(0); ++i) bounds.push_back(i * indices.dim(1));
    return bounds;
  }
  if (indices.rank() != 1 || offsets == nullptr) {
    call.Fail("indices are " + ValueText(indices), "rank 2, or rank 1 with offsets");
  }
  bounds = ReadElements<int64_t>(*offsets);
  if (!include_last) bounds.push_back(indices.numel());
  for (size_t i = 0; i < bounds.size(); ++i) {
    const int64_t before = i == 0 ? 0 : bounds[i - 1];
    if (bounds[i] < before || bounds[i] > indices.numel()) {
      call.Fail("offset " + std::to_string(bounds[i]), "rising offsets from 0");
    }
  }
  if (bounds.empty() || bounds[0] != 0) call.Fail("the first offset is not 0");
  return bounds;
}

Value EmbeddingBag(const Call& call) {
  const Tensor& indices = call.TensorAt(0, "input");
  const Tensor& weight = Table(call);
  RefuseMaxNorm(call, 3);
  call.Ignore(4, "norm_type");
  call.Ignore(5, "scale_grad_by_freq");
  const std::string mode = call.Text(6, "mode", "mean");
  if (mode != "sum" && mode != "mean" && mode != "max") {
    call.Fail("mode '" + mode + "'", "'sum', 'mean' or 'max'");
  }
  call.Ignore(7, "sparse");
  const Tensor* given = call.OptionalTensor(8, "per_sample_weights");
  if (given != nullptr && (mode != "sum" || given->numel() != indices.numel())) {
    call.Fail("per_sample_weights are " + ValueText(*given),
              "one for each index, mode 'sum'");
  }
  std::vector<float> factors;
  if (given != nullptr) factors = ReadElements<float>(*given);
  const std::optional<int64_t> padding = call.OptionalInteger(10, "padding_idx");
  const std::vector<int64_t> rows = RowIndices(indices, weight.dim(0), call);
  const std::vector<int64_t> bounds = BagBounds(call, indices);
  const ElementReader<float> table(weight);
  const int64_t width = weight.dim(1);
  const int64_t bags = static_cast<int64_t>(bounds.size()) - 1;
  return MakeTensor<float>(weight.dtype(), {bags, width}, [&](float* out) {
    for (int64_t bag = 0; bag < bags; ++bag) {
      float* sum = out + bag * width;
      int64_t count = 0;
      for (int64_t i = bounds[size_t(bag)]; i < bounds[size_t(bag) + 1]; ++i) {
        const int64_t row = rows[static_cast<size_t>(i)];
        if (padding && row == (*padding < 0 ? *padding + weight.dim(0) : *padding)) {
          continue;
        }
        const float factor = factors.empty() ? 1.0f : factors[static_cast<size_t>(i)];
        for (int64_t k = 0; k < width; ++k) {
          const float x = table.data()[row * width + k];
          if (mode == "max") {
            sum[k] = count == 0 || x > sum[k] ? x : sum[k];
          } else {
            sum[k] += factors.empty() ? x : factor * x;
          }
        }
        ++count;
      }
      if (mode == "mean" && count > 0) {
        for (int64_t k = 0; k < width; ++k) sum[k] /= static_cast<float>(count);
      }
    }
  });
}

}  // namespace

void AddEmbeddings(Registry& registry) {
  AddNnFunction(registry, "embedding", Embedding);
  AddNnFunction(registry, "embedding_bag", EmbeddingBag);
  AddModuleAsFunction(registry, "torch.nn.Embedding", Embedding,
                      {"weight", "padding_idx", "max_norm", "norm_type"});
  // The module's forward takes (input, offsets, per_sample_weights).
  registry.AddModule("torch.nn.EmbeddingBag", [](Module& module, const Call& call) {
    OrderedMap<Value> kwargs;
    const Call settings = ModuleCall(module, Call(call.where(), {}),
                                     {"weight", "max_norm", "norm_type", "mode",
                                      "include_last_offset", "padding_idx"});
    for (const auto& [name, value] : settings.kwargs()) kwargs.Set(name, value);
    if (const Value* offsets = call.Find(1, "offsets")) kwargs.Set("offsets", *offsets);
    if (const Value* factors = call.Find(2, "per_sample_weights")) {
      kwargs.Set("per_sample_weights", *factors);
    }
    return EmbeddingBag(Call(call.where(), {call.Get(0, "input")}, std::move(kwargs)));
  });
}

}  // namespace qconform
