// The rewrite of prepare: convolution and batch norm over a scaled weight.
#include "reference/ir/error.h"
#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/live_nodes.h"
#include "reference/pt2e/qat_batch_norm.h"
#include "reference/pt2e/qat_pattern.h"
#include "reference/pt2e/replacement_point.h"

namespace qconform {
namespace {

// By name, what stands in the place of a node.
using Replacements = std::unordered_map<std::string, std::string>;

class Rewrite {
 public:
  Rewrite(ExportedProgram& program, Annotations& annotations,
          const QatConvolution& convolution, Mode mode)
      : program_(program),
        annotations_(annotations),
        convolution_(convolution),
        mode_(mode),
        point_(program.module.graph) {}

  void Run() {
    // Those with a bias first, as torchao's two patterns.
    for (const bool has_bias : {true, false}) {
      for (Node* norm : program_.module.graph.NodePointers()) {
        if (IsCall(*norm, "aten.batch_norm.default") && Matches(*norm, has_bias)) {
          Replace(norm, has_bias);
        }
      }
    }
    for (const Moved& moved : moved_) MoveMetadata(moved);
    if (!moved_.empty()) RenameInAnnotations();
  }

 private:
  struct Moved {
    std::string conv, new_conv, norm, new_norm, input, weight, new_weight;
    std::string bias, new_bias;  // empty without a bias
  };

  bool Matches(const Node& norm, bool has_bias) const {
    const Node* conv = ArgumentAt(norm, 0).AsNode();
    return conv != nullptr && IsCall(*conv, convolution_.target) &&
           (ArgumentAt(*conv, 2).AsNode() != nullptr) == has_bias &&
           ArgumentAt(*conv, 0).AsNode() != nullptr &&
           ArgumentAt(*conv, 1).AsNode() != nullptr && IsReadOnlyBy(*conv, {&norm});
  }

  void Replace(Node* norm, bool has_bias) {
    Node* conv = norm->args()[0].AsNode();
    Node* at = point_.Of(*norm);
    const auto call = [&](const std::string& target, std::vector<Argument> args,
                          const std::string& name, OrderedMap<Argument> kwargs = {}) {
      return point_.Call(at, target, std::move(args), name, std::move(kwargs));
    };
    const bool own_settings = mode_ == Mode::kStrict;
    const Argument eps =
        own_settings ? ArgumentAt(*norm, 7) : Argument(double{kPatternEpsilon});
    const Argument momentum =
        own_settings ? ArgumentAt(*norm, 6) : Argument(double{kPatternMomentum});
    const Argument bias = ArgumentAt(*conv, 2);

    Node* add = call("aten.add.Tensor", {ArgumentAt(*norm, 4), eps}, "add");
    Node* deviation = call("aten.sqrt.default", {add}, "sqrt");
    Node* scale = call("aten.div.Tensor", {ArgumentAt(*norm, 1), deviation}, "div");
    Node* weight_scale =
        call("aten.reshape.default",
             {scale, ShapeAlong(convolution_.rank, convolution_.is_transposed ? 1 : 0)},
             "reshape");
    Node* weight = call("aten.mul.Tensor", {ArgumentAt(*conv, 1), weight_scale}, "mul");
    std::vector<Argument> conv_args = {ArgumentAt(*conv, 0), weight, Argument()};
    if (has_bias) {
      conv_args[2] = call("aten.zeros_like.default", {bias}, "zeros_like",
                          {{"dtype", DType::kFloat32}, {"pin_memory", false}});
    }
    for (size_t i = 3; i < conv->args().size(); ++i) conv_args.push_back(conv->args()[i]);
    Node* new_conv = call(convolution_.target, conv_args, convolution_.name);
    const Argument channels = ShapeAlong(convolution_.rank, 1);
    Node* value_scale = call("aten.reshape.default", {scale, channels}, "reshape_1");
    Node* value = call("aten.div.Tensor", {new_conv, value_scale}, "div_1");
    if (has_bias) {
      Node* shift = call("aten.reshape.default", {bias, channels}, "reshape_2");
      value = call("aten.add.Tensor", {value, shift}, "add_1");
    }
    Node* new_norm =
        call("aten.batch_norm.default",
             {value, ArgumentAt(*norm, 1), ArgumentAt(*norm, 2), ArgumentAt(*norm, 3),
              ArgumentAt(*norm, 4), true, momentum, eps, false},
             "batch_norm");

    Moved moved{conv->name(),
                new_conv->name(),
                norm->name(),
                new_norm->name(),
                conv->args()[0].AsNode()->name(),
                conv->args()[1].AsNode()->name(),
                weight->name(),
                "",
                ""};
    if (has_bias) {
      moved.bias = bias.AsNode()->name();
      moved.new_bias = conv_args[2].AsNode()->name();
    }
    moved_.push_back(moved);
    Graph& graph = program_.module.graph;
    graph.ReplaceAllUses(norm, new_norm);
    graph.Erase(norm);
    graph.Erase(conv);
  }

  void MoveMetadata(const Moved& moved) {
    const std::vector<ModuleFrame> stack = program_.metadata[moved.conv].nn_module_stack;
    const auto move = [&](const std::string& from, const std::string& to) {
      if (from == to) return;
      NodeMetadata metadata = program_.metadata[from];
      program_.metadata[to] = std::move(metadata);
      if (const QuantizationAnnotation* annotation = annotations_.Find(from)) {
        annotations_.Set(*program_.module.graph.Find(to),
                         QuantizationAnnotation(*annotation));
      }
      renamed_[from] = to;
    };
    move(moved.conv, moved.new_conv);
    move(moved.norm, moved.new_norm);
    // What has no module of its own counts to the convolution's.
    for (const std::string& name : {moved.input, moved.weight}) {
      NodeMetadata& metadata = program_.metadata[name];
      if (metadata.nn_module_stack.empty()) metadata.nn_module_stack = stack;
    }
    move(moved.weight, moved.new_weight);
    if (!moved.bias.empty()) move(moved.bias, moved.new_bias);
    MoveInputs(moved);
    annotations_.EraseName(moved.conv);
    annotations_.EraseName(moved.norm);
  }

  // (_update_conv_input_qspec_map_after_replacement)
  void MoveInputs(const Moved& moved) {
    QuantizationAnnotation* annotation = annotations_.Find(moved.new_conv);
    if (annotation == nullptr) return;
    std::vector<QuantizationSpecPointer> specs;
    for (const auto& [producer, spec] : annotation->inputs) specs.push_back(spec);
    if (specs.size() < 2) {
      throw PipelineError("IndexError",
                          "'" + moved.conv + "' is annotated with " +
                              std::to_string(specs.size()) +
                              " inputs: a convolution before a batch norm needs those of "
                              "its input and its weight, in this order");
    }
    annotation->inputs.clear();
    annotation->inputs.Set(moved.input, specs[0]);
    annotation->inputs.Set(moved.new_weight, specs[1]);
    if (!moved.bias.empty() && specs.size() > 2) {
      annotation->inputs.Set(moved.new_bias, specs[2]);
    }
  }

  const std::string& NewName(const std::string& name) const {
    const auto found = renamed_.find(name);
    return found == renamed_.end() ? name : found->second;
  }

  EdgeOrNode NewPlace(const EdgeOrNode& place) const {
    return {place.IsEdge() ? NewName(place.producer) : "", NewName(place.node)};
  }

  QuantizationSpecPointer NewSpec(const QuantizationSpecPointer& spec) const {
    if (const auto* shared = As<SharedQuantizationSpec>(spec)) {
      return ShareWith(NewPlace(shared->edge_or_node));
    }
    if (const auto* derived = As<DerivedQuantizationSpec>(spec)) {
      DerivedQuantizationSpec renamed = *derived;
      for (EdgeOrNode& place : renamed.derived_from) place = NewPlace(place);
      return MakeSpec(std::move(renamed));
    }
    return spec;
  }

  // (_update_special_qspecs_after_replacement)
  void RenameInAnnotations() {
    for (const Node& node : program_.module.graph.nodes()) {
      QuantizationAnnotation* annotation = annotations_.Find(node);
      if (annotation == nullptr) continue;
      OrderedMap<QuantizationSpecPointer> inputs;
      for (const auto& [producer, spec] : annotation->inputs) {
        inputs.Set(NewName(producer), NewSpec(spec));
      }
      annotation->inputs = std::move(inputs);
      annotation->output = NewSpec(annotation->output);
    }
  }

  ExportedProgram& program_;
  Annotations& annotations_;
  const QatConvolution& convolution_;
  Mode mode_;
  ReplacementPoint point_;
  std::vector<Moved> moved_;
  Replacements renamed_;
};

bool HasBatchNorm(const ExportedProgram& program) {
  for (const Node& node : program.module.graph.nodes()) {
    if (IsAtenBatchNorm(node)) return true;
  }
  return false;
}

}  // namespace

void ScaleWeightsOfBatchNorms(ExportedProgram& program, Annotations& annotations,
                              Mode mode) {
  if (!HasBatchNorm(program)) return;
  for (const QatConvolution& convolution : QatConvolutions()) {
    EliminateDeadNodes(program);
    Rewrite(program, annotations, convolution, mode).Run();
  }
}

}  // namespace qconform
