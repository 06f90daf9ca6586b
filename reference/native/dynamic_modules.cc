// Weighted reference modules behind a dynamic quantize, and those with a quantized
// weight alone.
#include <unordered_map>

#include "reference/ir/error.h"
#include "reference/native/lowering.h"

namespace qconform {
namespace {

const char kReference[] = "torch.ao.nn.quantized.reference.";

struct DynamicClass {
  std::string type;
  bool fused = false;
};

// (DYNAMIC_LOWER_MODULE_MAP, DYNAMIC_LOWER_FUSED_MODULE_MAP)
const std::unordered_map<std::string, DynamicClass>& DynamicClasses() {
  static const auto* classes = [] {
    auto* table = new std::unordered_map<std::string, DynamicClass>;
    for (const std::string name :
         {"Linear", "GRUCell", "LSTMCell", "RNNCell", "LSTM", "GRU"}) {
      (*table)[kReference + name] = {"torch.ao.nn.quantized.dynamic." + name};
    }
    (*table)["torch.ao.nn.intrinsic.LinearReLU"] = {
        "torch.ao.nn.intrinsic.quantized.dynamic.LinearReLU", true};
    return table;
  }();
  return *classes;
}

bool IsReferenceLinear(const Module& module) {
  const auto* first = module.children.Find("0");
  return first != nullptr && *first &&
         (*first)->type == std::string(kReference) + "Linear";
}

std::shared_ptr<Module> MakeDynamic(const DynamicClass& lowered, const Module& reference,
                                    const std::string& engine) {
  return lowered.type.find("Linear") != std::string::npos
             ? MakeDynamicLinear(lowered.type, reference, engine)
             : MakeDynamicRecurrent(lowered.type, reference, engine);
}

}  // namespace

void LowerDynamicModules(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  for (Node& node : lowering.module.graph.nodes()) {
    const auto lowered = DynamicClasses().find(modules.TypeOf(&node));
    if (lowered == DynamicClasses().end()) continue;
    Node* dequantize = NodeArgument(node, 0);
    if (!IsDequantize(dequantize)) continue;
    const Node* quantize = NodeArgument(*dequantize, 0);
    if (quantize->op() != Op::kCallFunction ||
        quantize->target() != "torch.quantize_per_tensor_dynamic") {
      continue;
    }
    const DType* dtype =
        quantize->args().size() > 1 ? quantize->args()[1].As<DType>() : nullptr;
    if (dtype == nullptr || (*dtype != DType::kQUInt8 && *dtype != DType::kQInt8 &&
                             *dtype != DType::kFloat16)) {
      continue;
    }
    const Module& reference = *modules.Find(&node);
    if (lowered->second.fused && !IsReferenceLinear(reference)) continue;
    lowering.module.SetModule(node.target(),
                              MakeDynamic(lowered->second, reference, lowering.engine));
    node.ReplaceInput(dequantize, NodeArgument(*quantize, 0));
  }
}

void LowerWeightOnlyModules(const Lowering& lowering) {
  const CalledModules modules(lowering.module);
  for (const Node& node : lowering.module.graph.nodes()) {
    for (const std::string name : {"Embedding", "EmbeddingBag"}) {
      if (modules.TypeOf(&node) != kReference + name) continue;
      lowering.module.SetModule(
          node.target(),
          MakeQuantizedEmbedding("torch.ao.nn.quantized." + name, *modules.Find(&node)));
    }
  }
}

}  // namespace qconform
