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
                          const std::string& engine, Mode mode) {
  RequireNativeEngine(engine);
  GraphModule module = std::move(reference);
  const Lowering lowering{module, qconfigs, engine, mode};
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

namespace {

// A module that is called several times has one output scale in torch, that of its last
// call. Here every call but the first gets a module of its own.
void SeparateCalls(GraphModule& module, LoweringQConfigs& qconfigs) {
  std::unordered_map<std::string, int> calls;
  for (Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::string path = node.target();
    const int call = calls[path]++;
    if (call == 0) continue;
    std::string own;
    for (int index = call; own.empty() || module.FindModule(own); ++index) {
      own = path + "_" + std::to_string(index);
    }
    module.SetModule(own, module.FindModule(path)->Clone());
    const auto qconfig = qconfigs.modules.find(path);
    if (qconfig != qconfigs.modules.end()) qconfigs.modules[own] = qconfig->second;
    node.set_target(own);
  }
}

GraphModule Lowered(GraphModule reference, const Prepared& prepared,
                    const ConvertOptions& options) {
  LoweringQConfigs qconfigs = LoweringQConfigsOf(prepared, options);
  if (options.mode == Mode::kStrict) SeparateCalls(reference, qconfigs);
  return LowerToNative(std::move(reference), qconfigs, options.engine, options.mode);
}

}  // namespace

GraphModule ConvertToNative(const Prepared& prepared, const ConvertOptions& options) {
  ConvertOptions inside = options;
  AddQuantizableConversions(inside);
  inside.finish_standalone = [](GraphModule reference, const Prepared& standalone,
                                const ConvertOptions& own) {
    return Lowered(std::move(reference), standalone, own);
  };
  return Lowered(ConvertToReference(prepared, inside), prepared, options);
}

}  // namespace qconform
