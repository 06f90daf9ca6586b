#include "datasets/seeded_weights.h"

#include <algorithm>
#include <cmath>

#include "datasets/fills.h"
#include "reference/formats/made_graph.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr char kKaiming[] = "kaiming.";

template <typename Value>
Tensor Made(const std::string& fill, const std::string& path, const Shape& shape,
            const Value& value) {
  const FillStream stream(fill, path);
  Tensor tensor(DType::kFloat32, shape);
  float* out = tensor.data<float>();
  const int64_t count = tensor.numel();
  for (int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(value(stream.UniformAt(static_cast<uint64_t>(i))));
  }
  return tensor;
}

}  // namespace

void RequireSeededFill(const std::string& fill, const std::string& where) {
  const std::string expected = "kaiming.SEED, SEED a decimal number";
  if (!fill.starts_with(kKaiming)) {
    throw InputError(where, "there is no fill '" + fill + "'", expected);
  }
  const std::string seed = fill.substr(sizeof(kKaiming) - 1);
  const bool digits =
      !seed.empty() && seed.size() <= 18 &&
      std::all_of(seed.begin(), seed.end(), [](char c) { return '0' <= c && c <= '9'; });
  if (!digits || (seed.size() > 1 && seed[0] == '0')) {
    throw InputError(where, "'" + seed + "' is no seed", expected);
  }
}

Tensor SeededTensor(const std::string& fill, const std::string& path, DType dtype,
                    const Shape& shape) {
  if (dtype != DType::kFloat32) return Tensor(dtype, shape);
  const std::string name = path.substr(path.rfind('.') + 1);
  if (name == "running_var") {
    return Made(fill, path, shape, [](double u) { return 0.5 + u; });
  }
  if (name == "weight" && shape.size() >= 2) {
    const int64_t fan_in = NumElements({shape.begin() + 1, shape.end()});
    const double bound = std::sqrt(6.0 / static_cast<double>(fan_in));
    return Made(fill, path, shape, [bound](double u) { return (2 * u - 1) * bound; });
  }
  if (name == "weight") {
    return Made(fill, path, shape, [](double u) { return 0.75 + 0.5 * u; });
  }
  return Made(fill, path, shape, [](double u) { return (2 * u - 1) * 0.125; });
}

Tensor SeededInput(const std::string& fill, int64_t batch, const Shape& shape) {
  return Made(fill, "input." + std::to_string(batch), shape,
              [](double u) { return 4 * u - 2; });
}

GraphModule ReadSeededGraph(const std::filesystem::path& path, const std::string& fill) {
  RequireSeededFill(fill, path.string());
  return ReadGraphFile(path,
                       [&](const std::string& name, DType dtype, const Shape& shape) {
                         return SeededTensor(fill, name, dtype, shape);
                       });
}

}  // namespace qconform
