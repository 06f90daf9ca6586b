// The rewrite of convert: one convolution over the quantized folded weight.
#include <algorithm>
#include <optional>

#include "reference/ir/error.h"
#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/fold_exported_batch_norm.h"
#include "reference/pt2e/live_nodes.h"
#include "reference/pt2e/qat_batch_norm.h"
#include "reference/pt2e/qat_pattern.h"
#include "reference/pt2e/replacement_point.h"

namespace qconform {
namespace {

struct Options {
  bool is_per_channel;
  bool has_bias;
  bool bias_is_quantized;
};

// A value, quantized and dequantized.
struct QuantizedValue {
  Node* value;
  Node* quantize;
  Node* dequantize;
};

struct Match {
  Node *norm, *conv;
  QuantizedValue weight;
  Node* bias = nullptr;
  std::optional<QuantizedValue> quantized_bias;
  // From the last to the first, the batch norm apart.
  std::vector<Node*> inner;
};

// The node that the call `node` of `target` has as first argument; nullptr otherwise.
Node* InputOf(const Node* node, const char* target) {
  return node != nullptr && IsCall(*node, target) ? ArgumentAt(*node, 0).AsNode()
                                                  : nullptr;
}

class Fold {
 public:
  Fold(ExportedProgram& program, Annotations& annotations,
       const QatConvolution& convolution, Mode mode)
      : program_(program),
        annotations_(annotations),
        convolution_(convolution),
        mode_(mode),
        point_(program.module.graph) {}

  void Run() {
    for (const Options& options :
         {Options{true, true, true}, Options{true, true, false},
          Options{true, false, false}, Options{false, true, true},
          Options{false, true, false}, Options{false, false, false}}) {
      for (Node* norm : program_.module.graph.NodePointers()) {
        if (!IsCall(*norm, "aten.batch_norm.default")) continue;
        if (std::optional<Match> match = Find(norm, options)) Replace(*match);
      }
    }
    for (const Folded& folded : folded_) {
      FoldBatchNormInto(program_, folded.conv, folded.weight, folded.bias, folded.norm,
                        false, mode_);
      std::vector<Argument> args = folded.conv->args();
      args.resize(3);
      args.insert(args.end(), folded.literals.begin(), folded.literals.end());
      folded.conv->set_args(std::move(args));
    }
  }

 private:
  struct Folded {
    Node *conv, *norm, *weight, *bias;
    std::vector<Argument> literals;  // stride and what comes after it
  };

  std::optional<QuantizedValue> Quantized(Node* node, bool is_per_channel) const {
    const std::string suffix =
        is_per_channel ? "quantize_per_channel.default" : "quantize_per_tensor.default";
    const std::string library = "quantized_decomposed.";
    Node* quantize = InputOf(node, (library + "de" + suffix).c_str());
    Node* value = InputOf(quantize, (library + suffix).c_str());
    if (value == nullptr) return std::nullopt;
    if (is_per_channel && (ArgumentAt(*node, 1) != ArgumentAt(*quantize, 1) ||
                           ArgumentAt(*node, 2) != ArgumentAt(*quantize, 2))) {
      return std::nullopt;
    }
    return QuantizedValue{value, quantize, node};
  }

  std::optional<Match> Find(Node* norm, const Options& options) const {
    Match match;
    match.norm = norm;
    Node* divided = ArgumentAt(*norm, 0).AsNode();
    if (options.has_bias) {
      Node* sum = divided;
      divided = InputOf(sum, "aten.add.Tensor");
      Node* shift = sum == nullptr ? nullptr : ArgumentAt(*sum, 1).AsNode();
      match.bias = InputOf(shift, "aten.reshape.default");
      if (divided == nullptr || match.bias == nullptr) return std::nullopt;
      match.inner = {sum, shift};
    }
    match.conv = InputOf(divided, "aten.div.Tensor");
    if (match.conv == nullptr || !IsCall(*match.conv, convolution_.target)) {
      return std::nullopt;
    }
    Node* value_scale = ArgumentAt(*divided, 1).AsNode();
    Node* scale = InputOf(value_scale, "aten.reshape.default");
    const auto weight =
        Quantized(ArgumentAt(*match.conv, 1).AsNode(), options.is_per_channel);
    if (scale == nullptr || !weight) return std::nullopt;
    match.weight = *weight;
    match.inner.insert(match.inner.end(), {divided, value_scale, match.conv});
    if (options.has_bias) {
      Node* zeros = ArgumentAt(*match.conv, 2).AsNode();
      if (options.bias_is_quantized) {
        match.quantized_bias = Quantized(zeros, options.is_per_channel);
        if (!match.quantized_bias) return std::nullopt;
        zeros = match.quantized_bias->value;
        match.inner.insert(match.inner.end(), {match.quantized_bias->dequantize,
                                               match.quantized_bias->quantize});
      }
      if (InputOf(zeros, "aten.zeros_like.default") != match.bias) return std::nullopt;
      match.inner.push_back(zeros);
    }
    Node* scaled = match.weight.value;
    match.weight.value = InputOf(scaled, "aten.mul.Tensor");
    if (match.weight.value == nullptr) return std::nullopt;
    Node* weight_scale = ArgumentAt(*scaled, 1).AsNode();
    if (InputOf(weight_scale, "aten.reshape.default") != scale) return std::nullopt;
    Node* deviation =
        IsCall(*scale, "aten.div.Tensor") ? ArgumentAt(*scale, 1).AsNode() : nullptr;
    Node* add = InputOf(deviation, "aten.sqrt.default");
    if (add == nullptr || !IsCall(*add, "aten.add.Tensor") ||
        ArgumentAt(*scale, 0) != ArgumentAt(*norm, 1) ||
        ArgumentAt(*add, 0) != ArgumentAt(*norm, 4)) {
      return std::nullopt;
    }
    match.inner.insert(match.inner.end(), {match.weight.dequantize, match.weight.quantize,
                                           scaled, weight_scale, scale, deviation, add});
    std::vector<const Node*> readers(match.inner.begin(), match.inner.end());
    readers.push_back(norm);
    for (const Node* node : match.inner) {
      if (!IsReadOnlyBy(*node, readers)) return std::nullopt;
    }
    return match;
  }

  // Quantize and dequantize of another value with the same parameters.
  Node* Requantize(Node* at, const QuantizedValue& from, Node* value,
                   const std::string& suffix) {
    std::vector<Argument> args = from.quantize->args();
    args[0] = value;
    const bool per_channel = from.quantize->target().find("channel") != std::string::npos;
    const std::string name = per_channel ? "quantize_per_channel" : "quantize_per_tensor";
    Node* quantize = point_.Call(at, from.quantize->target(), args, name + suffix);
    args = from.dequantize->args();
    args[0] = quantize;
    Node* dequantize =
        point_.Call(at, from.dequantize->target(), args, "de" + name + suffix);
    CopyMetadata(*from.quantize, *quantize);
    CopyMetadata(*from.dequantize, *dequantize);
    return dequantize;
  }

  void CopyMetadata(const Node& from, const Node& to) {
    const auto found = program_.metadata.find(from.name());
    if (found == program_.metadata.end()) return;
    NodeMetadata metadata = found->second;
    program_.metadata[to.name()] = std::move(metadata);
  }

  void Replace(const Match& match) {
    Node* at = point_.Of(*match.norm);
    const Node& norm = *match.norm;
    Node* weight = Requantize(at, match.weight, match.weight.value, "");
    std::vector<Argument> args = {ArgumentAt(*match.conv, 0), weight};
    if (match.quantized_bias) {
      args.push_back(Requantize(at, *match.quantized_bias, match.bias, "_1"));
    } else if (match.bias != nullptr) {
      args.push_back(match.bias);
    }
    Folded folded;
    folded.weight = match.weight.value;
    folded.bias = match.bias;
    for (size_t i = 3; i < match.conv->args().size(); ++i) {
      folded.literals.push_back(match.conv->args()[i]);
    }
    folded.conv = point_.Call(at, convolution_.target, args, convolution_.name);
    const Argument eps =
        mode_ == Mode::kStrict ? ArgumentAt(norm, 7) : Argument(double{kPatternEpsilon});
    folded.norm = point_.Call(
        at, "aten.batch_norm.default",
        {folded.conv, ArgumentAt(norm, 1), ArgumentAt(norm, 2), ArgumentAt(norm, 3),
         ArgumentAt(norm, 4), true, double{kPatternMomentum}, eps, false},
        "batch_norm");
    CopyMetadata(*match.conv, *folded.conv);
    if (const QuantizationAnnotation* annotation = annotations_.Find(*match.conv)) {
      annotations_.Set(*folded.conv, QuantizationAnnotation(*annotation));
      annotations_.Erase(*match.conv);
    }
    CopyMetadata(norm, *folded.norm);
    folded_.push_back(std::move(folded));
    Graph& graph = program_.module.graph;
    graph.ReplaceAllUses(match.norm, folded_.back().norm);
    graph.Erase(match.norm);
    // Each before what it reads.
    std::vector<Node*> rest = match.inner;
    while (!rest.empty()) {
      const auto unread = std::find_if(rest.begin(), rest.end(), [](const Node* node) {
        return node->users().empty();
      });
      graph.Erase(*unread);
      rest.erase(unread);
    }
  }

  ExportedProgram& program_;
  Annotations& annotations_;
  const QatConvolution& convolution_;
  Mode mode_;
  ReplacementPoint point_;
  std::vector<Folded> folded_;
};

// The counter that a batch norm in training adds one to.
bool CountsBatches(const ExportedProgram& program, const Node& node, Mode mode) {
  if (!IsCall(node, "aten.add_.Tensor") || ArgumentAt(node, 1) != Argument(1)) {
    return false;
  }
  const Node* counter = ArgumentAt(node, 0).AsNode();
  if (counter == nullptr || counter->op() != Op::kGetAttr) return false;
  const std::string type = "torch.nn.modules.batchnorm.BatchNorm";
  for (const ModuleFrame& frame : program.MetadataOf(node).nn_module_stack) {
    // torchao knows of the 2-d class only.
    if (mode == Mode::kTorch ? frame.type == type + "2d" : frame.type.starts_with(type)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void FoldScaledBatchNorms(ExportedProgram& program, Annotations& annotations, Mode mode) {
  Graph& graph = program.module.graph;
  if (std::none_of(graph.nodes().begin(), graph.nodes().end(), IsAtenBatchNorm)) return;
  for (const QatConvolution& convolution : QatConvolutions()) {
    EliminateDeadNodes(program);
    Fold(program, annotations, convolution, mode).Run();
    EliminateDeadNodes(program);
  }
  for (Node* node : graph.NodePointers()) {
    if (CountsBatches(program, *node, mode) && node->users().empty()) graph.Erase(node);
  }
  EliminateDeadNodes(program);
}

}  // namespace qconform
