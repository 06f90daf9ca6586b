#include "reference/pt2e/prepare_pt2e.h"

#include "reference/ir/error.h"
#include "reference/pt2e/fold_exported_batch_norm.h"
#include "reference/pt2e/insert_program_observers.h"
#include "reference/pt2e/qat_batch_norm.h"

namespace qconform {
namespace {

// (_get_node_name_to_scope)
void NoteScopes(ExportedProgram& program) {
  for (const Node& node : program.module.graph.nodes()) {
    const std::vector<ModuleFrame>& stack = program.MetadataOf(node).nn_module_stack;
    if (stack.empty()) continue;
    program.module.scopes[node.name()] = {SplitParent(stack.back().path).second,
                                          stack.back().type};
  }
}

void RefuseDisagreements(const ExportedProgram& program, const Annotations& annotations) {
  for (const Node& node : program.module.graph.nodes()) {
    const QuantizationAnnotation* annotation = annotations.Find(node);
    if (annotation == nullptr) continue;
    for (const auto& [producer, first] : annotation->disagreements) {
      throw PipelineError("ValueError",
                          "'" + producer + " -> " + node.name() +
                              "' was given two specs that differ: " + ToText(first) +
                              ", then " + ToText(*annotation->inputs.Find(producer)));
    }
  }
}

void Annotate(PreparedProgram& prepared, Quantizer& quantizer) {
  quantizer.TransformForAnnotation(prepared.program);
  quantizer.Annotate(prepared.program, prepared.annotations);
  if (prepared.mode == Mode::kStrict) {
    RefuseDisagreements(prepared.program, prepared.annotations);
  }
  quantizer.Validate(prepared.program, prepared.annotations);
}

void Observe(PreparedProgram& prepared, Quantizer& quantizer) {
  prepared.groups = SharingGroups(prepared.program, prepared.annotations);
  ObserverMap observers =
      MakeGroupObservers(prepared.groups, prepared.is_qat, prepared.mode);
  quantizer.PrepareObserverCallback(prepared.program, observers);
  InsertProgramObservers(prepared.program, prepared.annotations, observers);
}

}  // namespace

PreparedProgram PreparePt2e(ExportedProgram program, Quantizer& quantizer, Mode mode) {
  PreparedProgram prepared;
  prepared.program = std::move(program);
  prepared.mode = mode;
  NoteScopes(prepared.program);
  prepared.warnings = FoldExportedBatchNorms(prepared.program, mode);
  Annotate(prepared, quantizer);
  Observe(prepared, quantizer);
  return prepared;
}

PreparedProgram PrepareQatPt2e(ExportedProgram program, Quantizer& quantizer, Mode mode) {
  PreparedProgram prepared;
  prepared.program = std::move(program);
  prepared.is_qat = true;
  prepared.mode = mode;
  NoteScopes(prepared.program);
  Annotate(prepared, quantizer);
  ScaleWeightsOfBatchNorms(prepared.program, prepared.annotations, mode);
  Observe(prepared, quantizer);
  return prepared;
}

}  // namespace qconform
