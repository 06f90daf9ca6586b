// Thousands of damaged files: each is read or refused with an InputError, and nothing
// else happens. The damage comes from a fixed generator, so a failure comes again.
#include <gtest/gtest.h>

#include "reference/formats/damage.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_text.h"
#include "reference/formats/safetensors.h"

namespace qconform {
namespace {

std::string SmallGraph() {
  return R"({"format": "qconform.graph/1",
"graph": [
  {"name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": {}},
  {"name": "c", "op": "call_module", "target": "a.c", "args": [{"n": "x"}], "kwargs": {}},
  {"name": "w", "op": "get_attr", "target": "w", "args": [], "kwargs": {}},
  {"name": "f", "op": "call_function", "target": "torch.cat", "args": [{"l": [{"n": "c"}, {"t": [1, -2.5, null]}, {"sl": [0, null, 1]}, {"dt": "torch.quint8"}, {"d": {"k": "NaN"}}]}], "kwargs": {"dim": {"n": "w"}}},
  {"name": "output", "op": "output", "target": "output", "args": [{"n": "f"}], "kwargs": {}}],
"modules": {
  "a.c": {"type": "torch.nn.Conv2d", "training": false, "attrs": {"stride": {"t": [2, 2]}}, "params": {"weight": {"dtype": "float32", "shape": [2, 1], "b64": "AAAAAAAAgD8=", "v": [0.0, 1.0]}, "bias": null}, "buffers": {}},
  "o": {"type": "O", "children": {"0": {"type": "R"}}}, "p": {"type": "P"}, "q": {"same_as": "p"}},
"attrs": {"w": {"dtype": "qint8", "shape": [3], "b64": "AAEC", "v": [0, 1, 2], "scale": 0.5, "zero_point": 1}},
"node_scope": {"c": ["a.c", "torch.nn.Conv2d"], "x": ["", null]}})";
}

TEST(FuzzTest, GraphFiles) {
  GraphJsonOptions options;
  options.unknown_keys = UnknownKeys::kRefuse;
  const auto read = [&](const std::string& text) {
    const JsonFile file = JsonFile::Parse(text, "fuzz");
    ordered_json root = file.root();
    if (root.is_object()) root.erase("format");
    const GraphModule model = GraphModuleFromJson(root, file, options);
    // Whatever was read can be written and read again.
    const ordered_json value = GraphModuleToJson(model);
    const JsonFile again = JsonFile::Parse(JsonText(value), "again");
    EXPECT_EQ(GraphModuleToJson(GraphModuleFromJson(again.root(), again)).dump(),
              value.dump());
  };
  ASSERT_EQ(ErrorOf([&] { read(SmallGraph()); }), "no error");
  const int readable = CountReadable(SmallGraph(), 10'000, read);
  EXPECT_GT(readable, 50);  // the damage reaches past the parser
  EXPECT_LT(readable, 5'000);
}

TEST(FuzzTest, Safetensors) {
  const std::string bytes = SafetensorsBytes({{"a", Tensor(DType::kFloat32, {2, 3})},
                                              {"b", Tensor(DType::kBool, {4})},
                                              {"c", Tensor(DType::kInt64, {0})}});
  const auto read = [](const std::string& damaged) { ParseSafetensors(damaged, "fuzz"); };
  const int readable = CountReadable(bytes, 10'000, read);
  EXPECT_GT(readable, 50);
  EXPECT_LT(readable, 9'000);
}

}  // namespace
}  // namespace qconform
