// Recurrent layers and cells with dynamically quantized inputs.
#include "reference/ir/error.h"
#include "reference/native/packed_weights.h"
#include "reference/native/quantized_module.h"
#include "reference/native/reference_values.h"

namespace qconform {
namespace {

// Sets weight and bias of one product, named `kind` ("ih", "hh") in `to`.
void PackProduct(const Module& reference, const std::string& kind,
                 const std::string& suffix, const std::string& engine, Module& to) {
  const std::string weight_name = "weight_" + kind + suffix;
  std::optional<Tensor> bias = OptionalParameter(reference, "bias_" + kind + suffix);
  Tensor weight = ReferenceWeight(reference, weight_name);
  if (weight.quantization()) {
    bias = PackedBias(PackedKind::kLinear, weight, bias, 1, engine);
  } else {
    weight = PackedHalfWeight(weight, engine);
  }
  to.buffers.Set("weight_" + kind, weight);
  to.buffers.Set("bias_" + kind, bias);
}

std::shared_ptr<Module> MakeLayer(const std::string& type, const Module& reference,
                                  const std::string& engine) {
  auto module = std::make_shared<Module>();
  module->type = type;
  CopyAttributes(reference,
                 {"mode", "input_size", "hidden_size", "num_layers", "bias",
                  "batch_first", "dropout", "bidirectional"},
                 *module);
  auto layers = std::make_shared<Module>();
  layers->type = "torch.nn.ModuleList";
  const int64_t directions = reference.Boolean("bidirectional", false) ? 2 : 1;
  for (int64_t layer = 0; layer < reference.Integer("num_layers", 1); ++layer) {
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string suffix =
          "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      // Without biases torch's dictionary of weights has no entry for them.
      if (reference.FindTensor("bias_ih" + suffix) == nullptr) {
        throw PipelineError("KeyError", "bias_ih" + suffix);
      }
      auto packed = std::make_shared<Module>();
      packed->type = "torch.ao.nn.quantized.dynamic.modules.rnn.PackedParameter";
      PackProduct(reference, "ih", suffix, engine, *packed);
      PackProduct(reference, "hh", suffix, engine, *packed);
      layers->children.Set(std::to_string(layer * directions + direction), packed);
    }
  }
  module->children.Set("_all_weight_values", layers);
  return module;
}

}  // namespace

std::shared_ptr<Module> MakeDynamicRecurrent(const std::string& type,
                                             const Module& reference,
                                             const std::string& engine) {
  if (!type.ends_with("Cell")) return MakeLayer(type, reference, engine);
  auto module = std::make_shared<Module>();
  module->type = type;
  CopyAttributes(reference, {"input_size", "hidden_size", "bias", "nonlinearity"},
                 *module);
  PackProduct(reference, "ih", "", engine, *module);
  PackProduct(reference, "hh", "", engine, *module);
  return module;
}

}  // namespace qconform
