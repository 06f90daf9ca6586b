#include "reference/exported/lifted_graph.h"

#include <utility>

#include "reference/exported/node_metadata_json.h"
#include "reference/exported/quoted_text.h"
#include "reference/exported/serialized_argument.h"
#include "reference/exported/tensor_shape_json.h"
#include "reference/formats/json_value.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

class Reader {
 public:
  Reader(const JsonFile& file, ValueTable& values, ExportedProgram& program)
      : file_(file),
        values_(values),
        program_(program),
        graph_(program.module.graph),
        lookup_([this](const std::string& name, const std::string& where) {
          return values_.Find(name, where);
        }) {}

  void ReadInput(const ordered_json& value, size_t index, ProgramInput& spec) {
    const std::string where = file_.name() + ": input " + std::to_string(index);
    const JsonOrigin origin(where);
    const auto [tag, content] = RequireTagged(value, "an input", origin);
    const std::string name = InputName(tag, content, index, spec, origin);
    Node* node = graph_.Append(Op::kPlaceholder, name, {}, {}, name);
    NodeMetadata& metadata = program_.MutableMetadataOf(*node);
    if (tag == "as_none") {
      metadata.kind = ValueKind::kNone;
    } else if (tag == "as_tensor" || tag == "as_sym_int") {
      values_.Declare(name, node, metadata, where);
    }
    spec.node = node->name();
  }

  void ReadNode(const ordered_json& value, size_t index) {
    RequireObject(value, "a node", file_);
    const ordered_json* name = FindMember(value, "name");
    const bool named = name != nullptr && name->is_string();
    const std::string label =
        named ? Quoted(name->get_ref<const std::string&>()) : std::to_string(index);
    const std::string where = file_.name() + ": node " + label;
    const JsonOrigin origin(where);
    const std::string target = OperatorTarget(
        RequireString(RequireMember(value, "target", origin), "'target'", origin));
    std::vector<Argument> args;
    OrderedMap<Argument> kwargs;
    ReadArguments(RequireMember(value, "inputs", origin), origin, args, kwargs);
    const NodeMetadata metadata =
        NodeMetadataFromJson(RequireMember(value, "metadata", origin), origin);
    const ordered_json& outputs = RequireMember(value, "outputs", origin);
    RequireArray(outputs, "'outputs'", origin);
    const std::string candidate =
        Candidate(named ? name->get<std::string>() : "", target, outputs, origin);
    Node* node = graph_.Append(Op::kCallFunction, target, std::move(args),
                               std::move(kwargs), candidate);
    program_.strict = program_.strict || !metadata.source_fn_stack.empty();
    program_.MutableMetadataOf(*node) = metadata;
    ReadOutputs(outputs, node, metadata, origin);
  }

  void ReadGraphOutputs(const ordered_json& outputs) {
    const JsonOrigin origin(file_.name() + ": the output");
    std::vector<Argument> items;
    NodeMetadata metadata;
    metadata.kind = ValueKind::kTuple;
    for (const ordered_json& output : outputs) {
      items.push_back(ArgumentFromSerialized(output, lookup_, origin));
      const Node* node = items.back().AsNode();
      if (node == nullptr || !program_.IsTensor(*node)) continue;
      metadata.tensors.push_back(program_.MetadataOf(*node).tensors[0]);
    }
    Node* node =
        graph_.Append(Op::kOutput, "output", {Argument::Tuple(std::move(items))});
    program_.MutableMetadataOf(*node) = std::move(metadata);
  }

 private:
  // Checks it against the signature.
  std::string InputName(const std::string& tag, const ordered_json& content, size_t index,
                        const ProgramInput& spec, const JsonOrigin& origin) const {
    std::string name;
    if (tag == "as_tensor") {
      name = RequireString(RequireMember(content, "name", origin), "'name'", origin);
    } else if (tag == "as_sym_int") {
      const auto [kind, symbol] = RequireTagged(content, "a symbolic input", origin);
      if (kind != "as_name") {
        throw InputError(origin.Of(content), "a symbolic input is " + Quoted(kind),
                         "'as_name'");
      }
      name = RequireString(symbol, "'as_name'", origin);
    } else if (tag == "as_int" || tag == "as_float" || tag == "as_bool" ||
               tag == "as_none" || tag == "as_string") {
      if (spec.kind != ProgramInputKind::kUserInput) {
        throw InputError(origin.Of(content), Quoted(spec.target) + " is no tensor",
                         "a tensor");
      }
      return spec.node.empty() ? "arg" + std::to_string(index) : spec.node;
    } else {
      throw InputError(origin.Of(content), "an input is " + Quoted(tag),
                       "a tensor, a symbol or a plain value");
    }
    if (name != spec.node) {
      throw InputError(origin.Of(content), "the input is " + Quoted(name),
                       Quoted(spec.node) + " as the signature says");
    }
    return name;
  }

  void ReadArguments(const ordered_json& inputs, const JsonOrigin& origin,
                     std::vector<Argument>& args, OrderedMap<Argument>& kwargs) const {
    for (const ordered_json& input : RequireArray(inputs, "'inputs'", origin)) {
      const std::string& name = RequireString(RequireMember(input, "name", origin),
                                              "an argument's name", origin);
      Argument argument =
          ArgumentFromSerialized(RequireMember(input, "arg", origin), lookup_, origin);
      const ordered_json* kind = FindMember(input, "kind");
      constexpr int64_t kPositional = 1;
      constexpr int64_t kKeyword = 2;
      if (kind != nullptr && *kind == kKeyword && !name.empty()) {
        if (kwargs.Contains(name)) {
          throw InputError(origin.Of(input),
                           "the argument " + Quoted(name) + " stands twice",
                           "each keyword once");
        }
        kwargs.Set(name, std::move(argument));
      } else if (kind != nullptr && *kind == kPositional && kwargs.empty()) {
        args.push_back(std::move(argument));
      } else {
        throw InputError(origin.Of(input),
                         "the argument " + Quoted(name) + " has the kind " +
                             (kind == nullptr ? "null" : DescribeJson(*kind)),
                         "1 (by position), or 2 (by keyword) after those");
      }
    }
  }

  // A node of one value is called as that; one without a value says so.
  static std::string Candidate(const std::string& name, const std::string& target,
                               const ordered_json& outputs, const JsonOrigin& origin) {
    if (outputs.size() != 1) return name;
    const auto [tag, value] = RequireTagged(outputs[0], "an output", origin);
    // The operator's own name is without its namespace.
    if (tag == "as_none") {
      return CandidateName(target.substr(target.find('.') + 1)) + "_unused";
    }
    const std::string single = OutputName(tag, value, origin);
    return single.empty() ? name : single;
  }

  // The name of a tensor or symbol; "" for another kind of output.
  static std::string OutputName(const std::string& tag, const ordered_json& value,
                                const JsonOrigin& origin) {
    if (tag == "as_tensor") {
      return RequireString(RequireMember(value, "name", origin), "'name'", origin);
    }
    if (tag != "as_sym_int" && tag != "as_sym_float" && tag != "as_sym_bool") return "";
    return RequireString(RequireMember(value, "as_name", origin), "'as_name'", origin);
  }

  void ReadOutputs(const ordered_json& outputs, Node* node, const NodeMetadata& metadata,
                   const JsonOrigin& origin) {
    if (outputs.empty()) return;
    const std::string where = origin.Of(outputs);
    NodeMetadata& own = program_.MutableMetadataOf(*node);
    if (outputs.size() == 1) {
      const auto [tag, value] = RequireTagged(outputs[0], "an output", origin);
      if (tag == "as_none") {
        own.kind = ValueKind::kNone;
        return;
      }
      const std::string name = OutputName(tag, value, origin);
      if (!name.empty()) {
        values_.Declare(name, node, own, where);
        return;
      }
      if (tag != "as_tensors") {
        throw InputError(where, "an output is " + Quoted(tag), "tensors or symbols");
      }
      std::vector<TensorMetadata> tensors;
      RequireArray(value, "'as_tensors'", origin);
      for (size_t i = 0; i < value.size(); ++i) {
        const ordered_json& item = RequireMember(value[i], "name", origin);
        ReadElement(RequireString(item, "'name'", origin), i, node, metadata, tensors,
                    where);
      }
      SetTuple(*node, std::move(tensors));
      return;
    }
    std::vector<TensorMetadata> tensors;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const auto [tag, value] = RequireTagged(outputs[i], "an output", origin);
      const std::string name = OutputName(tag, value, origin);
      if (name.empty() && tag != "as_none") {
        throw InputError(where, "one of the outputs is " + Quoted(tag),
                         "tensors or symbols");
      }
      ReadElement(name, i, node, metadata, tensors, where);
    }
    SetTuple(*node, std::move(tensors));
  }

  // operator.getitem, as what torch makes of one of several outputs; "" is None.
  void ReadElement(const std::string& name, size_t index, Node* node,
                   const NodeMetadata& metadata, std::vector<TensorMetadata>& tensors,
                   const std::string& where) {
    Node* element = graph_.Append(Op::kCallFunction, "operator.getitem",
                                  {Argument(node), Argument(static_cast<int64_t>(index))},
                                  {}, name.empty() ? "as_none" : name);
    NodeMetadata& own = program_.MutableMetadataOf(*element);
    own = metadata;
    if (name.empty()) {
      own.kind = ValueKind::kNone;
      return;
    }
    values_.Declare(name, element, own, where);
    if (own.kind == ValueKind::kTensor) tensors.push_back(own.tensors[0]);
  }

  void SetTuple(const Node& node, std::vector<TensorMetadata> tensors) {
    NodeMetadata& own = program_.MutableMetadataOf(node);
    own.kind = ValueKind::kTuple;
    own.tensors = std::move(tensors);
  }

  const JsonFile& file_;
  ValueTable& values_;
  ExportedProgram& program_;
  Graph& graph_;
  const ValueLookup lookup_;
};

}  // namespace

void ReadLiftedGraph(const ordered_json& graph, const JsonFile& file, ValueTable& values,
                     GraphSignature& signature, ExportedProgram& program) {
  const ordered_json& inputs = RequireMember(graph, "inputs", file);
  const ordered_json& outputs = RequireMember(graph, "outputs", file);
  const ordered_json& nodes = RequireMember(graph, "nodes", file);
  if (RequireArray(inputs, "'inputs'", file).size() != signature.inputs.size() ||
      RequireArray(outputs, "'outputs'", file).size() != signature.outputs.size()) {
    throw InputError(
        file.name(),
        "the graph has " + std::to_string(inputs.size()) + " inputs and " +
            std::to_string(outputs.size()) + " outputs",
        "as many as the signature: " + std::to_string(signature.inputs.size()) + " and " +
            std::to_string(signature.outputs.size()));
  }
  Reader reader(file, values, program);
  for (size_t i = 0; i < inputs.size(); ++i) {
    reader.ReadInput(inputs[i], i, signature.inputs[i]);
  }
  RequireArray(nodes, "'nodes'", file);
  for (size_t i = 0; i < nodes.size(); ++i) reader.ReadNode(nodes[i], i);
  reader.ReadGraphOutputs(outputs);
}

}  // namespace qconform
