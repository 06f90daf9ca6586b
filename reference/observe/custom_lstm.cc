#include "reference/observe/custom_lstm.h"

#include "reference/observe/custom_module.h"

namespace qconform {
namespace {

constexpr const char* kGetItem = "operator.getitem";

bool Calls(const Node* node, const char* function) {
  return node != nullptr && node->op() == Op::kCallFunction && node->target() == function;
}

Node* InsertGetItem(Graph& graph, Node* position, Node* container, int index) {
  return graph.InsertAfter(position, Op::kCallFunction, kGetItem, {container, index});
}

Node* InsertTuple(Graph& graph, Node* position, Node* first, Node* second) {
  return graph.InsertAfter(position, Op::kCallFunction, kTupleFunction,
                           {Argument::List({Argument(first), Argument(second)})});
}

Node* InsertStub(GraphModule& module, Node* value) {
  std::string name;
  int index = 0;
  do {
    name = "dequant_stub_" + std::to_string(index++);
  } while (module.root->children.Contains(name));
  auto stub = std::make_shared<Module>();
  stub->type = kDequantStubType;
  stub->training = module.root->training;
  module.SetModule(name, stub);
  return module.graph.InsertAfter(value, Op::kCallModule, name, {value});
}

// Users of getitem(tuple([a, b]), i) read the element. A getitem of such a getitem is
// reached with the tuple as its own input. (_reroute_tuple_getitem_pattern)
void SkipTuples(Graph& graph) {
  for (Node* node : graph.NodePointers()) {
    if (!Calls(node, kGetItem)) continue;
    const Node* tuple = node->args()[0].AsNode();
    const int64_t* index = node->args()[1].As<int64_t>();
    if (!Calls(tuple, kTupleFunction) || index == nullptr) continue;
    const Sequence* items = tuple->args()[0].As<Sequence>();
    if (items == nullptr || *index < 0 ||
        *index >= static_cast<int64_t>(items->items.size())) {
      continue;
    }
    Node* element = items->items[static_cast<size_t>(*index)].AsNode();
    if (element != nullptr) graph.ReplaceAllUses(node, element);
  }
}

bool IsStub(const GraphModule& module, const Node* node) {
  if (node == nullptr || node->op() != Op::kCallModule) return false;
  const std::shared_ptr<Module> called = module.FindModule(node->target());
  return called && called->type == kDequantStubType;
}

const Node* First(const Node* node) { return node->args()[0].AsNode(); }

}  // namespace

bool IsCustomLstm(const GraphModule& module, const QuantizationMatch& match,
                  const QConfig& qconfig) {
  if (!match.is_custom_module || match.root->op() != Op::kCallModule) return false;
  const std::shared_ptr<Module> called = module.FindModule(match.root->target());
  return called && called->type == "torch.nn.LSTM" &&
         QuantTypeOf(qconfig) == QuantType::kStatic;
}

bool IsQuantizableLstm(const std::string& type) {
  return type == "torch.ao.nn.quantizable.LSTM" ||
         type == "torch.ao.nn.quantizable.modules.rnn.LSTM";
}

bool IsQuantizableAttention(const std::string& type) {
  return type == "torch.ao.nn.quantizable.MultiheadAttention" ||
         type == "torch.ao.nn.quantizable.modules.activation.MultiheadAttention";
}

std::string QuantizableAlias(const std::string& type) {
  static constexpr const char* kNames[][2] = {
      {"torch.ao.nn.quantizable.LSTM", "torch.ao.nn.quantizable.modules.rnn.LSTM"},
      {"torch.ao.nn.quantizable.MultiheadAttention",
       "torch.ao.nn.quantizable.modules.activation.MultiheadAttention"}};
  for (const auto& [by_package, by_file] : kNames) {
    if (type == by_package) return by_file;
    if (type == by_file) return by_package;
  }
  return "";
}

void InsertDequantStubs(GraphModule& module, Node& lstm) {
  Graph& graph = module.graph;
  const std::vector<Node*> users = lstm.users();
  Node* output = InsertGetItem(graph, &lstm, &lstm, 0);
  Node* output_stub = InsertStub(module, output);
  Node* states = InsertGetItem(graph, output_stub, &lstm, 1);
  Node* hidden = InsertGetItem(graph, states, states, 0);
  Node* hidden_stub = InsertStub(module, hidden);
  Node* cell = InsertGetItem(graph, hidden_stub, states, 1);
  Node* cell_stub = InsertStub(module, cell);
  Node* states_tuple = InsertTuple(graph, cell_stub, hidden_stub, cell_stub);
  Node* result = InsertTuple(graph, states_tuple, output_stub, states_tuple);
  for (Node* user : users) user->ReplaceInput(&lstm, result);
  SkipTuples(graph);
}

const Node* CustomLstmBehind(const GraphModule& module, const Node* value,
                             const std::unordered_set<const Node*>& lstms) {
  if (lstms.empty() || value == nullptr) return nullptr;
  if (Calls(value, kTupleFunction)) {
    const Sequence* items = value->args()[0].As<Sequence>();
    value = items == nullptr || items->items.empty() ? nullptr : items->items[0].AsNode();
  }
  if (!IsStub(module, value)) return nullptr;
  value = First(value);
  for (int depth = 0; depth < 2 && Calls(value, kGetItem); ++depth) value = First(value);
  return lstms.count(value) > 0 ? value : nullptr;
}

}  // namespace qconform
