// Each way in which a graph file can be wrong, and the line that it gets.
#include <gtest/gtest.h>

#include "reference/formats/graph_json.h"
#include "reference/formats/write_file.h"
#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

class GraphMalformedTest : public testing::Test {
 protected:
  GraphMalformedTest()
      : folder_(fs::path(testing::TempDir()) /
                ("qconform_malformed_" +
                 std::string(
                     testing::UnitTest::GetInstance()->current_test_info()->name()))) {}
  ~GraphMalformedTest() override { fs::remove_all(folder_); }

  // The error of a file, without its folder.
  std::string FileError(const std::string& text) {
    WriteFileAtomically(folder_ / "m.graph.json", text);
    std::string error = ErrorOf([&] { ReadGraphFile(folder_ / "m.graph.json"); });
    const std::string prefix = folder_.string() + "/";
    return error.starts_with(prefix) ? error.substr(prefix.size()) : error;
  }
  // The error of a file with these nodes on lines 3, 4, ...
  std::string NodesError(const std::string& nodes, const std::string& rest = "") {
    return FileError("{\"format\": \"qconform.graph/1\",\n\"graph\": [\n" + nodes + "]" +
                     rest + "}\n");
  }

  fs::path folder_;
};

constexpr char kX[] = R"({"name": "x", "op": "placeholder", "target": "x"},
)";
constexpr char kOutput[] =
    R"({"name": "output", "op": "output", "target": "output", "args": [{"n": "x"}]})";

std::string Relu(const std::string& name, const std::string& argument) {
  return R"({"name": ")" + name +
         R"(", "op": "call_function", "target": "torch.relu", "args": [{"n": ")" +
         argument + "\"}]},\n";
}

TEST_F(GraphMalformedTest, Sound) {
  EXPECT_EQ(NodesError(std::string(kX) + kOutput), "no error");
}

TEST_F(GraphMalformedTest, Text) {
  const std::string text = "{\"format\": \"qconform.graph/1\",\n\"graph\": [\n" +
                           std::string(kX) + kOutput + "]}\n";
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    EXPECT_EQ(FileError(text.substr(0, size)).substr(0, 13), "m.graph.json:") << size;
  }
  EXPECT_EQ(FileError("[]"),
            "m.graph.json:1: a graph file is an array, expected an object");
  EXPECT_EQ(FileError("{\n\"format\": \"qconform.graph/2\"}"),
            "m.graph.json:2: the format is \"qconform.graph/2\", expected "
            "\"qconform.graph/1\"");
  EXPECT_EQ(FileError("{\n\"graf\": []}").substr(0, 50),
            "m.graph.json:2: a graph file has an unknown key 'g");
  EXPECT_EQ(FileError("{}"),
            "m.graph.json:1: 'graph' is missing, expected an object with this key");
  EXPECT_EQ(FileError("{\n\"graph\": {}}"),
            "m.graph.json:2: 'graph' is an object, expected an array");
}

TEST_F(GraphMalformedTest, References) {
  EXPECT_EQ(NodesError(kX + Relu("relu", "y") + kOutput),
            "m.graph.json:4: an argument refers to 'y', which is no node, expected the "
            "name of a node of this graph");
  EXPECT_EQ(NodesError(kX + Relu("a", "b") + Relu("b", "a") + kOutput),
            "m.graph.json:4: node 'a' uses 'b', which comes later or depends on it, "
            "expected each node after its arguments");
  EXPECT_EQ(NodesError(kX + Relu("a", "a") + kOutput),
            "m.graph.json:4: node 'a' is its own argument, expected a node before it");
}

TEST_F(GraphMalformedTest, Names) {
  EXPECT_EQ(NodesError(std::string(kX) + kX + kOutput),
            "m.graph.json:4: node 'x' stands twice, expected each name once");
  EXPECT_EQ(NodesError(kX + Relu("while", "x") + kOutput),
            "m.graph.json:4: 'while' cannot name a node, expected letters, digits and _, "
            "no keyword and no builtin name of Python");
  EXPECT_NE(NodesError(kX + Relu("", "x") + kOutput), "no error");
  EXPECT_NE(NodesError(kX + Relu("a b", "x") + kOutput), "no error");
}

TEST_F(GraphMalformedTest, Outputs) {
  const std::string x = R"({"name": "x", "op": "placeholder", "target": "x"})";
  EXPECT_EQ(NodesError(x),
            "m.graph.json:2: the graph has no output, expected one node of op output");
  const std::string second =
      ",\n"
      R"({"name": "output_1", "op": "output", "target": "output"})";
  EXPECT_EQ(NodesError(kX + std::string(kOutput) + second),
            "m.graph.json:5: node 'output_1' is a second output after 'output', expected "
            "one output");
  EXPECT_EQ(NodesError(std::string(kX) + kOutput + ",\n" +
                       R"({"name": "y", "op": "placeholder", "target": "y"})"),
            "m.graph.json:5: node 'y' stands after the output 'output', expected the "
            "output as the last node");
}

TEST_F(GraphMalformedTest, Targets) {
  EXPECT_EQ(NodesError(std::string(kX) +
                       R"({"name": "c", "op": "call_module", "target": "c"},)" + "\n" +
                       kOutput),
            "m.graph.json:4: node 'c' calls the module 'c', which is missing, expected a "
            "module of this path");
  EXPECT_EQ(
      NodesError(std::string(kX) +
                 R"({"name": "w", "op": "get_attr", "target": "a.w"},)" + "\n" + kOutput),
      "m.graph.json:4: node 'w' reads 'a.w', which is missing, expected a parameter, "
      "buffer or attribute of this path");
  EXPECT_EQ(NodesError(R"({"name": "x", "op": "placeholder", "target": ""},)"
                       "\n" +
                       std::string(kOutput)),
            "m.graph.json:3: node 'x' has no target, expected a target");
  EXPECT_EQ(NodesError(R"({"name": "x", "op": "input", "target": "x"},)"
                       "\n" +
                       std::string(kOutput)),
            "m.graph.json:3: the op is 'input', expected placeholder, get_attr, "
            "call_function, call_method, call_module or output");
}

TEST_F(GraphMalformedTest, Arguments) {
  const auto error = [&](const std::string& argument) {
    const std::string nodes =
        std::string(kX) +
        R"({"name": "r", "op": "call_method", "target": "r", "args": [)" + "\n" +
        argument + "]},\n" + kOutput;
    return NodesError(nodes);
  };
  EXPECT_EQ(error("1"), "no error");
  EXPECT_EQ(
      error("[1]"),
      "m.graph.json:5: an argument is an array, expected a scalar or an object with "
      "one key of n, l, t, d, sl, dt, o, s");
  EXPECT_EQ(
      error(R"({"q": 1})"),
      "m.graph.json:5: an argument has the unknown key 'q', expected one of n, l, t, "
      "d, sl, dt, o, s");
  EXPECT_EQ(error(R"({"dt": "torch.uint9"})"),
            "m.graph.json:5: 'torch.uint9' is no dtype, expected a torch dtype such as "
            "torch.quint8");
  EXPECT_EQ(error(R"({"sl": [1]})"),
            "m.graph.json:5: a slice has 1 bounds, expected 3: start, stop, step");
  EXPECT_EQ(error(R"({"n": 1})"),
            "m.graph.json:5: a node's name is 1, expected a string");
}

TEST_F(GraphMalformedTest, Modules) {
  const auto error = [&](const std::string& modules) {
    return NodesError(std::string(kX) + kOutput, ",\n\"modules\": {\n" + modules + "}");
  };
  EXPECT_EQ(error(R"("a": {"type": "A"})"), "no error");
  EXPECT_EQ(error(R"("a": {})"),
            "m.graph.json:6: a module has no type, expected a class name in 'type'");
  EXPECT_EQ(error(R"("a": {"type": "A", "children": {"b": {"type": "B"}}},)"
                  "\n"
                  R"("a.b": {"type": "B"})"),
            "m.graph.json:7: module 'a.b' stands twice, expected each path once");
  EXPECT_EQ(error(R"("a..b": {"type": "A"})"),
            "m.graph.json:6: 'a..b' is no path, expected at most 64 names with dots "
            "between");
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  EXPECT_EQ(error("\"" + deep + R"(": {"type": "A"})").substr(0, 18),
            "m.graph.json:6: 'a");
  const std::string sharing =
      "m.graph.json:6: 'same_as' names 'a', expected a module "
      "above it in the file, without children";
  EXPECT_EQ(error(R"("b": {"same_as": "a"})"), sharing);
  EXPECT_EQ(error(R"("a": {"type": "A", "children": {"b": {"same_as": "a"}}})"), sharing);
  EXPECT_EQ(
      error(R"("a": {"type": "A"}, "a.b": {"same_as": "a"})"),
      "m.graph.json:6: 'a.b' lies inside a module that stands at two paths, expected "
      "a shared module without children");
  EXPECT_EQ(error(R"("a": {"type": "A", "params": {"w": 1}})"),
            "m.graph.json:6: a tensor is 1, expected an object");
}

TEST_F(GraphMalformedTest, ScopesAndTensorFiles) {
  const std::string nodes = std::string(kX) + kOutput;
  EXPECT_EQ(
      NodesError(nodes, ",\n\"node_scope\": {\"y\": [\"\", null]}"),
      "m.graph.json:5: 'node_scope' names 'y', which is no node, expected the name of "
      "a node of this graph");
  EXPECT_EQ(
      NodesError(nodes, ",\n\"node_scope\": {\"x\": [\"\"]}"),
      "m.graph.json:5: a scope is an array, expected an array of a path and a class");
  EXPECT_EQ(
      NodesError(nodes, ",\n\"tensors\": {\"file\": \"../m.safetensors\"}"),
      "m.graph.json:5: the tensor file is '../m.safetensors', expected the name of a "
      "file in the same folder");
  EXPECT_EQ(NodesError(nodes, ",\n\"tensors\": {\"file\": \"none.safetensors\"}"),
            "none.safetensors: no such file, expected a readable file");
}

}  // namespace
}  // namespace qconform
