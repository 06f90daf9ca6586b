#include "cli/parity/pt2e_sources.h"

#include <set>
#include <string>
#include <unordered_map>

namespace qconform::parity {
namespace {

// "aten.add_.Tensor" -> "add_".
std::string PacketOf(const std::string& target) {
  const size_t first = target.find('.');
  if (first == std::string::npos) return target;
  return target.substr(first + 1, target.find('.', first + 1) - first - 1);
}

std::string FunctionOf(const std::string& packet) {
  static const std::unordered_map<std::string, std::string> in_place = {
      {"add_", "operator.iadd"}, {"sub_", "operator.isub"}, {"mul_", "operator.imul"}};
  static const std::set<std::string> operators = {"add", "sub", "mul"};
  static const std::set<std::string> torch = {"cat",     "flatten", "matmul", "sigmoid",
                                              "permute", "mean",    "squeeze"};
  if (const auto found = in_place.find(packet); found != in_place.end()) {
    return found->second;
  }
  if (operators.contains(packet)) return "operator." + packet;
  if (torch.contains(packet)) return "torch." + packet;
  // F.relu(x, inplace=True) is aten.relu_.
  const bool ends_in_place = packet.ends_with('_');
  return "torch.nn.functional." +
         (ends_in_place ? packet.substr(0, packet.size() - 1) : packet);
}

// A class of torch.nn that computes; containers only call.
bool IsLayer(const std::string& type) {
  return type.starts_with("torch.nn.modules.") &&
         !type.starts_with("torch.nn.modules.container.");
}

}  // namespace

void AddSourceMetadata(ExportedProgram& program) {
  std::unordered_map<std::string, int> calls;
  for (const Node& node : program.module.graph.nodes()) {
    if (node.op() != Op::kCallFunction) continue;
    NodeMetadata& metadata = program.MutableMetadataOf(node);
    const std::string packet = PacketOf(node.target());
    metadata.torch_fn = TorchFunction{packet + "_" + std::to_string(++calls[packet]),
                                      "builtin_function_or_method." + packet};
    if (!program.strict) continue;
    const bool in_layer = !metadata.nn_module_stack.empty() &&
                          IsLayer(metadata.nn_module_stack.back().type);
    metadata.source_fn_stack = {{node.name(), in_layer
                                                  ? metadata.nn_module_stack.back().type
                                                  : FunctionOf(packet)}};
  }
  if (!program.strict) return;
  for (const Node& node : program.module.graph.nodes()) {
    if (node.op() != Op::kGetAttr) continue;
    for (const Node* user : node.users()) {
      // What a call writes to has none.
      if (user->op() != Op::kCallFunction || PacketOf(user->target()).ends_with('_')) {
        continue;
      }
      program.MutableMetadataOf(node).source_fn_stack =
          program.MetadataOf(*user).source_fn_stack;
    }
  }
}

}  // namespace qconform::parity
