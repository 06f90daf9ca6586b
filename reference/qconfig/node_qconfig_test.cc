// Which qconfig a node gets, against torch and against the written precedence.
#include "reference/qconfig/node_qconfig.h"

#include <gtest/gtest.h>

#include "reference/formats/graph_json.h"
#include "reference/ir/error.h"
#include "reference/qconfig/mapping_rewrite.h"

namespace qconform {
namespace {

// A qconfig that is told apart by one number.
QConfigPointer Numbered(int number) {
  const ObserverConstructor observer("MinMaxObserver",
                                     {{"quant_min", 0}, {"quant_max", number}});
  return std::make_shared<QConfig>(QConfig{observer, observer});
}

QConfigPointer Numbered(const ordered_json& number) {
  return number.is_null() ? nullptr : Numbered(number.get<int>());
}

QConfigMapping NumberedMapping(const ordered_json& json) {
  QConfigMapping mapping;
  mapping.global = Numbered(json["global"]);
  const auto read = [&json](const char* key, OrderedMap<QConfigPointer>& map) {
    for (const ordered_json& row : json[key])
      map.Set(row[0].get<std::string>(), Numbered(row[1]));
  };
  read("object_type", mapping.object_type);
  read("module_name_regex", mapping.module_name_regex);
  read("module_name", mapping.module_name);
  for (const ordered_json& row : json["module_name_object_type_order"]) {
    const ordered_json& index = row[2];
    mapping.SetOrder(
        row[0], row[1],
        index.is_string() ? std::stoi(index.get<std::string>()) : index.get<int>(),
        Numbered(row[3]));
  }
  return mapping;
}

TEST(NodeQConfigs, EqualTorchInEveryCase) {
  const JsonFile file =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/qconfig.json");
  const ordered_json& record = file.root()["precedence"];
  ordered_json modules = ordered_json::object();
  for (const auto& [path, type] : record["module_types"].items()) {
    modules[path] = {{"type", type}};
  }
  const GraphModule module =
      GraphModuleFromJson(ordered_json{{"graph", record["graph"]},
                                       {"modules", modules},
                                       {"node_scope", record["node_scope"]}},
                          "precedence", {UnknownKeys::kIgnore, Verification::kNames});
  ASSERT_EQ(record["cases"].size(), 27u);
  for (const ordered_json& test : record["cases"]) {
    const OrderedMap<NodeQConfig> found =
        NodeQConfigs(module, NumberedMapping(test["mapping"]));
    for (const auto& [node, expected] : test["node_qconfig"].items()) {
      ASSERT_NE(found.Find(node), nullptr);
      EXPECT_TRUE(QConfigEquals(found.Find(node)->qconfig, Numbered(expected)))
          << test["name"] << " " << node << ": " << ToText(found.Find(node)->qconfig)
          << " from " << ToText(found.Find(node)->rule);
    }
  }
}

// foo.bar.conv1, foo.conv, foo2, and two additions inside foo.
GraphModule Nested() {
  GraphModule module;
  for (const char* container : {"foo", "foo.bar"}) {
    module.SetModule(container, std::make_shared<Module>());
  }
  Node* value = module.graph.Append(Op::kPlaceholder, "x");
  for (const char* path : {"foo.bar.conv1", "foo.conv", "foo2"}) {
    auto conv = std::make_shared<Module>();
    conv->type = "torch.nn.Conv2d";
    module.SetModule(path, conv);
    value = module.graph.Append(Op::kCallModule, path, {value});
    module.scopes[value->name()] = {path, conv->type};
  }
  for (int i = 0; i < 2; ++i) {
    value = module.graph.Append(Op::kCallFunction, "operator.add", {value, value});
    module.scopes[value->name()] = {"foo", "Block"};
  }
  return module;
}

// pytorch/pytorch#44856, #59605, pytorch/ao#4902: all 32 subsets of five rules. The
// expectation is written as the rule of priority itself: the last one that applies wins.
TEST(NodeQConfigs, RisingPriorityAndNoneIsAnAnswer) {
  const GraphModule module = Nested();
  const QConfigPointer a = Numbered(1), b = Numbered(2), c = Numbered(3), d = Numbered(4),
                       e = Numbered(5);
  for (int rules = 0; rules < 32; ++rules) {
    const bool global = rules & 1, type = rules & 2, regex = rules & 4, name = rules & 8,
               order = rules & 16;
    QConfigMapping mapping;
    if (global) mapping.global = a;
    if (type) mapping.object_type.Set("torch.nn.Conv2d", b);
    if (regex) {
      mapping.module_name_regex.Set("foo.*bar.*conv[0-9]+", nullptr);
      mapping.module_name_regex.Set("foo.*", c);
    }
    if (name) mapping.module_name.Set("foo2", d);
    if (order) mapping.SetOrder("foo", "operator.add", 0, e);
    const OrderedMap<NodeQConfig> found = NodeQConfigs(module, mapping);
    const auto of = [&found](const char* node) { return found.Find(node)->qconfig; };
    const QConfigPointer base = global ? a : nullptr;
    const QConfigPointer conv = type ? b : base;
    EXPECT_EQ(of("foo_bar_conv1"), regex ? nullptr : conv) << rules;
    EXPECT_EQ(of("foo_conv"), regex ? c : conv) << rules;
    EXPECT_EQ(of("foo2"), name ? d : regex ? c : conv) << rules;
    const QConfigPointer add = regex ? c : base;
    EXPECT_EQ(of("add"), order ? e : add) << rules;
    EXPECT_EQ(of("add_1"), add) << rules;
  }
}

TEST(NodeQConfigs, NamesTheRuleAndTheRulesWithoutEffect) {
  const GraphModule module = Nested();
  QConfigMapping mapping;
  mapping.global = Numbered(1);
  mapping.object_type.Set("torch.nn.Linear", Numbered(2));
  mapping.module_name.Set("", Numbered(3));
  mapping.module_name.Set("foo.bar", Numbered(4));
  const OrderedMap<NodeQConfig> found = NodeQConfigs(module, mapping);
  EXPECT_EQ(ToText(found.Find("foo_bar_conv1")->rule), "module_name foo.bar");
  EXPECT_EQ(ToText(found.Find("foo2")->rule), "global");
  std::set<QConfigRule> used;
  for (const auto& [name, resolved] : found) used.insert(resolved.rule);
  const std::vector<QConfigRule> unused = UnusedRules(mapping, used);
  ASSERT_EQ(unused.size(), 2u);
  EXPECT_EQ(ToText(unused[0]), "object_type torch.nn.Linear");
  EXPECT_EQ(ToText(unused[1]), "module_name ''");
}

TEST(NodeQConfigs, RefusesABadExpression) {
  QConfigMapping mapping;
  mapping.module_name_regex.Set("a(", Numbered(1));
  EXPECT_THROW(NodeQConfigs(Nested(), mapping), InputError);
}

TEST(PropagateQConfig, RefusesPerChannelTransposedConvolutions) {
  GraphModule module = Nested();
  auto transposed = std::make_shared<Module>();
  transposed->type = "torch.nn.ConvTranspose2d";
  module.SetModule("foo.bar.t", transposed);
  QConfigMapping mapping;
  mapping.global = Numbered(1);
  const OrderedMap<QConfigPointer> found = PropagateQConfig(module, mapping);
  EXPECT_EQ(*found.Find("foo.bar.t"), mapping.global);
  mapping.module_name.Set(
      "foo", std::make_shared<QConfig>(
                 QConfig{std::nullopt, ObserverConstructor("PerChannelMinMaxObserver")}));
  EXPECT_THROW(PropagateQConfig(module, mapping), PipelineError);
}

TEST(UpdateForFusion, WantsOneQConfigForAllParts) {
  GraphModule module;
  auto fused = std::make_shared<Module>();
  fused->type = "torch.ao.nn.intrinsic.LinearReLU";
  for (const char* type : {"torch.nn.Linear", "torch.nn.ReLU"}) {
    auto part = std::make_shared<Module>();
    part->type = type;
    fused->children.Set(std::to_string(fused->children.size()), part);
  }
  module.SetModule("l", fused);
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  module.graph.Append(Op::kCallModule, "l", {x});
  QConfigMapping mapping;
  mapping.object_type.Set("torch.nn.Linear", Numbered(1));
  try {
    UpdateForFusion(module, mapping);
    FAIL();
  } catch (const PipelineError& error) {
    EXPECT_EQ(error.kind(), "LookupError");
  }
  mapping.object_type.Set("torch.nn.ReLU", Numbered(1));
  UpdateForFusion(module, mapping);
  EXPECT_TRUE(QConfigEquals(*mapping.object_type.Find(fused->type), Numbered(1)));
}

}  // namespace
}  // namespace qconform
