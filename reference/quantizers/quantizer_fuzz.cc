#include "reference/formats/fuzz_target.h"
#include "reference/ir/error.h"
#include "reference/quantizers/quantizer_json.h"

using namespace qconform;

namespace {

// conv2d, relu and linear, which most settings and patterns are about.
ExportedProgram SmallProgram() {
  ExportedProgram program;
  Graph& graph = program.module.graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* w = graph.Append(Op::kGetAttr, "w");
  Node* conv = graph.Append(Op::kCallFunction, "aten.conv2d.default", {x, w});
  Node* relu = graph.Append(Op::kCallFunction, "aten.relu.default", {conv});
  Node* linear = graph.Append(Op::kCallFunction, "aten.linear.default", {relu, w});
  graph.Append(Op::kOutput, "output", {Argument::Tuple({linear})});
  for (const Node* node : {conv, relu, linear}) {
    program.MutableMetadataOf(*node).nn_module_stack = {{"", "M"}, {"stem", "S"}};
  }
  return program;
}

}  // namespace

// Any text gives a quantizer that annotates, or one line about what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    try {
      const JsonFile file = JsonFile::Parse(text, "fuzz");
      const auto quantizer = QuantizerFromJson(file.root(), file, mode);
      ExportedProgram program = SmallProgram();
      Annotations annotations;
      quantizer->TransformForAnnotation(program);
      quantizer->Annotate(program, annotations);
    } catch (const InputError&) {
    } catch (const PipelineError&) {
    }
  }
  return 0;
}
