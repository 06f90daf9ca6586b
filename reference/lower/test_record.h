// Oracle records for the tests of lowering.
#ifndef QCONFORM_REFERENCE_LOWER_TEST_RECORD_H_
#define QCONFORM_REFERENCE_LOWER_TEST_RECORD_H_

#include <string>
#include <vector>

#include "reference/formats/graph_json.h"
#include "reference/lower/program.h"
#include "reference/lower/program_json.h"

namespace qconform {

// `name` is a path below datasets/oracle, "fx/flinear".
struct Record {
  explicit Record(const std::string& name)
      : file(JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/" + name + ".json")),
        reference(GraphModuleFromJson(file.root().at("reference"), file)) {
    for (const ordered_json& input : file.root().at("test_input")) {
      inputs.push_back(TensorFromJson(input, file));
    }
  }
  JsonFile file;
  GraphModule reference;
  std::vector<Tensor> inputs;
};

// "quantize conv add dequantize", islands as "[nodes]".
inline std::string Outline(const Program& program) {
  std::string outline;
  for (const ProgramStep& step : program.steps) {
    if (!outline.empty()) outline += " ";
    if (const FloatIsland* island = std::get_if<FloatIsland>(&step)) {
      std::string nodes;
      for (const std::string& node : island->nodes) {
        nodes += (nodes.empty() ? "" : " ") + node;
      }
      outline += "[" + nodes + "]";
    } else {
      outline += OperatorKindName(std::get<ProgramOperator>(step).kind);
    }
  }
  return outline;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_TEST_RECORD_H_
