#include "reference/pt2e/fold_exported_batch_norm.h"

#include <unordered_set>

#include "reference/fuse/fold_batch_norm.h"
#include "reference/ir/error.h"
#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/live_nodes.h"

namespace qconform {
namespace {

const char* const kNoTraining = "aten._native_batch_norm_legit_no_training.default";

// The tensor that a get_attr node reads; absent for None.
// (_get_tensor_constant_from_node)
std::optional<Tensor> AttributeOf(const GraphModule& module, const Node* node) {
  if (node == nullptr) return std::nullopt;
  if (node->op() != Op::kGetAttr) {
    throw PipelineError("ValueError", "a batch norm is folded into attributes only, '" +
                                          node->name() + "' is a " + OpName(node->op()));
  }
  const Tensor* tensor = module.FindTensor(node->target());
  if (tensor == nullptr) {
    throw PipelineError("RuntimeError",
                        "Node referenced nonexistent target " + node->target());
  }
  return *tensor;
}

std::optional<Tensor> AttributeAt(const GraphModule& module, const Node& node,
                                  size_t position) {
  return AttributeOf(module, ArgumentAt(node, position).AsNode());
}

double EpsilonOf(const Node& batch_norm) {
  const size_t position = batch_norm.target() == kNoTraining ? 6 : 7;
  const Argument value = ArgumentAt(batch_norm, position);
  if (const double* real = value.As<double>()) return *real;
  if (const int64_t* whole = value.As<int64_t>()) return static_cast<double>(*whole);
  return 1e-5;
}

// The two layers as modules, which fuse/ folds.
Module LayerModule(const GraphModule& module, const Node* weight, const Node* bias) {
  Module layer;
  layer.parameters.Set("weight", AttributeOf(module, weight));
  layer.parameters.Set("bias", AttributeOf(module, bias));
  return layer;
}

Module BatchNormModule(const GraphModule& module, const Node& node) {
  Module norm;
  norm.parameters.Set("weight", AttributeAt(module, node, 1));
  norm.parameters.Set("bias", AttributeAt(module, node, 2));
  norm.buffers.Set("running_mean", AttributeAt(module, node, 3));
  norm.buffers.Set("running_var", AttributeAt(module, node, 4));
  norm.attributes.Set("eps", EpsilonOf(node));
  return norm;
}

// Registers a parameter in place of what stands at the path. (_assign_attr)
void SetParameter(GraphModule& module, const std::string& path, Tensor value) {
  const auto [owner_path, name] = SplitParent(path);
  Module& owner = *module.ModuleAt(owner_path);
  owner.buffers.Erase(name);
  owner.parameters.Set(name, std::move(value));
}

Tensor ZerosOf(const Tensor& like) { return Tensor(like.dtype(), like.shape()); }

// The readers of the batch norm's value read the layer.
void RedirectUsers(Graph& graph, Node* batch_norm, Node* layer) {
  if (batch_norm->target() == "aten.batch_norm.default") {
    graph.ReplaceAllUses(batch_norm, layer);
    return;
  }
  for (Node* user : std::vector<Node*>(batch_norm->users())) {
    if (IsCall(*user, "operator.getitem") && ArgumentAt(*user, 1) == Argument(0)) {
      graph.ReplaceAllUses(user, layer);
    }
  }
}

// Whether the batch norm is read only through items that nobody reads.
bool IsUnread(const Node& batch_norm) {
  for (const Node* user : batch_norm.users()) {
    if (!user->users().empty() || IsImpure(*user)) return false;
  }
  return true;
}

void EraseWithUnreadUsers(ExportedProgram& program, Node* node) {
  for (Node* user : std::vector<Node*>(node->users())) program.module.graph.Erase(user);
  program.module.graph.Erase(node);
}

bool IsFoldable(const Node& node) {
  return IsCall(node, kNoTraining) || IsCall(node, "aten.batch_norm.default");
}

class Folding {
 public:
  Folding(ExportedProgram& program, Mode mode) : program_(program), mode_(mode) {}

  FoldWarnings Run() {
    // torchao passes over the graph twice, and so do the names that it gives.
    for (const bool linear : {false, true}) {
      for (Node* node : program_.module.graph.NodePointers()) {
        if (IsFoldable(*node)) Visit(node, linear);
      }
      EliminateDeadNodes(program_);
      folded_.clear();
    }
    return std::move(warnings_);
  }

 private:
  void Visit(Node* norm, bool linear) {
    Node* layer = ArgumentAt(*norm, 0).AsNode();
    if (layer == nullptr) return;
    if (linear ? !IsAtenLinear(*layer)
               : !IsAtenConv(*layer) && !IsAtenConvTranspose(*layer)) {
      return;
    }
    if (linear && InputRank(*layer) > 2) {
      warnings_.push_back("'" + norm->name() + "' is not folded into '" + layer->name() +
                          "': the linear's input has " +
                          std::to_string(InputRank(*layer)) +
                          " dimensions, the two work on different ones");
      return;
    }
    const Node* weight = ArgumentAt(*layer, 1).AsNode();
    const Node* bias = ArgumentAt(*layer, 2).AsNode();
    const bool is_again = folded_.count(weight) > 0;
    const bool has_others = layer->users().size() > 1;
    if (has_others) {
      Warn(*norm, *layer, "whose value is read elsewhere, too",
           "the others read the folded value");
    }
    if (is_again) {
      Warn(*norm, *layer, "whose weight has a batch norm folded in already",
           "this one is dropped");
    }
    if (mode_ == Mode::kStrict && (has_others || is_again)) return;
    FoldBatchNormInto(program_, layer, weight, bias, norm, is_again, mode_);
    folded_.insert(weight);
  }

  void Warn(const Node& norm, const Node& layer, const std::string& what,
            const std::string& torch_does) {
    warnings_.push_back("'" + norm.name() + "' follows '" + layer.name() + "', " + what +
                        (mode_ == Mode::kTorch ? ": " + torch_does : ": it is left"));
  }

  size_t InputRank(const Node& layer) const {
    const Node* input = ArgumentAt(layer, 0).AsNode();
    if (input == nullptr || !program_.IsTensor(*input)) return 0;
    return program_.MetadataOf(*input).tensors[0].shape.size();
  }

  ExportedProgram& program_;
  Mode mode_;
  FoldWarnings warnings_;
  std::unordered_set<const Node*> folded_;
};

}  // namespace

void FoldBatchNormInto(ExportedProgram& program, Node* layer, const Node* weight,
                       const Node* bias, Node* batch_norm, bool only_drop, Mode mode) {
  GraphModule& module = program.module;
  const Module before = LayerModule(module, weight, bias);
  const Module norm = BatchNormModule(module, *batch_norm);
  std::shared_ptr<Module> folded;
  if (only_drop) {
    folded = std::make_shared<Module>(before);
    if (bias == nullptr) {
      folded->parameters.Set("bias", ZerosOf(*norm.FindTensor("running_mean")));
    }
  } else if (IsAtenLinear(*layer)) {
    folded = FoldLinearBatchNorm(before, norm, mode);
  } else {
    folded = FoldConvBatchNorm(before, norm, IsAtenConvTranspose(*layer), mode);
  }
  SetParameter(module, weight->target(), *folded->FindTensor("weight"));
  if (bias != nullptr) {
    SetParameter(module, bias->target(), *folded->FindTensor("bias"));
  } else {
    const std::string path = weight->target() + "_bias";
    SetParameter(module, path, *folded->FindTensor("bias"));
    Node* reader = module.graph.InsertBefore(layer, Op::kGetAttr, path);
    if (!IsAtenLinear(*layer) && program.IsTensor(*layer)) {
      NodeMetadata& metadata = program.MutableMetadataOf(*reader);
      metadata.kind = ValueKind::kTensor;
      const Tensor& value = *folded->FindTensor("bias");
      metadata.tensors = {{value.dtype(), {{value.numel(), ""}}}};
    }
    std::vector<Argument> args = layer->args();
    args.resize(std::max<size_t>(args.size(), 3));
    args[2] = reader;
    layer->set_args(std::move(args));
  }
  RedirectUsers(module.graph, batch_norm, layer);
  if (IsUnread(*batch_norm)) EraseWithUnreadUsers(program, batch_norm);
}

FoldWarnings FoldExportedBatchNorms(ExportedProgram& program, Mode mode) {
  for (const Node& node : program.module.graph.nodes()) {
    if (IsAtenBatchNorm(node)) return Folding(program, mode).Run();
  }
  return {};
}

}  // namespace qconform
