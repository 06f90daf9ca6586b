// torch.ao.nn.quantized.reference: the float module on a weight that was quantized and
// dequantized.
#include "reference/ops/built_in.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

void AddReferenceModule(Registry& registry, const std::string& type) {
  const ModuleDefinition plain = *registry.FindModule("torch.nn." + type);
  registry.AddModule("torch.ao.nn.quantized.reference." + type,
                     [plain](Module& module, const Call& call) -> Value {
                       // The copy shares all tensors but the weights with the module.
                       Module copy = module;
                       for (auto& [name, parameter] : copy.parameters) {
                         if (parameter && name.rfind("weight", 0) == 0) {
                           parameter = QuantizedAndDequantizedWeight(module, name, call);
                         }
                       }
                       // torch's own reference modules always pad with zeros.
                       if (copy.attributes.Contains("padding_mode")) {
                         copy.attributes.Set("padding_mode", std::string("zeros"));
                       }
                       return plain(copy, call);
                     });
}

}  // namespace

void AddReferenceModules(Registry& registry) {
  for (const char* type :
       {"Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d",
        "ConvTranspose3d", "Linear", "Embedding", "EmbeddingBag", "LSTM", "GRU",
        "LSTMCell", "GRUCell", "RNNCell"}) {
    AddReferenceModule(registry, type);
  }
}

}  // namespace qconform
