// Each kind of malformed program, by one change to a good one.
#include <gtest/gtest.h>

#include "reference/exported/archive.h"
#include "reference/exported/edited_archive.h"
#include "reference/exported/payloads.h"
#include "reference/exported/program_json.h"
#include "reference/formats/damage.h"
#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

class MalformedProgram : public testing::Test {
 protected:
  // Of testdata/NAME.pt2.
  void Open(const std::string& name) {
    Archive archive = Archive::Open(Pt2TestFile(name + ".pt2"));
    tensors_.weights =
        ReadPayloads(archive, "data/weights/model_weights_config.json", nullptr);
    tensors_.constants =
        ReadPayloads(archive, "data/constants/model_constants_config.json", nullptr);
    text_ = archive.Read("models/model.json");
  }

  void Read(const std::string& text) const {
    ExportedProgramFromJson(JsonFile::Parse(text, "f"), tensors_, true);
  }

  // Replaces one place, the first, and expects the error.
  void Expect(const std::string& from, const std::string& to, const std::string& error) {
    std::string text = text_;
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const std::string actual = ErrorOf([&] { Read(text); });
    EXPECT_TRUE(actual.starts_with("f: ") || actual.starts_with("f:1: ")) << actual;
    EXPECT_NE(actual.find(error), std::string::npos) << actual;
    EXPECT_EQ(actual.find('\n'), std::string::npos);
  }

  std::string text_;
  ProgramTensors tensors_;
};

TEST_F(MalformedProgram, Unchanged) {
  Open("tied");
  EXPECT_EQ(ErrorOf([&] { Read(text_); }), "no error");
}

TEST_F(MalformedProgram, Nodes) {
  Open("tied");
  const std::string input = R"("arg": {"as_tensor": {"name": "linear"}})";
  Expect(input, R"("arg": {"as_tensor": {"name": "nobody"}})",
         "f: node 'linear_1': no node gives the value 'nobody' before");
  // A node that uses a later one, or itself, would make a cycle.
  Expect(input, R"("arg": {"as_tensor": {"name": "linear_1"}})",
         "no node gives the value 'linear_1' before");
  Expect(input, R"("arg": {"as_tensor": {"name": "a\nb"}})", "the value 'a?b'");
  Expect(input, R"("arg": {"as_tensor": 3})", "the value is 3, expected an object");
  Expect(input, R"("arg": {"as_tensor": {}})", "'name' is missing");
  Expect(input, R"("arg": {"as_graph": {}})", "control flow");
  Expect(input, R"("arg": {"as_custom_obj": {}})", "an argument is 'as_custom_obj'");
  Expect(input, R"("arg": {})", "an argument has 0 keys");
  Expect(input, R"("arg": {"as_ints": [1, "x"]})", "an integer is \"x\"");
  Expect(R"("kind": 1)", R"("kind": 3)", "has the kind 3");
  Expect(R"("kind": 1)", R"("kind": null)", "has the kind null");
  Expect(R"("target": "torch.ops.aten.linear.default")", R"("target": 7)",
         "'target' is 7");
  Expect(R"("outputs": [{"as_tensor": {"name": "linear_1"}}])",
         R"("outputs": [{"as_tensor": {"name": "linear"}}])", "has a node already");
  Expect(R"("outputs": [{"as_tensor": {"name": "linear_1"}}])",
         R"("outputs": [{"as_tensor": {"name": "unsaid"}}])",
         "nothing is said of the value 'unsaid'");
}

TEST_F(MalformedProgram, Values) {
  Open("tied");
  const std::string linear = R"("linear": {"dtype": 7, "sizes": [{"as_int": 3}, )";
  Expect(linear + R"({"as_int": 4}])", linear + R"({"as_int": -1}])", "[3, -1]");
  Expect(linear, R"("linear": {"dtype": 7, "sizes": [{"as_int": 9000000000000000000}, )",
         "a tensor that fits into a machine");
  Expect(linear, R"("linear": {"dtype": 0, "sizes": [{"as_int": 3}, )", "the dtype is 0");
  Expect(linear, R"("linear": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "("}}, )",
         "is no expression at character 1");
  Expect(R"("p_first_weight": {"dtype": 7)", R"("p_first_weight": {"dtype": 8)",
         "'first.weight' is float32[4, 4], expected float64[4, 4] as the graph says");
}

TEST_F(MalformedProgram, Signature) {
  Open("tied");
  Expect(R"("parameter_name": "first.weight")", R"("parameter_name": "third.weight")",
         "'third.weight' has no tensor");
  Expect(R"("parameter_name": "first.weight")", R"("parameter_name": "first..weight")",
         "'first..weight' has no tensor");
  Expect(R"({"user_output": )", R"({"loss_output": )", "an output is 'loss_output'");
  Expect(R"({"user_input": )", R"({"custom_obj": )", "an input is 'custom_obj'");
  Expect(R"("parameter": {"arg": {"name": "p_first_weight"})",
         R"("parameter": {"arg": {"name": "p_weight"})", "as the signature says");
  Expect(R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], )", "], ", "JSON");
  Expect(R"("input_specs": [)", R"("input_specs": [], "others": [)",
         "as many as the signature: 0 and 1");
}

TEST_F(MalformedProgram, Document) {
  Open("tied");
  Expect(R"("major": 8)", R"("major": 7)", "the schema version is 7");
  Expect(R"("schema_version")", R"("version")", "'schema_version' is missing");
  Expect(R"("nodes": [)", R"("nodes": 3, "x": [)", "'nodes' is 3");
  Expect(R"("nn_module_stack": ")", R"("nn_module_stack": "a;)", "nn_module_stack is");
  Expect(R"("torch_fn": ")", R"("torch_fn": "a;b;)", "torch_fn is");
}

TEST_F(MalformedProgram, Ranges) {
  Open("dynamic");
  Expect(R"("min_val": 2)", R"("min_val": 65)", "is empty");
}

TEST_F(MalformedProgram, DamageIsRefusedInOneLine) {
  for (const char* name : {"tied", "structures", "sizes"}) {
    Open(name);
    CountReadable(text_, 300, [this](const std::string& damaged) { Read(damaged); });
  }
}

}  // namespace
}  // namespace qconform
