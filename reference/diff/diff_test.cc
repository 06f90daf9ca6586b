#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/diff/config_diff.h"
#include "reference/diff/golden_diff.h"
#include "reference/diff/graph_diff.h"
#include "reference/diff/tensor_diff.h"

namespace qconform {
namespace {

TEST(ValueText, WritesPowersOfTwoAsSuch) {
  EXPECT_EQ(ValueText(0.000244140625), "2^-12");
  EXPECT_EQ(ValueText(0.5), "0.5");
  EXPECT_EQ(ValueText(0.1), "0.1");
  EXPECT_EQ(ValueText(-127), "-127");
  EXPECT_EQ(ValueText(nullptr), "none");
  EXPECT_EQ(ValueText("x"), "x");
}

TEST(FieldChanges, NamesEveryLeaf) {
  const ordered_json a = {{"x", {{"y", 1}, {"z", {1, 2}}}}, {"gone", true}};
  const ordered_json b = {{"x", {{"y", 2}, {"z", {1, 3}}}}, {"added", "t"}};
  EXPECT_EQ(FieldChanges(a, b), (std::vector<FieldChange>{{"x.y", "1", "2"},
                                                          {"x.z[1]", "2", "3"},
                                                          {"gone", "true", "none"},
                                                          {"added", "none", "t"}}));
  EXPECT_TRUE(FieldChanges(a, a).empty());
}

TEST(DiffConfigs, ABuiltInConfigEqualsItself) {
  for (const std::string& name : BuiltInBackendNames()) {
    const BackendConfig& config = BuiltInBackendConfig(name);
    const ConfigDifference difference = DiffConfigs(config, config);
    EXPECT_TRUE(difference.IsEmpty()) << name;
    EXPECT_EQ(difference.same, config.entries().size());
    EXPECT_EQ(ToText(difference), "");
  }
}

TEST(DiffConfigs, NamesOneFieldInTheLastLine) {
  const BackendConfig& before = BuiltInBackendConfig("qnnpack");
  BackendConfig after = before;
  BackendPatternConfig row = *before.FindSingle("torch.nn.Linear");
  row.dtype_configs.at(0).weight_dtype.scale_min_lower_bound.reset();
  after.Set(row);
  const ConfigDifference difference = DiffConfigs(before, after);
  ASSERT_EQ(difference.changed.size(), 1u);
  ASSERT_EQ(difference.changed[0].fields.size(), 1u);
  EXPECT_EQ(difference.changed[0].pattern, "torch.nn.Linear");
  EXPECT_EQ(difference.changed[0].fields[0].before, "2^-12");
  EXPECT_EQ(difference.changed[0].fields[0].after, "none");
  EXPECT_NE(ToText(difference).find("weight.scale_min_lower_bound 2^-12 -> none"),
            std::string::npos)
      << ToText(difference);
}

TEST(DiffConfigs, RowsThatAreGoneNewOrTriedInAnotherOrder) {
  const auto row = [](const char* name) {
    return BackendPatternConfig(Pattern::FromName(name));
  };
  BackendConfig a("npu"), b("npu");
  for (const char* name : {"torch.nn.ReLU", "torch.nn.Linear", "relu"}) a.Set(row(name));
  for (const char* name : {"relu", "torch.nn.ReLU", "torch.nn.ELU"}) b.Set(row(name));
  const ConfigDifference difference = DiffConfigs(a, b);
  EXPECT_EQ(difference.gone, std::vector<std::string>{"torch.nn.Linear"});
  EXPECT_EQ(difference.added, std::vector<std::string>{"torch.nn.ELU"});
  EXPECT_EQ(difference.reordered.size(), 1u);
  const std::string text = ToText(difference);
  EXPECT_NE(text.find("< row torch.nn.Linear\n"), std::string::npos) << text;
  EXPECT_NE(text.find("> row torch.nn.ELU\n"), std::string::npos) << text;
}

TEST(DiffConfigs, DTypeConfigsThatComeGoAndChangePlaces) {
  const DTypeConfig quint8{DType::kQUInt8, DType::kQUInt8, {}, {}, {}};
  const DTypeConfig qint8{DType::kQInt8, DType::kQInt8, {}, {}, {}};
  const auto config = [](std::vector<DTypeConfig> dtypes) {
    BackendPatternConfig row(Pattern::FromName("torch.nn.ReLU"));
    row.dtype_configs = std::move(dtypes);
    BackendConfig made("npu");
    made.Set(row);
    return made;
  };
  const ConfigDifference added = DiffConfigs(config({quint8}), config({quint8, qint8}));
  ASSERT_EQ(added.changed.size(), 1u);
  EXPECT_EQ(added.changed[0].fields,
            (std::vector<FieldChange>{{"dtype config", "none", "qint8 -> qint8"}}));
  const ConfigDifference swapped =
      DiffConfigs(config({quint8, qint8}), config({qint8, quint8}));
  ASSERT_EQ(swapped.changed.size(), 1u);
  EXPECT_EQ(swapped.changed[0].fields[0].field, "order of the dtype configs");
  const ConfigDifference changed = DiffConfigs(config({quint8}), config({qint8}));
  ASSERT_EQ(changed.changed.size(), 1u);
  EXPECT_EQ(changed.changed[0].fields[0].field, "input.dtype");
}

GraphModule SmallGraph(const char* second, double scalar) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* relu = module.graph.Append(Op::kCallFunction, second, {x});
  Node* add = module.graph.Append(Op::kCallFunction, "operator.add", {relu, scalar});
  module.graph.Append(Op::kOutput, "output", {add});
  return module;
}

TEST(DiffGraphs, NamesTheFirstNodeAndBothForms) {
  EXPECT_EQ(DiffGraphs(SmallGraph("torch.relu", 1.0), SmallGraph("torch.relu", 1.0)), "");
  const std::string argument =
      DiffGraphs(SmallGraph("torch.relu", 1.0), SmallGraph("torch.relu", 2.0));
  EXPECT_NE(argument.find("argument 1 is 1.0, not 2.0"), std::string::npos) << argument;
  EXPECT_NE(argument.find("< add = operator.add (relu, 1.0)\n> add = operator.add (relu, "
                          "2.0)\n"),
            std::string::npos)
      << argument;
  const std::string target =
      DiffGraphs(SmallGraph("torch.relu", 1.0), SmallGraph("torch.tanh", 1.0));
  EXPECT_NE(target.find("< relu = torch.relu (x)\n> tanh = torch.tanh (x)\n"),
            std::string::npos)
      << target;
  EXPECT_NE(target.find("< 1 node of torch.relu\n"), std::string::npos) << target;
  EXPECT_NE(target.find("> 1 node of torch.tanh\n"), std::string::npos) << target;
}

TEST(DiffTensors, CountsAndFindsTheLargestDifference) {
  OrderedMap<Tensor> a, b;
  const auto codes = [](std::vector<uint8_t> values) {
    return Tensor::FromVector<uint8_t>(DType::kUInt8, {2, 2}, values);
  };
  a.Set("same", codes({1, 2, 3, 4}));
  b.Set("same", codes({1, 2, 3, 4}));
  a.Set("other", codes({1, 2, 3, 4}));
  b.Set("other", codes({1, 5, 3, 3}));
  a.Set("gone", codes({0, 0, 0, 0}));
  b.Set("new", codes({0, 0, 0, 0}));
  const std::string text = DiffTensors("values", a, b);
  EXPECT_NE(text.find("values other: other bits: 2 of 4 elements, largest difference 3 "
                      "at [0,1] (2, not 5)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("< values gone uint8 [2, 2]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("> values new uint8 [2, 2]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("values  1 same bits, 1 other bits, 1 gone, 1 new\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(DiffTensors("values", a, a), "");
}

TEST(DiffGoldens, AGoldenEqualsItselfAndDiffersFromAnotherConfigs) {
  const std::string folder = QCONFORM_SOURCE_DIR "/datasets/goldens/digits/";
  const Golden x86 = ReadGolden(folder + "x86");
  EXPECT_EQ(DiffGoldens(x86, x86), "");
  const Golden qnnpack = ReadGolden(folder + "qnnpack");
  const std::string text = DiffGoldens(x86, qnnpack);
  for (const char* part :
       {"< config x86\n> config qnnpack\n", "reference graph\nfirst difference: ",
        "qparams activation_post_process_0 of x\n", "values  "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace qconform
