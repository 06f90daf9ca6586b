#include "reference/pt2e/derive_function.h"

#include <algorithm>

#include "reference/ir/error.h"

namespace qconform {
namespace {

Qparams ScaleProduct(const std::vector<std::shared_ptr<Observer>>& sources) {
  if (sources.size() != 2) {
    throw PipelineError("ValueError",
                        "scale_product takes the observers of an activation "
                        "and of a weight, not of " +
                            std::to_string(sources.size()) + " places");
  }
  const Tensor a = sources[0]->CalculateQparams().scale;
  const Tensor b = sources[1]->CalculateQparams().scale;
  const int64_t channels = std::max(a.numel(), b.numel());
  for (const Tensor* scale : {&a, &b}) {
    if (scale->numel() != 1 && scale->numel() != channels) {
      throw PipelineError("RuntimeError", "scale_product cannot multiply " +
                                              std::to_string(a.numel()) + " scales by " +
                                              std::to_string(b.numel()));
    }
  }
  Qparams product{Tensor(DType::kFloat32, {channels}), Tensor(DType::kInt32, {channels})};
  for (int64_t c = 0; c < channels; ++c) {
    product.scale.data<float>()[c] =
        a.data<float>()[a.numel() == 1 ? 0 : c] * b.data<float>()[b.numel() == 1 ? 0 : c];
    product.zero_point.data<int32_t>()[c] = 0;
  }
  return product;
}

}  // namespace

NameTable<DeriveFunction>& DeriveFunctions() {
  static auto* const table = [] {
    auto* made = new NameTable<DeriveFunction>("derive function");
    made->Add("scale_product", ScaleProduct);
    return made;
  }();
  return *table;
}

}  // namespace qconform
