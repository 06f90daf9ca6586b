// What prepare does in torch mode and in strict mode, and that it says so.
#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/prepare.h"
#include "reference/observe/test_prepared.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

ObserverConstructor MinMax(OrderedMap<Argument> kwargs = {}) {
  return ObserverConstructor("MinMaxObserver", std::move(kwargs));
}

QConfigMapping Everywhere(const ObserverConstructor& activation) {
  return Everywhere(activation, MinMax({{"dtype", DType::kQInt8}}));
}

Prepared Prepare(const GraphModule& model, const QConfigMapping& mapping, Mode mode,
                 std::shared_ptr<const BackendConfig> config =
                     std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"))) {
  PrepareOptions options;
  options.mode = mode;
  return PrepareFx(model, mapping, std::move(config), options);
}

std::vector<std::string> Kinds(const Prepared& prepared) {
  std::vector<std::string> kinds;
  for (const ModeDifference& difference : prepared.differences) {
    kinds.push_back(difference.kind);
  }
  return kinds;
}

// The observers of the node's first input and of its output.
std::pair<std::shared_ptr<Module>, std::shared_ptr<Module>> Around(
    const Prepared& prepared, const std::string& name) {
  const Node& node = *prepared.module.graph.Find(name);
  return {prepared.module.FindModule(node.args()[0].AsNode()->target()),
          prepared.module.FindModule(node.users()[0]->target())};
}

// cat([pool(x), pool(y)]): both pools share their observer with their input, and cat its
// own with both of them.
TEST(PrepareModes, SharingIsKeptWhereAnotherOperatorSharesToo) {
  GraphModule model;
  const auto pool = [&model](Node* value) {
    return model.graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {value},
                              {{"inplace", false}});
  };
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* y = model.graph.Append(Op::kPlaceholder, "y");
  Node* left = pool(x);
  Node* right = pool(y);
  Node* cat = model.graph.Append(Op::kCallFunction, "torch.cat",
                                 {Argument::List({Argument(left), Argument(right)})});
  model.graph.Append(Op::kOutput, "output", {cat});
  for (const Mode mode : kModes) {
    const Prepared prepared = Prepare(model, Everywhere(MinMax()), mode);
    const auto [first_in, first_out] = Around(prepared, left->name());
    const auto [second_in, second_out] = Around(prepared, right->name());
    EXPECT_EQ(first_in, first_out);
    EXPECT_EQ(second_out, first_out);
    EXPECT_EQ(second_in == second_out, mode == Mode::kStrict);
    EXPECT_EQ(Kinds(prepared), std::vector<std::string>{"sharing_broken"});
  }
}

TEST(PrepareModes, NotObservedIsNotObservedInStrictMode) {
  const auto entry = [](const char* function, ObservationType type) {
    BackendPatternConfig config(Pattern::Function(function));
    DTypeConfig dtypes;
    dtypes.input_dtype = dtypes.output_dtype = DTypeWithConstraints(DType::kQUInt8);
    config.dtype_configs.push_back(dtypes);
    config.observation_type = type;
    return config;
  };
  auto config = std::make_shared<BackendConfig>("test");
  config->Set(entry("torch.detach", ObservationType::kInputOutputNotObserved));
  config->Set(entry("torch.relu", ObservationType::kOutputUseDifferentObserverAsInput));
  GraphModule model;
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* view = model.graph.Append(Op::kCallFunction, "torch.detach", {x});
  Node* relu = model.graph.Append(Op::kCallFunction, "torch.relu", {view});
  model.graph.Append(Op::kOutput, "output", {relu});
  for (const Mode mode : kModes) {
    const Prepared prepared = Prepare(model, Everywhere(MinMax()), mode, config);
    // relu's input is observed in either case.
    EXPECT_EQ(CountObservers(prepared), mode == Mode::kTorch ? 3u : 2u);
    EXPECT_EQ(Kinds(prepared), std::vector<std::string>{"not_observed_ignored"});
  }
}

// x feeds two operators that want other ranges of it.
TEST(PrepareModes, AnObserverOfOtherSettingsIsNotReusedInStrictMode) {
  GraphModule model;
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  std::vector<Argument> results;
  for (const char* path : {"a", "b"}) {
    auto module = std::make_shared<Module>();
    module->type = "torch.nn.Hardswish";
    model.SetModule(path, module);
    results.push_back(model.graph.Append(Op::kCallModule, path, {x}));
  }
  model.graph.Append(Op::kOutput, "output", {Argument::Tuple(results)});
  QConfigMapping mapping = Everywhere(MinMax());
  mapping.module_name.Set("b", std::make_shared<QConfig>(
                                   QConfig{MinMax({{"quant_min", 0}, {"quant_max", 127}}),
                                           MinMax({{"dtype", DType::kQInt8}})}));
  for (const Mode mode : kModes) {
    const Prepared prepared = Prepare(model, mapping, mode);
    EXPECT_EQ(CountObservers(prepared), mode == Mode::kTorch ? 3u : 4u);
    EXPECT_EQ(Kinds(prepared), std::vector<std::string>{"observer_reused"});
  }
}

TEST(PrepareModes, BoundsThatTorchDoesNotHoldAreReported) {
  BackendPatternConfig entry(Pattern::Function("torch.relu"));
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = DTypeWithConstraints(DType::kQUInt8);
  dtypes.input_dtype.quant_max_upper_bound = 127;
  entry.dtype_configs.push_back(dtypes);
  auto config = std::make_shared<BackendConfig>("test");
  config->Set(entry);
  GraphModule model;
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* relu = model.graph.Append(Op::kCallFunction, "torch.relu", {x});
  model.graph.Append(Op::kOutput, "output", {relu});
  for (const Mode mode : kModes) {
    const Prepared prepared = Prepare(model, Everywhere(MinMax()), mode, config);
    EXPECT_EQ(CountObservers(prepared), mode == Mode::kTorch ? 2u : 0u);
    ASSERT_EQ(Kinds(prepared), std::vector<std::string>{"constraint_not_enforced"});
    EXPECT_EQ(ToText(prepared.differences[0]),
              "relu: torch accepts input: activation quant_max 255 is above "
              "quant_max_upper_bound 127; strict mode refuses it");
  }
  // A lone bound of the observer satisfies the backend's only where it counts.
  const QConfigMapping lone = Everywhere(MinMax({{"quant_max", 127}}));
  for (const Mode mode : kModes) {
    const Prepared prepared = Prepare(model, lone, mode, config);
    EXPECT_EQ(CountObservers(prepared), 2u);
    EXPECT_EQ(Kinds(prepared).back(), "lone_observer_bound");
  }
}

// A backend that wants the channels of a transposed convolution's weight on axis 1.
TEST(PrepareModes, TheAxisOfATransposedWeightIsWhatItBecomes) {
  BackendPatternConfig entry(Pattern::Module("torch.nn.ConvTranspose2d"));
  entry.root_module = "torch.nn.ConvTranspose2d";
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = DTypeWithConstraints(DType::kQUInt8);
  dtypes.weight_dtype = DTypeWithConstraints(DType::kQInt8);
  dtypes.weight_dtype.granularity = Granularity::kPerChannel;
  GraphModule model;
  auto conv = std::make_shared<Module>();
  conv->type = "torch.nn.ConvTranspose2d";
  model.SetModule("conv", conv);
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* y = model.graph.Append(Op::kCallModule, "conv", {x});
  model.graph.Append(Op::kOutput, "output", {y});
  QConfigMapping mapping;
  mapping.global = std::make_shared<QConfig>(QConfig{
      MinMax(),
      ObserverConstructor("PerChannelMinMaxObserver", {{"dtype", DType::kQInt8}})});
  for (const int64_t axis : {0, 1}) {
    dtypes.weight_dtype.channel_axis = axis;
    entry.dtype_configs = {dtypes};
    auto config = std::make_shared<BackendConfig>("test");
    config->Set(entry);
    EXPECT_EQ(CountObservers(Prepare(model, mapping, Mode::kStrict, config)),
              axis == 1 ? 2u : 0u);
  }
}

}  // namespace
}  // namespace qconform
