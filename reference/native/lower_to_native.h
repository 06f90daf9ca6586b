// Reference graph in, graph of the native engines' quantized operators out: the last
// step of torch.ao.quantization.quantize_fx.convert_fx.
#ifndef QCONFORM_REFERENCE_NATIVE_LOWER_TO_NATIVE_H_
#define QCONFORM_REFERENCE_NATIVE_LOWER_TO_NATIVE_H_

#include <string>
#include <unordered_map>

#include "reference/convert/convert.h"
#include "reference/ir/module.h"

namespace qconform {

// What lowering still asks of the settings.
struct LoweringQConfigs {
  // By node name; an entry that is nullptr (None) keeps the node as it is.
  std::unordered_map<std::string, QConfigPointer> nodes;
  // By module path, for the classes that choose parameters of their own (PReLU).
  std::unordered_map<std::string, QConfigPointer> modules;
};

LoweringQConfigs LoweringQConfigsOf(const Prepared& prepared,
                                    const ConvertOptions& options = {});

// Rewrites dequantize -> operator -> quantize to the quantized operators and modules of
// torch.ops.quantized and torch.ao.nn.quantized, and folds functional weights into packed
// ones (modules that a get_attr node names). torch lowers alike for all engines; `engine`
// (fbgemm, x86, qnnpack or onednn) decides which weights are refused. What no pass knows
// stays as it is. Where an operator has no form with a relu, torch drops one that
// follows; strict mode leaves the operator as it is if the relu would be missed. Throws
// PipelineError where torch refuses.
// (_lower_to_native_backend)
// The graph handed over keeps the names of erased nodes, as torch.fx does: a Clone()
// would free them, and new nodes would take them.
GraphModule LowerToNative(GraphModule reference, const LoweringQConfigs& qconfigs,
                          const std::string& engine, Mode mode = Mode::kTorch);

// Both steps: ConvertToReference, then LowerToNative for options.engine. (convert_fx) In
// strict mode every call of a module has a module of its own, with its own output scale.
GraphModule ConvertToNative(const Prepared& prepared, const ConvertOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_LOWER_TO_NATIVE_H_
