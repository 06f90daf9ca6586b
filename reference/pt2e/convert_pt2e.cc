#include "reference/pt2e/convert_pt2e.h"

#include "reference/convert/quantize_nodes.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/used_modules.h"
#include "reference/pt2e/dequantize_passes.h"
#include "reference/pt2e/fold_quantize.h"
#include "reference/pt2e/live_nodes.h"
#include "reference/pt2e/long_readers.h"
#include "reference/pt2e/qat_batch_norm.h"

namespace qconform {
namespace {

DType DTypeOf(const ExportedProgram& program, const Node& node) {
  return program.IsTensor(node) ? program.MetadataOf(node).tensors[0].dtype
                                : DType::kFloat32;
}

// (_convert_to_reference_decomposed_fx)
void WriteQuantization(ExportedProgram& program) {
  GraphModule& module = program.module;
  ParameterWriter writer(module);
  LongReaders long_readers(module.graph);
  for (Node* node : module.graph.NodePointers()) {
    if (node->op() != Op::kCallModule) continue;
    const std::shared_ptr<Observer> observer =
        ObserverOf(module.FindModule(node->target()));
    if (observer == nullptr) continue;
    Node* value = node->args()[0].AsNode();
    if (!IsConvertible(*observer)) {
      ReplaceObserver(module.graph, node, value);
      continue;
    }
    ParameterPrefix prefix;
    const auto scope = module.scopes.find(value->name());
    if (scope != module.scopes.end()) prefix.path = scope->second.path;
    WriteDecomposedNodes(module, node, *observer, prefix, writer,
                         DTypeOf(program, *value));
  }
  long_readers.Restore();
  EliminateDeadNodes(program);
  KeepUsedModules(module);
}

}  // namespace

ConvertedProgram ConvertPt2e(PreparedProgram prepared,
                             const ConvertPt2eOptions& options) {
  ConvertedProgram converted{std::move(prepared.program),
                             std::move(prepared.annotations)};
  ExportedProgram& program = converted.program;
  WriteQuantization(program);
  FoldScaledBatchNorms(program, converted.annotations, prepared.mode);
  DuplicateDequantize(program, converted.annotations);
  PortMetadata(program, converted.annotations, prepared.mode);
  if (options.fold_quantize) FoldQuantize(program);
  return converted;
}

}  // namespace qconform
