#include "reference/quantizers/embedding_quantizer.h"

#include "reference/ir/error.h"
#include "reference/quantizers/default_config.h"

namespace qconform {

void EmbeddingQuantizer::Annotate(const ExportedProgram& program,
                                  Annotations& annotations) {
  SettingLedger ledger;
  ledger.Begin({"weights of embeddings"});
  const QuantizationSpecPointer weight_spec = EmbeddingConfig()->weight;
  for (const Node& node : program.module.graph.nodes()) {
    if (node.op() != Op::kCallFunction || node.target() != "aten.embedding.default") {
      continue;
    }
    const Node* weight = node.args().empty() ? nullptr : node.args()[0].AsNode();
    if (weight == nullptr) {
      throw PipelineError("AttributeError",
                          "the weight of " + node.name() + " is no node");
    }
    if (mode() == Mode::kStrict && annotations.IsAnnotated(node)) {
      ledger.BeatenBy(node, annotations.Find(node)->rule);
      continue;
    }
    QuantizationAnnotation annotation;
    annotation.SetInput(*weight, weight_spec);
    annotation.annotated = mode() == Mode::kStrict;
    annotation.rule = "EmbeddingQuantizer: embedding";
    annotations.Set(node, std::move(annotation));
    ledger.Reach(node);
  }
  ledger.Reason(0, "no node calls aten.embedding.default");
  accounts_ = ledger.Finish();
}

}  // namespace qconform
