// Dropout and stochastic depth outside training, which are the identity.
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

// A functional dropout trains unless told otherwise.
Value Dropout(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const double p = call.Real(1, "p", 0.5);
  const bool training = call.Boolean(2, "training", true);
  call.Ignore(3, "inplace");
  if (training && p > 0.0) {
    call.Fail("dropout in training is random and not supported", "training=False");
  }
  return input;
}

// torchvision's, which drops whole samples of a residual branch.
Value StochasticDepth(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const double p = call.Real(1, "p");
  call.Ignore(2, "mode");
  if (call.Boolean(3, "training", true) && p > 0.0) {
    call.Fail("stochastic depth in training is random and not supported",
              "training=False");
  }
  return input;
}

}  // namespace

void AddDropout(Registry& registry) {
  for (const auto& [function, type] :
       {std::pair("dropout", "Dropout"), std::pair("dropout1d", "Dropout1d"),
        std::pair("dropout2d", "Dropout2d"), std::pair("dropout3d", "Dropout3d"),
        std::pair("alpha_dropout", "AlphaDropout")}) {
    AddNnFunction(registry, function, Dropout);
    AddModuleAsFunction(registry, std::string("torch.nn.") + type, Dropout,
                        {"p", "training", "inplace"});
  }
  registry.AddFunction("torchvision.ops.stochastic_depth.stochastic_depth",
                       StochasticDepth);
}

}  // namespace qconform
