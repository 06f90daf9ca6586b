#include "reference/native/lower_to_native.h"

#include "reference/native/lowering.h"
#include "reference/native/packed_weights.h"
#include "reference/native/quantizable_conversion.h"
#include "reference/observe/used_modules.h"

namespace qconform {

LoweringQConfigs LoweringQConfigsOf(const Prepared& prepared,
                                    const ConvertOptions& options) {
  LoweringQConfigs qconfigs;
  qconfigs.nodes = ConvertedQConfigs(prepared, options);
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const NodeQConfig* resolved = prepared.node_qconfigs.Find(node.name());
    // A module keeps the qconfig of its last call.
    if (resolved != nullptr) qconfigs.modules[node.target()] = resolved->qconfig;
  }
  return qconfigs;
}

GraphModule LowerToNative(GraphModule reference, const LoweringQConfigs& qconfigs,
                          const std::string& engine) {
  RequireNativeEngine(engine);
  GraphModule module = std::move(reference);
  const Lowering lowering{module, qconfigs, engine};
  LowerStaticModules(lowering);
  LowerTwoInputModules(lowering);
  LowerDynamicModules(lowering);
  LowerWeightOnlyModules(lowering);
  LowerStaticFunctions(lowering);
  LowerDynamicFunctions(lowering);
  LowerBinaryOperators(lowering);
  LowerShapeQueries(lowering);
  LowerSpecialPatterns(lowering);
  module.graph.EliminateDeadCode();
  FoldWeights(lowering);
  module.graph.EliminateDeadCode();
  KeepUsedModules(module);
  return module;
}

GraphModule ConvertToNative(const Prepared& prepared, const ConvertOptions& options) {
  ConvertOptions inside = options;
  AddQuantizableConversions(inside);
  inside.finish_standalone = [](GraphModule reference, const Prepared& standalone,
                                const ConvertOptions& own) {
    return LowerToNative(std::move(reference), LoweringQConfigsOf(standalone, own),
                         own.engine);
  };
  return LowerToNative(ConvertToReference(prepared, inside),
                       LoweringQConfigsOf(prepared, options), options.engine);
}

}  // namespace qconform
