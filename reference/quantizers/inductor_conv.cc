// Convolutions of the quantizers for Inductor, batch norms folded.
#include "reference/ir/error.h"
#include "reference/quantizers/inductor_pass.h"

namespace qconform {
namespace {

constexpr const char* kConv2d = "aten.conv2d.default";
constexpr const char* kConv1d = "aten.conv1d.default";

bool Calls(const Node& node, const char* target) {
  return node.op() == Op::kCallFunction && node.target() == target;
}

// conv + add [+ relu]: the add's other input is quantized, too.
void AnnotateConvBinary(InductorPass& pass, bool has_unary) {
  std::vector<std::string> sources = {"torch.nn.Conv2d", "operator.add"};
  if (has_unary) sources.push_back("torch.nn.ReLU");
  const std::string recipe = has_unary ? "conv-add-relu" : "conv-add";
  for (const auto& chain : pass.index.FindSequential(sources)) {
    const ConstNodes nodes = OutputsOf(chain);
    const Node& conv = *nodes[0];
    const Node& binary = *nodes[1];
    if (conv.users().size() != 1) continue;
    const std::optional<BinaryInputs> inputs = FindBinaryInputs(pass, conv, binary);
    if (!inputs || !Calls(conv, kConv2d)) continue;
    const ConstNodes last_first(nodes.rbegin(), nodes.rend());
    if (pass.Skip(last_first)) continue;
    if (pass.config == nullptr) {
      pass.LeaveInFloat(nodes, recipe);
      continue;
    }
    pass.AnnotateWeighted(conv, false, recipe);
    QuantizationAnnotation annotation;
    annotation.SetInput(*inputs->other, InputActivationSpec(pass.config));
    annotation.is_output_of_quantized_pattern = !has_unary;
    pass.Annotate(binary, std::move(annotation), recipe);
    if (has_unary) pass.AnnotateLast(*nodes[2], recipe);
  }
}

void AnnotateConvUnary(InductorPass& pass) {
  static const std::vector<std::vector<std::string>> kinds = {
      {"torch.nn.Conv2d", "torch.nn.ReLU"},      {"torch.nn.Conv2d", "torch.nn.Hardtanh"},
      {"torch.nn.Conv2d", "torch.nn.Hardswish"}, {"torch.nn.Conv2d", "torch.nn.ReLU6"},
      {"torch.nn.Conv2d", "torch.nn.SiLU"},      {"torch.nn.Conv1d", "torch.nn.ReLU"}};
  for (const std::vector<std::string>& sources : kinds) {
    for (const auto& chain : pass.index.FindSequential(sources)) {
      const ConstNodes nodes = OutputsOf(chain);
      const Node& conv = *nodes[0];
      if (!Calls(conv, kConv2d) && !Calls(conv, kConv1d)) continue;
      if (pass.Skip({nodes[1], nodes[0]})) continue;
      if (pass.config == nullptr) {
        pass.LeaveInFloat(nodes, "conv-unary");
        continue;
      }
      pass.AnnotateWeighted(conv, false, "conv-unary");
      pass.AnnotateLast(*nodes[1], "conv-unary");
    }
  }
}

void AnnotateConvAlone(InductorPass& pass, InductorTarget target) {
  std::vector<std::string> sources = {"torch.nn.Conv2d", "torch.nn.functional.conv2d"};
  // torchao's one-dimensional convolutions are quantized with a relu behind them only.
  if (pass.mode == Mode::kStrict && target == InductorTarget::kX86) {
    sources.push_back("torch.nn.Conv1d");
  }
  for (const SourcePartition& partition : pass.index.Find(sources)) {
    const Node& conv = *OutputsOf({partition}).front();
    if (!Calls(conv, kConv2d) && !(pass.mode == Mode::kStrict && Calls(conv, kConv1d))) {
      throw PipelineError("ValueError", conv.name() + " is not an aten conv2d operator");
    }
    if (pass.Skip({&conv})) continue;
    pass.AnnotateWeighted(conv, true, "conv");
  }
}

}  // namespace

void AnnotateConvs(InductorPass& pass, InductorTarget target) {
  if (target == InductorTarget::kX86) AnnotateConvBinary(pass, true);
  AnnotateConvBinary(pass, false);
  if (target == InductorTarget::kX86) AnnotateConvUnary(pass);
  AnnotateConvAlone(pass, target);
}

}  // namespace qconform
