#include "reference/formats/graph_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "reference/formats/json_text.h"
#include "reference/formats/write_file.h"
#include "reference/ir/expect_error.h"
#include "reference/ir/isomorphism.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<Module> MakeModule(const std::string& type) {
  auto module = std::make_shared<Module>();
  module->type = type;
  return module;
}

// Every kind of argument, module and attribute at least once.
GraphModule EverythingOnce() {
  GraphModule model;
  model.root->type = "Net";
  auto conv = MakeModule("torch.nn.Conv2d");
  conv->attributes.Set("padding", Argument::Tuple({1, 1}));
  conv->attributes.Set("padding_mode", "zeros");
  conv->parameters.Set("weight", Tensor(DType::kFloat32, {4, 3, 1, 1}));
  conv->parameters.Set("bias", std::nullopt);
  model.root->children.Set("features", std::make_shared<Module>());
  model.SetModule("features.0", conv);
  auto pair = MakeModule("torch.ao.nn.intrinsic.LinearReLU");
  pair->children.Set("0", MakeModule("torch.nn.Linear"));
  pair->children.Set("1", MakeModule("torch.nn.ReLU"));
  pair->training = true;
  model.SetModule("features.1", pair);
  auto observer = MakeModule("torch.ao.quantization.MinMaxObserver");
  model.SetModule("observer_0", observer);
  model.SetModule("observer_1", observer);
  Tensor codes(DType::kQInt8, {2, 8});
  codes.set_quantization({{0.1, 0.3}, {0, -1}, 0});
  model.SetBuffer("codes", codes);
  model.root->parameters.Set("scale",
                             Tensor::FromVector<float>(DType::kFloat32, {}, {.5f}));
  model.root->attributes.Set("packed", OpaqueValue{"packed_params"});

  Graph& graph = model.graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* y = graph.Append(Op::kPlaceholder, "y", {Argument()});
  Node* scale = graph.Append(Op::kGetAttr, "scale");
  Node* conv_node = graph.Append(Op::kCallModule, "features.0", {x});
  model.scopes[conv_node->name()] = {"features.0", "torch.nn.Conv2d"};
  model.scopes["x"] = {"", ""};
  Node* first = graph.Append(Op::kCallModule, "observer_0", {conv_node});
  Node* second = graph.Append(Op::kCallModule, "observer_1", {first});
  const double infinity = std::numeric_limits<double>::infinity();
  Node* call = graph.Append(
      Op::kCallFunction, "torch.clamp",
      {second, Argument::List({x, y, Argument(true), 3, 1.0, -infinity}),
       Slice{{Argument(), scale, 2}}, DType::kQUInt8, OpaqueValue{"weird"}, "NaN",
       Argument(std::numeric_limits<double>::quiet_NaN())},
      {{"min", Argument(0.1)}, {"other", Dictionary{{{"k", x}, {"j", Argument()}}}}});
  call->meta().Set("reason", "none of it");
  graph.Append(Op::kOutput, "output", {Argument::Tuple({call})});
  return model;
}

TEST(GraphJsonTest, ComesBackInline) {
  const GraphModule model = EverythingOnce();
  const ordered_json value = GraphModuleToJson(model);
  const JsonFile file = JsonFile::Parse(JsonText(value), "a");
  const GraphModule read = GraphModuleFromJson(file.root(), file);
  EXPECT_EQ(FindDifference(model, read), std::nullopt);
  EXPECT_EQ(GraphModuleToJson(read).dump(), value.dump());
  EXPECT_EQ(read.root->type, "Net");
  EXPECT_EQ(read.FindModule("observer_0"), read.FindModule("observer_1"));
  EXPECT_TRUE(read.root->parameters.Contains("scale"));
  EXPECT_TRUE(read.root->buffers.Contains("codes"));
  EXPECT_EQ(read.scopes.at("features_0").type, "torch.nn.Conv2d");
  EXPECT_EQ(read.graph.Find("clamp")->meta().Find("reason")->As<std::string>()->size(),
            10u);
  EXPECT_TRUE(read.graph.Find("clamp")->args()[5].As<std::string>() != nullptr);
  EXPECT_TRUE(read.graph.Find("clamp")->args()[6].As<double>() != nullptr);
}

TEST(GraphJsonTest, FilesComeBackWithTheSameBytes) {
  const fs::path folder = fs::path(testing::TempDir()) / "qconform_graph_json_test";
  fs::remove_all(folder);
  WriteGraphFile(folder / "a.graph.json", EverythingOnce());
  EXPECT_TRUE(fs::exists(folder / "a.safetensors"));
  const GraphModule read = ReadGraphFile(folder / "a.graph.json");
  EXPECT_EQ(FindDifference(EverythingOnce(), read), std::nullopt);
  WriteGraphFile(folder / "again" / "a.graph.json", read);
  for (const char* name : {"a.graph.json", "a.safetensors"}) {
    EXPECT_EQ(ReadFileBytes(folder / name), ReadFileBytes(folder / "again" / name));
  }
  // A tensor file that is not the one that was written.
  WriteFileAtomically(folder / "a.safetensors", "other");
  const std::string error = ErrorOf([&] { ReadGraphFile(folder / "a.graph.json"); });
  EXPECT_NE(error.find("a.graph.json:5: a.safetensors has the digest "),
            std::string::npos)
      << error;
  fs::remove_all(folder);
}

TEST(GraphJsonTest, ReadsRecordsOfTorch) {
  const auto record = ordered_json::parse(R"({
    "graph": [
      {"name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": {}},
      {"name": "s1_l", "op": "call_module", "target": "s1.l", "args": [{"n": "x"}],
       "kwargs": {}, "shape": [1]},
      {"name": "output", "op": "output", "target": "output", "args": [{"n": "s1_l"}],
       "kwargs": {}}],
    "modules": {"s1.l": {"type": "torch.nn.Linear", "training": false,
                         "attrs": {"in_features": 1}, "params": {}, "fake_quant": 1}},
    "attrs": {"w": {"dtype": "float32", "shape": [], "b64": "9SqoPA==",
                    "v": [0.020528296008706093]}},
    "output": null})");
  const GraphModule model = GraphModuleFromJson(record, "record");
  EXPECT_EQ(model.FindModule("s1.l")->Integer("in_features", 0), 1);
  EXPECT_EQ(model.FindTensor("w")->numel(), 1);
  GraphJsonOptions strict;
  strict.unknown_keys = UnknownKeys::kRefuse;
  EXPECT_NE(ErrorOf([&] { GraphModuleFromJson(record, "record", strict); }), "no error");
}

TEST(GraphJsonTest, ChildrenMayComeBeforeTheirParent) {
  const auto record = ordered_json::parse(R"({
    "graph": [{"name": "output", "op": "output", "target": "output"}],
    "modules": {"a.b": {"type": "B"}, "a": {"type": "A"}, "a.c": {"type": "C"}}})");
  const GraphModule model = GraphModuleFromJson(record, "record");
  EXPECT_EQ(model.FindModule("a")->type, "A");
  EXPECT_EQ(model.FindModule("a")->children.size(), 2u);
}

}  // namespace
}  // namespace qconform
