#include "cli/parity/corpus_custom.h"

#include "reference/convert/reference_module.h"
#include "reference/native/quantized_module.h"
#include "reference/observe/make_observer.h"

namespace qconform::parity {

std::shared_ptr<Module> QuantizeCustom(const Module& observed, const QConfig& qconfig,
                                       const std::shared_ptr<Observer>& output) {
  const std::shared_ptr<Module> quantized = observed.Clone();
  quantized->type = "CustomQuant";
  if (!output) return quantized;
  const Qparams qparams = output->CalculateQparams();
  const OutputQparams out = {
      Tensor::FromVector<float>(DType::kFloat32, {},
                                {static_cast<float>(ScaleValue(qparams))}),
      Tensor::FromVector<int64_t>(DType::kInt64, {}, {ZeroPointValue(qparams)})};
  for (auto& [name, child] : quantized->children) {
    if (!child || child->type != "torch.nn.Linear") continue;
    const std::shared_ptr<Observer> weight = MakeObserver(*qconfig.weight);
    weight->Forward(*child->FindTensor("weight"));
    const std::shared_ptr<Module> reference = MakeReferenceModule(
        "torch.ao.nn.quantized.reference.Linear", *child, *weight, false);
    child = MakeStaticWeighted("torch.ao.nn.quantized.Linear", *reference, out, "fbgemm");
  }
  return quantized;
}

}  // namespace qconform::parity
