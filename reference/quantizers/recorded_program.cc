#include "reference/quantizers/recorded_program.h"

#include <fstream>

#include "reference/formats/argument_json.h"
#include "reference/quantizers/quantization_spec_json.h"

namespace qconform {
namespace {

Op OpOf(const std::string& name) {
  for (const Op op : {Op::kPlaceholder, Op::kGetAttr, Op::kCallFunction, Op::kCallModule,
                      Op::kOutput}) {
    if (name == OpName(op)) return op;
  }
  return Op::kCallMethod;
}

NodeMetadata MetadataOfRecord(const ordered_json& json) {
  NodeMetadata metadata;
  if (json.contains("stack")) {
    for (const ordered_json& frame : json["stack"]) {
      metadata.nn_module_stack.push_back({frame[0], frame[1]});
    }
  }
  if (json.contains("source_fn")) {
    metadata.source_fn_stack.push_back({json["source_fn"][0], json["source_fn"][1]});
  }
  if (json.contains("torch_fn")) {
    metadata.torch_fn = TorchFunction{json["torch_fn"][0], json["torch_fn"][1]};
  }
  if (json.contains("shape")) {
    TensorMetadata tensor;
    const std::string dtype = json["dtype"];
    tensor.dtype = ParseDType(dtype.substr(dtype.find('.') + 1)).value();
    for (const ordered_json& size : json["shape"]) {
      tensor.shape.push_back({size.get<int64_t>(), ""});
    }
    metadata.kind = ValueKind::kTensor;
    metadata.tensors = {std::move(tensor)};
  } else if (json.contains("tuple")) {
    metadata.kind = ValueKind::kTuple;
  }
  return metadata;
}

ordered_json SpecOfRecord(const ordered_json& spec, const ordered_json& specs) {
  if (spec.is_string()) return specs[spec.get<std::string>()];
  if (spec.is_null()) return spec;
  return {{"kind", "shared"}, {"with", spec["shared"]}};
}

std::string DifferenceOfSpec(const std::string& where, const QuantizationSpecPointer& got,
                             const ordered_json& want, const ordered_json& specs) {
  const QuantizationSpecPointer wanted =
      QuantizationSpecFromJson(SpecOfRecord(want, specs), "record");
  if (SpecEquals(got, wanted)) return "";
  return where + ": " + ToText(got) + " and not " + ToText(wanted);
}

std::string DifferenceOfNode(const std::string& node,
                             const QuantizationAnnotation& annotation,
                             const ordered_json& want, const ordered_json& specs) {
  if (annotation.annotated != want["annotated"].get<bool>()) return node + ": annotated";
  if (annotation.is_output_of_quantized_pattern.value_or(false) !=
      want.contains("is_output_of_quantized_pattern")) {
    return node + ": is_output_of_quantized_pattern";
  }
  if (annotation.inputs.size() != want["inputs"].size()) return node + ": inputs";
  size_t i = 0;
  for (const auto& [producer, spec] : annotation.inputs) {
    const ordered_json& input = want["inputs"][i++];
    if (producer != input[0].get<std::string>()) return node + ": order of inputs";
    std::string difference =
        DifferenceOfSpec(producer + " -> " + node, spec, input[1], specs);
    if (!difference.empty()) return difference;
  }
  return DifferenceOfSpec(node, annotation.output, want["output"], specs);
}

}  // namespace

const RecordedCases& TheRecordedCases() {
  static const RecordedCases all = [] {
    RecordedCases read;
    std::ifstream file(QCONFORM_SOURCE_DIR
                       "/datasets/oracle/quantizers/annotations.jsonl");
    for (std::string line; std::getline(file, line);) {
      ordered_json json = ordered_json::parse(line);
      if (json.contains("program")) {
        const std::string name = json["program"];
        read.programs.emplace(name, std::move(json));
        continue;
      }
      const std::string program = json["case"];
      read.cases.push_back({program + " " + json["settings"].dump(),
                            &read.programs.at(program), std::move(json)});
    }
    return read;
  }();
  return all;
}

ExportedProgram ProgramOfRecord(const ordered_json& json) {
  ExportedProgram program;
  program.strict = json["strict"];
  Graph& graph = program.module.graph;
  const NodeLookup lookup = [&](const std::string& name) { return graph.Find(name); };
  for (const ordered_json& record : json["nodes"]) {
    std::vector<Argument> args;
    for (const ordered_json& argument : record["args"]) {
      args.push_back(ArgumentFromJson(argument, lookup));
    }
    OrderedMap<Argument> kwargs;
    if (record.contains("kwargs")) {
      for (const auto& [key, value] : record["kwargs"].items()) {
        kwargs.Set(key, ArgumentFromJson(value, lookup));
      }
    }
    Node* node = graph.Append(OpOf(record["op"]), record["target"], std::move(args),
                              std::move(kwargs), record["name"]);
    program.metadata[node->name()] = MetadataOfRecord(record);
  }
  return program;
}

std::string DifferenceToRecord(const ExportedProgram& program,
                               const Annotations& annotations, const ordered_json& json) {
  size_t index = 0;
  for (const Node& node : program.module.graph.nodes()) {
    if (index == json["after"].size() ||
        node.name() != json["after"][index].get<std::string>()) {
      return node.name() + " is no node of the record's graph at this place";
    }
    ++index;
    const QuantizationAnnotation* annotation = annotations.Find(node);
    const bool wanted = json["annotations"].contains(node.name());
    if (annotation == nullptr && !wanted) continue;
    if (annotation == nullptr) return node.name() + " has no annotation";
    if (!wanted) return node.name() + " has an annotation: " + annotation->rule;
    std::string difference = DifferenceOfNode(
        node.name(), *annotation, json["annotations"][node.name()], json["specs"]);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace qconform
