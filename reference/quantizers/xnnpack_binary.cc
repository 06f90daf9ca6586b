// Additions and multiplications of XNNPACKQuantizer, with a relu or without.
#include <cmath>

#include "reference/quantizers/xnnpack_pass.h"

namespace qconform {
namespace {

// Up to here torch.histc, which the histogram observer is made of, works.
constexpr double kLargestScalar = 3.4028235e15;

// Why the observer cannot see this input; empty if it can.
std::string WhyNotObserved(const ExportedProgram& program, const Node& input) {
  if (input.op() == Op::kGetAttr) {
    const Tensor* tensor = program.module.FindTensor(input.target());
    if (tensor != nullptr && tensor->numel() == 1 &&
        std::abs(tensor->ValueAt(0)) > kLargestScalar) {
      return input.name() + " is a number too large to be observed";
    }
  }
  const NodeMetadata& metadata = program.MetadataOf(input);
  if (metadata.kind != ValueKind::kTensor ||
      metadata.tensors.front().dtype != DType::kFloat32) {
    return input.name() + " is no float32 tensor";
  }
  return "";
}

}  // namespace

void AnnotateXnnpackBinary(XnnpackPass& pass, const std::string& name,
                           const std::vector<std::string>& targets, bool has_relu) {
  const std::string recipe = has_relu ? name + "_relu" : name;
  for (const Node& last : pass.program.module.graph.nodes()) {
    const Node* binary = &last;
    if (has_relu) {
      if (!CallsOneOf(last, {"aten.relu.default", "aten.relu_.default"})) continue;
      binary = last.args().empty() ? nullptr : last.args()[0].AsNode();
      if (binary == nullptr || !CallsOneOf(*binary, targets)) continue;
      if (binary->users().size() > 1) continue;
    } else if (!CallsOneOf(last, targets)) {
      continue;
    }
    const XnnpackPass::Nodes partition =
        has_relu ? XnnpackPass::Nodes{&last, binary} : XnnpackPass::Nodes{binary};
    if (pass.Skip(*binary, partition)) continue;
    QuantizationAnnotation annotation;
    std::string why;
    for (size_t i = 0; i < 2 && i < binary->args().size() && why.empty(); ++i) {
      const Node* input = binary->args()[i].AsNode();
      if (input == nullptr) continue;
      why = WhyNotObserved(pass.program, *input);
      annotation.SetInput(*input, InputActivationSpec(pass.config));
    }
    if (!why.empty()) {
      pass.ledger.NotReached(*binary, why);
      continue;
    }
    if (has_relu) {
      pass.Annotate(*binary, std::move(annotation), recipe);
      annotation = {};
    }
    annotation.output = OutputActivationSpec(pass.config);
    pass.Annotate(last, std::move(annotation), recipe);
  }
}

}  // namespace qconform
