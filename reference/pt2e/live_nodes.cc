#include "reference/pt2e/live_nodes.h"

#include <unordered_set>

namespace qconform {
namespace {

// "aten.add_.Tensor" -> "add_"; empty for other functions.
std::string AtenName(const std::string& target) {
  const std::string prefix = "aten.";
  if (!target.starts_with(prefix)) return "";
  const size_t dot = target.find('.', prefix.size());
  return target.substr(prefix.size(), dot - prefix.size());
}

}  // namespace

bool WritesFirstArgument(const Node& node) {
  if (node.op() != Op::kCallFunction) return false;
  const std::string name = AtenName(node.target());
  return name.size() > 1 && name.ends_with("_") && !name.ends_with("__");
}

bool IsImpure(const Node& node) {
  // The operators of ATen that are tagged nondeterministic_seeded or whose schema writes
  // to statistics.
  static const auto* const impure =
      new std::unordered_set<std::string>{"dropout",
                                          "native_dropout",
                                          "alpha_dropout",
                                          "feature_dropout",
                                          "rand",
                                          "rand_like",
                                          "randn",
                                          "randn_like",
                                          "randint",
                                          "randint_like",
                                          "randperm",
                                          "bernoulli",
                                          "multinomial",
                                          "normal",
                                          "poisson",
                                          "uniform",
                                          "exponential",
                                          "rrelu_with_noise",
                                          "gru",
                                          "lstm",
                                          "rnn_relu",
                                          "rnn_tanh",
                                          "_native_batch_norm_legit",
                                          "sym_constrain_range",
                                          "sym_constrain_range_for_size",
                                          "_assert_async",
                                          "_assert_scalar",
                                          "_assert_tensor_metadata"};
  switch (node.op()) {
    case Op::kPlaceholder:
    case Op::kOutput:
      return true;
    case Op::kCallModule:
      return node.target() == "_guards_fn";
    case Op::kCallFunction:
      return WritesFirstArgument(node) || impure->count(AtenName(node.target())) > 0;
    default:
      break;
  }
  return false;
}

void EliminateDeadNodes(ExportedProgram& program) {
  const std::vector<Node*> nodes = program.module.graph.NodePointers();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if ((*node)->users().empty() && !IsImpure(**node)) {
      program.metadata.erase((*node)->name());
      program.module.graph.Erase(*node);
    }
  }
}

}  // namespace qconform
