#include "reference/exported/unlift.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/exported/quoted_text.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr char kGuards[] = "_guards_fn";

// The get_attr node in the placeholder's place.
Node* ReplaceByAttribute(const std::string& path, Node* input, ExportedProgram& program) {
  Graph& graph = program.module.graph;
  Node* attribute = graph.InsertAfter(input, Op::kGetAttr, path);
  graph.ReplaceAllUses(input, attribute);
  program.metadata[attribute->name()] = std::move(program.metadata[input->name()]);
  program.metadata.erase(input->name());
  graph.Erase(input);
  return attribute;
}

// Has an effect beside its value: a check, a write, or a step of the random generator.
// (torch._library.utils.is_impure)
bool IsImpure(const std::string& target) {
  const std::string name = target.substr(target.find('.') + 1);
  const std::string_view base = std::string_view(name).substr(0, name.find('.'));
  if (base.ends_with('_') || base.starts_with("_assert")) return true;
  for (const char* word : {"sym_constrain_range", "rand", "bernoulli", "multinomial",
                           "normal", "poisson", "dropout", "rrelu"}) {
    if (base.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

void EraseUnusedNodes(ExportedProgram& program) {
  std::vector<Node*> nodes = program.module.graph.NodePointers();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if ((*node)->op() != Op::kCallFunction || !(*node)->users().empty()) continue;
    if (IsImpure((*node)->target())) continue;
    program.metadata.erase((*node)->name());
    program.module.graph.Erase(*node);
  }
}

void Unlift(const GraphSignature& signature, const std::string& where,
            ExportedProgram& program) {
  Graph& graph = program.module.graph;
  std::unordered_map<std::string, Node*> targets;
  for (ProgramInput input : signature.inputs) {
    Node* node = graph.Find(input.node);
    if (input.kind == ProgramInputKind::kUserInput) {
      targets.emplace(node->name(), node);
    } else {
      node = ReplaceByAttribute(input.target, node, program);
      targets[input.target] = node;
      input.node = node->name();
    }
    program.inputs.push_back(std::move(input));
  }

  Node* output = graph.OutputNode();
  const std::vector<Argument> items = output->args()[0].As<Sequence>()->items;
  std::unordered_map<const Node*, Node*> written;
  std::vector<Argument> returned;
  for (size_t i = 0; i < items.size(); ++i) {
    const OutputSpec& spec = signature.outputs[i];
    if (!spec.is_mutation) {
      returned.push_back(items[i]);
      continue;
    }
    const auto target = targets.find(spec.target);
    Node* source = items[i].AsNode();
    if (target == targets.end() || source == nullptr) {
      throw InputError(
          where, "output " + std::to_string(i) + " is written to " + Quoted(spec.target),
          "a tensor that is written to a buffer, parameter or input");
    }
    written[source] = graph.InsertBefore(output, Op::kCallFunction, "aten.copy_.default",
                                         {Argument(target->second), Argument(source)}, {},
                                         "copy_.default");
  }
  if (written.empty()) return;
  for (Argument& item : returned) {
    const auto found = written.find(item.AsNode());
    if (found != written.end()) item = Argument(found->second);
  }
  output->set_args({Argument::Tuple(std::move(returned))});
}

void AddGuardsCall(ExportedProgram& program) {
  Graph& graph = program.module.graph;
  std::vector<Argument> placeholders;
  Node* last = nullptr;
  const NodeMetadata* first_call = nullptr;
  for (Node& node : graph.nodes()) {
    if (node.op() == Op::kPlaceholder) {
      last = &node;
      placeholders.emplace_back(&node);
    } else if (node.op() == Op::kCallFunction && first_call == nullptr) {
      first_call = &program.MetadataOf(node);
    }
  }
  if (last == nullptr) return;
  NodeMetadata metadata;
  if (first_call != nullptr) metadata.nn_module_stack = first_call->nn_module_stack;
  auto guards = std::make_shared<Module>();
  guards->type = "torch.export._unlift.GuardsFn";
  program.module.SetModule(kGuards, std::move(guards));
  const Node* call =
      graph.InsertAfter(last, Op::kCallModule, kGuards, std::move(placeholders));
  program.MutableMetadataOf(*call) = std::move(metadata);
}

}  // namespace qconform
