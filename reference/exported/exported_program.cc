#include "reference/exported/exported_program.h"

namespace qconform {
namespace {

ExportedProgram WithModule(const ExportedProgram& program, GraphModule module) {
  ExportedProgram copy;
  copy.module = std::move(module);
  copy.metadata = program.metadata;
  copy.inputs = program.inputs;
  copy.symbols = program.symbols;
  copy.strict = program.strict;
  return copy;
}

}  // namespace

const NodeMetadata& ExportedProgram::MetadataOf(const Node& node) const {
  static const auto* const empty = new NodeMetadata();
  const auto found = metadata.find(node.name());
  return found == metadata.end() ? *empty : found->second;
}

ExportedProgram ExportedProgram::Clone() const {
  return WithModule(*this, module.Clone());
}

ExportedProgram ExportedProgram::CloneSharingParameters() const {
  return WithModule(*this, module.CloneSharingParameters());
}

}  // namespace qconform
