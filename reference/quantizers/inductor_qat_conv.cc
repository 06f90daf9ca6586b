// Convolutions whose batch norm is not folded: QAT, and settings of None.
#include "reference/ir/error.h"
#include "reference/quantizers/inductor_pass.h"

namespace qconform {
namespace {

// What stands behind conv and batch norm in one pattern.
struct Tail {
  bool has_binary = false;
  // Empty for none.
  std::string unary;
};

void AnnotateChain(InductorPass& pass, const std::vector<SourcePartition>& chain,
                   const Tail& tail) {
  const std::string recipe = std::string("conv-bn") + (tail.has_binary ? "-add" : "") +
                             (tail.unary.empty() ? "" : "-unary");
  const ConstNodes nodes = OutputsOf(chain);
  const Node& conv = *nodes[0];
  const Node& norm = *nodes[1];
  std::optional<BinaryInputs> inputs;
  if (tail.has_binary) {
    if (norm.users().size() != 1) return;
    inputs = FindBinaryInputs(pass, norm, *nodes[2]);
    if (!inputs) return;
  }
  if (conv.op() != Op::kCallFunction || conv.target() != "aten.conv2d.default") return;
  if (pass.Skip(ConstNodes(nodes.rbegin(), nodes.rend()))) return;

  pass.AnnotateWeighted(conv, false, recipe);
  const Node& last = *nodes.back();
  if (pass.config == nullptr) {
    // What the conv and the tail are; the batch norm is marked below.
    ConstNodes rest(nodes.begin() + (nodes.size() > 2 ? 2 : 1), nodes.end());
    pass.LeaveInFloat(rest, recipe);
  } else {
    QuantizationAnnotation annotation;
    if (inputs) annotation.SetInput(*inputs->other, InputActivationSpec(pass.config));
    if (inputs && !tail.unary.empty()) {
      pass.Annotate(*nodes[2], std::move(annotation), recipe);
      annotation = {};
    }
    annotation.output = OutputActivationSpec(pass.config);
    annotation.is_output_of_quantized_pattern = true;
    pass.Annotate(last, std::move(annotation), recipe);
  }
  for (const SourcePartition& partition : chain) pass.MarkAnnotated(partition.nodes);
}

void AnnotateTail(InductorPass& pass, const Tail& tail) {
  std::vector<std::string> sources = {"torch.nn.Conv2d", "torch.nn.BatchNorm2d"};
  if (tail.has_binary) sources.push_back("operator.add");
  if (!tail.unary.empty()) sources.push_back(tail.unary);
  for (const auto& chain : pass.index.FindSequential(sources)) {
    AnnotateChain(pass, chain, tail);
  }
}

}  // namespace

void AnnotateQatConvs(InductorPass& pass, InductorTarget target) {
  const bool x86 = target == InductorTarget::kX86;
  if (x86) AnnotateTail(pass, {.has_binary = true, .unary = "torch.nn.ReLU"});
  AnnotateTail(pass, {.has_binary = true, .unary = ""});
  if (x86) {
    for (const char* unary : {"torch.nn.ReLU", "torch.nn.Hardtanh", "torch.nn.Hardswish",
                              "torch.nn.ReLU6", "torch.nn.SiLU"}) {
      AnnotateTail(pass, {.has_binary = false, .unary = unary});
    }
  }
  AnnotateTail(pass, {});
}

}  // namespace qconform
