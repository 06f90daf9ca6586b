// Faults of fusion that people reported, with the right numbers: a convolution 1x1
// (w = 2, b = 0.5), a batch norm (mean 1, variance 4, gamma 3, beta -1, eps 0) and ReLU.
#include "reference/fuse/fuse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_file.h"
#include "reference/fuse/fuser_lookup.h"
#include "reference/fuse/fuser_method.h"
#include "reference/ir/error.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

const Pattern kConv = Pattern::Module("torch.nn.Conv2d");
const Pattern kBatchNorm = Pattern::Module("torch.nn.BatchNorm2d");
const Pattern kRelu = Pattern::Module("torch.nn.ReLU");

Tensor Scalar(float value, Shape shape) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), {value});
}

std::shared_ptr<Module> Conv(float weight, float bias) {
  auto conv = std::make_shared<Module>();
  conv->type = "torch.nn.Conv2d";
  const auto pair = [](int64_t value) {
    return Argument::Tuple({Argument(value), Argument(value)});
  };
  conv->attributes = {
      {"in_channels", 1},  {"out_channels", 1},       {"kernel_size", pair(1)},
      {"stride", pair(1)}, {"padding", pair(0)},      {"dilation", pair(1)},
      {"groups", 1},       {"padding_mode", "zeros"}, {"output_padding", pair(0)}};
  conv->parameters.Set("weight", Scalar(weight, {1, 1, 1, 1}));
  conv->parameters.Set("bias", Scalar(bias, {1}));
  return conv;
}

std::shared_ptr<Module> BatchNorm() {
  auto bn = std::make_shared<Module>();
  bn->type = "torch.nn.BatchNorm2d";
  bn->attributes = {{"num_features", 1},
                    {"eps", 0.0},
                    {"momentum", 0.1},
                    {"affine", true},
                    {"track_running_stats", true}};
  bn->parameters.Set("weight", Scalar(3, {1}));
  bn->parameters.Set("bias", Scalar(-1, {1}));
  bn->buffers.Set("running_mean", Scalar(1, {1}));
  bn->buffers.Set("running_var", Scalar(4, {1}));
  return bn;
}

std::shared_ptr<Module> Relu() {
  auto relu = std::make_shared<Module>();
  relu->type = "torch.nn.ReLU";
  relu->attributes.Set("inplace", false);
  return relu;
}

GraphModule Model() {
  GraphModule model;
  model.SetModule("conv", Conv(2, 0.5F));
  model.SetModule("bn", BatchNorm());
  model.SetModule("bn2", BatchNorm());
  model.SetModule("relu", Relu());
  return model;
}

// Calls modules one after the other.
Node* Chain(GraphModule& model, Node* value, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    value = model.graph.Append(Op::kCallModule, path, {value});
  }
  return value;
}

float OutputOf(const GraphModule& model, float x, int output = -1) {
  Interpreter interpreter(model);
  std::vector<Value> inputs;
  for (const Node& node : model.graph.nodes()) {
    if (node.op() == Op::kPlaceholder) inputs.emplace_back(Scalar(x, {1, 1, 1, 1}));
  }
  const Value value = interpreter.Run(inputs);
  const Value* chosen = &value;
  if (output >= 0) {
    chosen = &value.As<ValueSequence>()->items[static_cast<size_t>(output)];
  }
  return chosen->As<Tensor>()->data<float>()[0];
}

std::vector<std::string> Names(const GraphModule& model) {
  std::vector<std::string> names;
  for (const Node& node : model.graph.nodes()) names.push_back(node.name());
  return names;
}

// pytorch/pytorch#90698, #75318: the longest pattern wins whatever the order of
// registration, and the fuser gets the modules in execution order, in both spellings of a
// pattern.
TEST(Fuse, TheLongestPatternWinsInAnyOrder) {
  struct Registered {
    std::vector<Pattern> execution_order;
    const char* fuser;
  };
  const char* mappings = "torch.ao.quantization.fuser_method_mappings.";
  std::vector<Registered> patterns = {
      {{kConv, kBatchNorm}, "fuse_conv_bn"},
      {{kConv, kRelu}, "_sequential_wrapper2(torch.ao.nn.intrinsic.ConvReLU2d)"},
      {{kConv, kBatchNorm, kRelu}, "fuse_conv_bn_relu"},
      {{kBatchNorm, kRelu}, "_sequential_wrapper2(torch.ao.nn.intrinsic.BNReLU2d)"},
  };
  std::vector<size_t> order = {0, 1, 2, 3};
  // The old spelling hands the parts over as the pattern nests them.
  std::vector<std::string> seen;
  const auto forward_fuser = [&seen](const FuserCall& call) {
    seen.clear();
    for (const FuserArgument& part : call.arguments) seen.push_back(part.module->type);
    return FindFuserMethod(
        "torch.ao.quantization.fuser_method_mappings."
        "fuse_conv_bn_relu")(call);
  };
  const auto nested_fuser = [&](const FuserCall& call) {
    FuserCall plain = call;
    plain.arguments = {call.arguments.at(1).items.at(1), call.arguments.at(1).items.at(0),
                       call.arguments.at(0)};
    return forward_fuser(plain);
  };
  FuserTable().Add("test.forward_conv_bn_relu", forward_fuser, "this test");
  FuserTable().Add("test.nested_conv_bn_relu", nested_fuser, "this test");
  int permutations = 0;
  do {
    for (const bool nested : {false, true}) {
      BackendConfig config("test");
      for (size_t i : order) {
        BackendPatternConfig entry;
        const Pattern pattern = Pattern::Tuple(patterns[i].execution_order);
        const std::string fuser = patterns[i].fuser;
        entry.fuser_method = fuser[0] == '_' ? fuser : mappings + fuser;
        if (i == 2) {
          entry.fuser_method =
              nested ? "test.nested_conv_bn_relu" : "test.forward_conv_bn_relu";
        }
        if (nested) {
          entry.SetPatternComplexFormat(ReversedNested(pattern));
        } else {
          entry.SetPattern(pattern);
        }
        config.Set(std::move(entry));
      }
      GraphModule model = Model();
      Node* x = model.graph.Append(Op::kPlaceholder, "x");
      model.graph.Append(Op::kOutput, "output",
                         {Chain(model, x, {"conv", "bn", "relu"})});
      for (const Mode mode : kModes) {
        seen.clear();
        const GraphModule fused = Fuse(model, false, config, mode);
        EXPECT_EQ(Names(fused), (std::vector<std::string>{"x", "conv", "output"}));
        const std::shared_ptr<Module> module = fused.FindModule("conv");
        EXPECT_EQ(module->type, "torch.ao.nn.intrinsic.ConvReLU2d");
        EXPECT_EQ(fused.FindTensor("conv.0.weight")->data<float>()[0], 3);
        EXPECT_EQ(fused.FindTensor("conv.0.bias")->data<float>()[0], -1.75F);
        EXPECT_EQ(OutputOf(fused, 3), 7.25F);
        EXPECT_EQ(OutputOf(fused, -3), 0);  // ReLU before batch norm would give -2.5
        EXPECT_EQ(seen, (std::vector<std::string>{
                            "torch.nn.Conv2d", "torch.nn.BatchNorm2d", "torch.nn.ReLU"}));
      }
    }
    ++permutations;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(permutations, 24);
  FuserTable().Remove("test.forward_conv_bn_relu");
  FuserTable().Remove("test.nested_conv_bn_relu");
}

// fuse_fx keeps of the root what its custom config names.
TEST(Fuse, PreservedAttributesSurvive) {
  GraphModule model = Model();
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  model.graph.Append(Op::kOutput, "output", {Chain(model, x, {"conv", "bn"})});
  model.root->buffers.Set("anchors", Tensor(DType::kFloat32, {2}));
  const BackendConfig& config = BuiltInBackendConfig("native");
  EXPECT_EQ(Fuse(model, false, config).FindTensor("anchors"), nullptr);
  const FuseCustomConfig preserving{{"anchors", "absent"}};
  const GraphModule fused = Fuse(model, false, config, Mode::kTorch, preserving);
  EXPECT_NE(fused.FindTensor("anchors"), nullptr);
}

// pytorch/pytorch#68178, #197539: a module that is called twice. torch folds it for both
// calls.
TEST(Fuse, AModuleCalledTwiceStaysUnfusedInStrictMode) {
  const BackendConfig& config = BuiltInBackendConfig("native");
  GraphModule twice = Model();
  Node* x = twice.graph.Append(Op::kPlaceholder, "x");
  twice.graph.Append(Op::kOutput, "output", {Chain(twice, x, {"conv", "conv", "bn"})});
  EXPECT_EQ(OutputOf(twice, 3), 17.75F);
  EXPECT_EQ(OutputOf(Fuse(twice, false, config, Mode::kStrict), 3), 17.75F);
  EXPECT_EQ(OutputOf(Fuse(twice, false, config), 3), 20.0F);
  for (const Mode mode : kModes) {
    const FuseResult result = FuseWithMatches(twice, false, config, mode);
    ASSERT_EQ(result.differences.size(), 1u);
    EXPECT_EQ(result.differences[0].kind, "shared_module_fused");
    EXPECT_EQ(result.differences[0].subject, "bn");
    EXPECT_EQ(result.matches.empty(), mode == Mode::kStrict);
  }

  GraphModule branches = Model();
  x = branches.graph.Append(Op::kPlaceholder, "x");
  Node* y = branches.graph.Append(Op::kPlaceholder, "y");
  Node* left = Chain(branches, x, {"conv", "bn"});
  Node* right = Chain(branches, y, {"conv"});
  branches.graph.Append(Op::kOutput, "output",
                        {Argument::Tuple({Argument(left), Argument(right)})});
  const GraphModule strict = Fuse(branches, false, config, Mode::kStrict);
  EXPECT_EQ(OutputOf(strict, 3, 0), 7.25F);
  EXPECT_EQ(OutputOf(strict, 3, 1), 6.5F);
  EXPECT_EQ(Names(strict), Names(branches));
  const GraphModule torch = Fuse(branches, false, config);
  EXPECT_EQ(OutputOf(torch, 3, 0), 7.25F);
  EXPECT_EQ(OutputOf(torch, 3, 1), 7.25F);
  for (const Mode mode : kModes) {
    const ModeDifferences differences =
        FuseWithMatches(branches, false, config, mode).differences;
    ASSERT_EQ(differences.size(), 1u);
    EXPECT_EQ(differences[0].kind, "shared_module_fused");
    EXPECT_EQ(differences[0].subject, "bn");
  }
}

// The same issues, third graph: a result with two users is handled rightly in both modes.
TEST(Fuse, AConvolutionWhoseResultHasTwoUsersStaysUnfused) {
  for (const Mode mode : kModes) {
    GraphModule model = Model();
    Node* x = model.graph.Append(Op::kPlaceholder, "x");
    Node* conv = Chain(model, x, {"conv"});
    Node* bn = Chain(model, conv, {"bn"});
    Node* sum = model.graph.Append(Op::kCallFunction, "operator.add", {bn, conv});
    model.graph.Append(Op::kOutput, "output", {sum});
    const GraphModule fused = Fuse(model, false, BuiltInBackendConfig("native"), mode);
    EXPECT_EQ(Names(fused), Names(model));
    EXPECT_EQ(OutputOf(fused, 3), 13.75F);
    EXPECT_TRUE(FuseWithMatches(model, false, BuiltInBackendConfig("native"), mode)
                    .differences.empty());
  }
}

// pytorch/pytorch#140846: relu(y) + y, x = -2; the observers are in
// convert/second_user_test.cc.
TEST(Fuse, ReluIsNotFusedIntoAConvolutionWithASecondUser) {
  for (const Mode mode : kModes) {
    GraphModule model = Model();
    model.SetModule("conv", Conv(1, 0));
    Node* x = model.graph.Append(Op::kPlaceholder, "x");
    Node* y = Chain(model, x, {"conv"});
    Node* relu = model.graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {y},
                                    {{"inplace", false}});
    Node* sum = model.graph.Append(Op::kCallFunction, "operator.add", {relu, y});
    model.graph.Append(Op::kOutput, "output", {sum});
    const GraphModule fused = Fuse(model, false, BuiltInBackendConfig("x86"), mode);
    EXPECT_EQ(Names(fused), Names(model));
    EXPECT_EQ(OutputOf(fused, -2), -2);
  }
}

// pytorch/pytorch#99524: conv, batch norm, batch norm: the first folds, the second stays;
// its observers are in convert/second_batch_norm_test.cc.
TEST(Fuse, FoldsOneOfTwoBatchNorms) {
  for (const Mode mode : kModes) {
    GraphModule model = Model();
    Node* x = model.graph.Append(Op::kPlaceholder, "x");
    model.graph.Append(Op::kOutput, "output", {Chain(model, x, {"conv", "bn", "bn2"})});
    const FuseResult fused =
        FuseWithMatches(model, false, BuiltInBackendConfig("native"), mode);
    EXPECT_EQ(Names(fused.module),
              (std::vector<std::string>{"x", "conv", "bn2", "output"}));
    EXPECT_EQ(OutputOf(fused.module, 3), 8.375F);
    EXPECT_EQ(fused.matches.size(), 2u);
    EXPECT_EQ(fused.module.FindModule("bn"), nullptr);
    // The caller's model is as it was.
    EXPECT_EQ(model.FindTensor("conv.weight")->data<float>()[0], 2);
  }
}

// torch refuses to train a transposed convolution with its batch norm.
TEST(Fuse, StrictModeLeavesUnsupportedPatternsAlone) {
  GraphModule model = Model();
  model.FindModule("conv")->type = "torch.nn.ConvTranspose2d";
  for (const char* path : {"conv", "bn"}) model.FindModule(path)->training = true;
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  model.graph.Append(Op::kOutput, "output", {Chain(model, x, {"conv", "bn"})});
  const BackendConfig& config = BuiltInBackendConfig("native");
  EXPECT_THROW(Fuse(model, true, config), PipelineError);
  const FuseResult strict = FuseWithMatches(model, true, config, Mode::kStrict);
  EXPECT_EQ(Names(strict.module), Names(model));
  EXPECT_TRUE(strict.matches.empty());
  ASSERT_EQ(strict.refused.size(), 1u);
  EXPECT_EQ(strict.refused.begin()->first, "bn");
  ASSERT_EQ(strict.differences.size(), 1u);
  EXPECT_EQ(strict.differences[0].kind, "fusion_refused");
}

TEST(FindFuserKey, EqualsTorch) {
  const JsonFile file = JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/match.json");
  for (const ordered_json& row : file.root()["fuser_method_lookup"]) {
    std::vector<Pattern> keys;
    for (const ordered_json& key : row["mapping_keys"]) {
      keys.push_back(PatternFromJson(key, file));
    }
    const Pattern* found = FindFuserKey(PatternFromJson(row["pattern"], file), keys);
    EXPECT_EQ(found != nullptr, row.contains("found")) << row.dump();
  }
}

// Trying them in order finds the same key.
TEST(ValidPatterns, EqualTorch) {
  const JsonFile file = JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/oracle/match.json");
  for (const ordered_json& row : file.root()["valid_patterns"]) {
    ordered_json got = ordered_json::array();
    for (const Pattern& pattern : ValidPatterns(PatternFromJson(row["in"], file))) {
      got.push_back(PatternToJson(pattern));
    }
    EXPECT_EQ(got, row["out"]);
  }
  std::vector<Pattern> many(kMostAtoms + 1, Pattern::Module("torch.nn.ReLU"));
  EXPECT_THROW(ValidPatterns(Pattern::Tuple(many)), InputError);
}

TEST(FindFuserMethod, RefusesUnknownNames) {
  EXPECT_THROW(FindFuserMethod("nobody.made.this"), InputError);
}

}  // namespace
}  // namespace qconform
