// Oracle records for the tests of lowering.
#ifndef QCONFORM_REFERENCE_LOWER_TEST_RECORD_H_
#define QCONFORM_REFERENCE_LOWER_TEST_RECORD_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/formats/graph_json.h"
#include "reference/formats/json_text.h"
#include "reference/lower/program.h"
#include "reference/lower/program_json.h"
#include "reference/lower/run_program.h"

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

// What a record must be lowered to.
struct Expectation {
  const char* record;
  const char* outline;
};

// For the names of tests: what comes behind the last folder.
inline std::string RecordName(const testing::TestParamInfo<Expectation>& info) {
  const std::string path = info.param.record;
  return path.substr(path.rfind('/') + 1);
}

// A program read from its own text has the same text and gives the same bits.
inline void ExpectTextRoundTrip(const Program& program,
                                const std::vector<Tensor>& inputs) {
  OrderedMap<Tensor> tensors;
  const std::string text = JsonText(ProgramToJson(program, tensors));
  const JsonFile file = JsonFile::Parse(text, "program.json");
  const Program read = ProgramFromJson(file.root(), file, tensors);
  OrderedMap<Tensor> tensors_again;
  EXPECT_EQ(JsonText(ProgramToJson(read, tensors_again)), text);
  const std::vector<Tensor> before = RunProgram(program, inputs);
  const std::vector<Tensor> after = RunProgram(read, inputs);
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(BitEqual(before[i], after[i]));
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_TEST_RECORD_H_
