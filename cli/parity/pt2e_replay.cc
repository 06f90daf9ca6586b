#include "cli/parity/pt2e_replay.h"

#include "cli/parity/pt2e_annotations.h"
#include "cli/parity/record_json.h"

namespace qconform::parity {
namespace {

const char* const kConstant = "_tensor_constant_";

// The name of the constant in an argument of the record, empty if it is something else.
std::string ConstantOf(const ordered_json& argument) {
  if (!argument.is_object() || !argument.contains("n")) return "";
  const std::string name = argument.at("n").get<std::string>();
  return name.starts_with(kConstant) ? name : "";
}

double NumberOf(const Argument& argument) {
  if (const double* real = argument.As<double>()) return *real;
  const int64_t* whole = argument.As<int64_t>();
  return whole == nullptr ? 0 : static_cast<double>(*whole);
}

}  // namespace

void ReplayQuantizer::TransformForAnnotation(ExportedProgram& program) {
  Graph& graph = program.module.graph;
  for (const ordered_json& json : record_.at("annotated_graph")) {
    Node* node = graph.Find(json.at("name").get<std::string>());
    if (node == nullptr) continue;
    for (size_t i = 0; i < node->args().size(); ++i) {
      const std::string name = ConstantOf(json.at("args").at(i));
      if (name.empty()) continue;
      const float value = static_cast<float>(NumberOf(node->args()[i]));
      program.module.SetBuffer(name,
                               Tensor::FromVector<float>(DType::kFloat32, {}, {value}));
      Node* constant = graph.InsertBefore(node, Op::kGetAttr, name);
      program.metadata[constant->name()].kind = ValueKind::kTensor;
      program.metadata[constant->name()].tensors = {TensorMetadata()};
      node->set_arg(i, constant);
    }
  }
}

void ReplayQuantizer::Annotate(const ExportedProgram& program, Annotations& annotations) {
  annotations =
      AnnotationsFromRecord(program, record_.at("annotations"), where_ + ": annotations");
}

void WatchedQuantizer::PrepareObserverCallback(ExportedProgram& program,
                                               ObserverMap& observers) {
  quantizer_.PrepareObserverCallback(program, observers);
  annotated_graph_ = GraphToRecord(program.module.graph);
}

}  // namespace qconform::parity
