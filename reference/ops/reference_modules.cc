// torch.ao.nn.quantized.reference: the float module on a weight that was quantized and
// dequantized.
#include "reference/ops/built_in.h"
#include "reference/ops/reference_forward.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

// torch's reference convolutions and linear call their input x.
ModuleDefinition NamingItsInputX(ModuleDefinition forward) {
  return [forward = std::move(forward)](Module& module, const Call& call) -> Value {
    if (call.kwargs().Contains("input")) {
      call.Fail("got an unexpected keyword argument 'input'", "x");
    }
    if (!call.kwargs().Contains("x")) return forward(module, call);
    return forward(module, Call(call.where(), {call.Get(0, "x")}));
  };
}

void AddReferenceModule(Registry& registry, const std::string& type) {
  ModuleDefinition plain = *registry.FindModule("torch.nn." + type);
  if (type.starts_with("Conv") || type == "Linear") plain = NamingItsInputX(plain);
  // torch's own reference modules always pad with zeros.
  const auto zero_padded = [plain](Module& copy, const Call& call) {
    if (copy.attributes.Contains("padding_mode") && !copy.Boolean(kAsDeclared, false)) {
      copy.attributes.Set("padding_mode", std::string("zeros"));
    }
    return plain(copy, call);
  };
  registry.AddModule("torch.ao.nn.quantized.reference." + type,
                     OnReferenceWeight(zero_padded));
}

}  // namespace

ModuleDefinition OnReferenceWeight(ModuleDefinition forward) {
  return [forward = std::move(forward)](Module& module, const Call& call) -> Value {
    // The copy shares all tensors but the weights with the module.
    Module copy = module;
    for (auto& [name, parameter] : copy.parameters) {
      if (parameter && name.rfind("weight", 0) == 0) {
        parameter = QuantizedAndDequantizedWeight(module, name, call);
      }
    }
    return forward(copy, call);
  };
}

void AddReferenceModules(Registry& registry) {
  for (const char* type :
       {"Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d",
        "ConvTranspose3d", "Linear", "Embedding", "EmbeddingBag", "LSTM", "GRU",
        "LSTMCell", "GRUCell", "RNNCell"}) {
    AddReferenceModule(registry, type);
  }
}

}  // namespace qconform
