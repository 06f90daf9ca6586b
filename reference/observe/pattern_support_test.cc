// Constraints of a backend as they act in prepare: what is refused stays float, with no
// observer and with the bound that refused it.
#include "reference/observe/pattern_support.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/prepare.h"
#include "reference/observe/test_prepared.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

constexpr double kEps = 0x1p-12;
constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

Tensor Weight() {
  return Tensor::FromVector<float>(DType::kFloat32, {2, 2}, {1.0f, -0.5f, 0.25f, 2.0f});
}

GraphModule ModuleLinear() {
  GraphModule model;
  auto linear = std::make_shared<Module>();
  linear->type = "torch.nn.Linear";
  linear->attributes = {{"in_features", 2}, {"out_features", 2}};
  linear->parameters.Set("weight", Weight());
  linear->parameters.Set("bias", std::nullopt);
  model.SetModule("linear", linear);
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* y = model.graph.Append(Op::kCallModule, "linear", {x});
  model.graph.Append(Op::kOutput, "output", {y});
  return model;
}

GraphModule FunctionalLinear() {
  GraphModule model;
  model.SetBuffer("weight", Weight());
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* weight = model.graph.Append(Op::kGetAttr, "weight");
  Node* y = model.graph.Append(Op::kCallFunction, "torch.nn.functional.linear",
                               {x, weight}, {{"bias", Argument()}});
  model.graph.Append(Op::kOutput, "output", {y});
  return model;
}

// The refusals of all nodes of a prepared model.
std::vector<SupportVerdict> Refusals(const Prepared& prepared) {
  std::vector<SupportVerdict> refusals;
  for (const auto& [node, verdict] : prepared.support) {
    if (!verdict.supported) refusals.push_back(verdict);
  }
  return refusals;
}

// What is reported of bounds that torch does not enforce.
std::vector<std::string> DifferencesOfBounds(const Prepared& prepared) {
  std::vector<std::string> texts;
  for (const ModeDifference& difference : prepared.differences) {
    if (difference.kind == "constraint_not_enforced") texts.push_back(ToText(difference));
  }
  return texts;
}

Prepared PrepareFor(const char* config, const GraphModule& model,
                    const QConfigMapping& mapping, Mode mode) {
  PrepareOptions options;
  options.mode = mode;
  return PrepareFx(model, mapping,
                   std::make_shared<BackendConfig>(BuiltInBackendConfig(config)),
                   options);
}

// pytorch/pytorch#85200 and #85863: qnnpack's symmetric int8 weights. torch enforces the
// weight's bounds for functional weights only; what is declared holds for both.
TEST(PatternSupport, WeightBoundsHoldForModulesInStrictModeOnly) {
  const auto symmetric = [](OrderedMap<Argument> kwargs) {
    kwargs.Set("dtype", DType::kQInt8);
    return ObserverConstructor("MinMaxObserver", kwargs);
  };
  const ObserverConstructor activation =
      symmetric({{"quant_min", -128}, {"quant_max", 127}, {"eps", kEps}});
  const ObserverConstructor weight =
      symmetric({{"quant_min", -127}, {"quant_max", 127}, {"eps", kEps}});
  struct Row {
    const char* name;
    ObserverConstructor activation;
    ObserverConstructor weight;
    const char* refused_by;  // "" for accepted
    // What a report says where torch accepts the module's weight all the same; "" where
    // both modes do the same.
    std::string difference;
  };
  const auto differs = [](const std::string& reason) {
    return "linear: torch accepts weight: weight " + reason + "; strict mode refuses it";
  };
  const std::vector<Row> rows = {
      {"a", activation, weight, "", ""},
      {"a, larger eps", activation,
       symmetric({{"quant_min", -127}, {"quant_max", 127}, {"eps", 0x1p-10}}), "", ""},
      {"b", activation,
       symmetric({{"quant_min", -128}, {"quant_max", 127}, {"eps", kEps}}),
       "quant_min_lower_bound",
       differs("quant_min -128 is below quant_min_lower_bound -127")},
      {"c", activation, symmetric({{"eps", kEps}}), "quant_min_lower_bound",
       differs("quant_min -128 is below quant_min_lower_bound -127")},
      {"d", activation, symmetric({{"quant_min", -127}, {"quant_max", 127}}),
       "scale_min_lower_bound",
       differs("eps 1.1920929e-07 is below scale_min_lower_bound 0.000244140625")},
      {"e", symmetric({{"quant_min", -128}, {"quant_max", 127}, {"eps", kEps / 2}}),
       weight, "scale_min_lower_bound", ""},
  };
  for (const Row& row : rows) {
    for (const bool is_module : {true, false}) {
      for (const Mode mode : kModes) {
        const bool modes_differ = is_module && !row.difference.empty();
        const bool accepts =
            row.refused_by[0] == '\0' || (modes_differ && mode == Mode::kTorch);
        const Prepared prepared =
            PrepareFor("qnnpack", is_module ? ModuleLinear() : FunctionalLinear(),
                       Everywhere(row.activation, row.weight), mode);
        const size_t all = is_module ? 2 : 3;  // a functional weight is observed too
        EXPECT_EQ(CountObservers(prepared), accepts ? all : 0)
            << row.name << " module " << is_module << " strict "
            << (mode == Mode::kStrict);
        const std::vector<SupportVerdict> refusals = Refusals(prepared);
        ASSERT_EQ(refusals.size(), accepts ? 0u : 1u) << row.name;
        if (!accepts) {
          EXPECT_EQ(refusals[0].constraint, row.refused_by) << row.name;
        }
        const std::vector<std::string> differences = DifferencesOfBounds(prepared);
        EXPECT_EQ(differences, modes_differ ? std::vector<std::string>{row.difference}
                                            : std::vector<std::string>{})
            << row.name << is_module;
      }
    }
  }
}

// torch looks at a functional weight's dtype and not at a module's.
TEST(PatternSupport, TheDTypeOfAModulesWeightHoldsInStrictModeOnly) {
  const QConfigMapping unsigned_weights =
      Everywhere(ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQUInt8}}),
                 ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQUInt8}}));
  for (const bool is_module : {true, false}) {
    for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
      const Prepared prepared = PrepareFor(
          "x86", is_module ? ModuleLinear() : FunctionalLinear(), unsigned_weights, mode);
      const bool accepts = is_module && mode == Mode::kTorch;
      EXPECT_EQ(CountObservers(prepared), accepts ? 2u : 0u) << is_module;
      const std::vector<SupportVerdict> refusals = Refusals(prepared);
      ASSERT_EQ(refusals.size(), accepts ? 0u : 1u) << is_module;
      const std::string text =
          "weight_dtype: the qconfig has quint8, the backend allows qint8";
      if (!accepts) {
        EXPECT_EQ(refusals[0].constraint, "weight_dtype");
        EXPECT_EQ(refusals[0].reason, text);
      }
      ASSERT_EQ(prepared.differences.size(), is_module ? 1u : 0u);
      if (!is_module) continue;
      EXPECT_EQ(prepared.differences[0].kind, "constraint_not_enforced");
      EXPECT_EQ(ToText(prepared.differences[0]),
                "linear: torch accepts " + text + "; strict mode refuses it");
    }
  }
}

// torch takes the first dtype config, strict mode the second: nothing is refused.
TEST(PatternSupport, ADTypeConfigFurtherDownIsNoDifference) {
  auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  BackendPatternConfig entry(Pattern::Module("torch.nn.Linear"));
  for (const DType weight : {DType::kQInt8, DType::kQUInt8}) {
    DTypeConfig dtypes;
    dtypes.input_dtype = dtypes.output_dtype = DTypeWithConstraints(DType::kQUInt8);
    dtypes.weight_dtype = DTypeWithConstraints(weight);
    entry.dtype_configs.push_back(dtypes);
  }
  config->Set(entry);
  const ObserverConstructor unsigned_observer("MinMaxObserver",
                                              {{"dtype", DType::kQUInt8}});
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    PrepareOptions options;
    options.mode = mode;
    const Prepared prepared =
        PrepareFx(ModuleLinear(), Everywhere(unsigned_observer, unsigned_observer),
                  config, options);
    EXPECT_EQ(CountObservers(prepared), 2u);
    EXPECT_TRUE(prepared.differences.empty());
  }
}

// pytorch/pytorch#82708, #88620: sigmoid and tanh have constant output qparams; another
// observer is no silent replacement and no error: the operator stays float, and says so.
TEST(PatternSupport, FixedOperatorsRefuseOtherQparams) {
  const ObserverConstructor weight("MinMaxObserver", {{"dtype", DType::kQInt8}});
  const auto fixed = [](double scale, int64_t zero_point) {
    return ObserverConstructor("FixedQParamsObserver", {{"scale", scale},
                                                        {"zero_point", zero_point},
                                                        {"dtype", DType::kQUInt8},
                                                        {"quant_min", 0},
                                                        {"quant_max", 255}});
  };
  struct Row {
    const char* function;
    double scale;
    int64_t zero_point;
  };
  const std::vector<Row> rows = {{"sigmoid", 1.0 / 256, 0},
                                 {"hardsigmoid", 1.0 / 256, 0},
                                 {"softmax", 1.0 / 256, 0},
                                 {"tanh", 2.0 / 256, 128}};
  for (const Row& row : rows) {
    GraphModule model;
    Node* x = model.graph.Append(Op::kPlaceholder, "x");
    Node* y = nullptr;
    if (row.function == std::string("hardsigmoid")) {
      y = model.graph.Append(Op::kCallFunction, "torch.nn.functional.hardsigmoid", {x},
                             {{"inplace", false}});
    } else if (row.function == std::string("softmax")) {
      auto softmax = std::make_shared<Module>();
      softmax->type = "torch.nn.Softmax";
      model.SetModule("softmax", softmax);
      y = model.graph.Append(Op::kCallModule, "softmax", {x});
    } else {
      y = model.graph.Append(Op::kCallMethod, row.function, {x});
    }
    model.graph.Append(Op::kOutput, "output", {y});
    for (const Mode mode : kModes) {
      const auto prepare = [&](const ObserverConstructor& activation) {
        return PrepareFor("x86", model, Everywhere(activation, weight), mode);
      };
      const Prepared accepted = prepare(fixed(row.scale, row.zero_point));
      EXPECT_EQ(CountObservers(accepted), 2u) << row.function;
      EXPECT_TRUE(Refusals(accepted).empty()) << row.function;
      // None has a weight, though its row declares a weight dtype.
      const ObserverConstructor unused("MinMaxObserver", {{"dtype", DType::kQUInt8}});
      const Prepared same = PrepareFor(
          "x86", model, Everywhere(fixed(row.scale, row.zero_point), unused), mode);
      EXPECT_EQ(CountObservers(same), 2u) << row.function;
      EXPECT_TRUE(DifferencesOfBounds(same).empty()) << row.function;
      const auto expect_refused = [&](const ObserverConstructor& activation,
                                      const char* constraint) {
        const Prepared prepared = prepare(activation);
        EXPECT_EQ(CountObservers(prepared), 0u) << row.function;
        const std::vector<SupportVerdict> refusals = Refusals(prepared);
        ASSERT_EQ(refusals.size(), 1u) << row.function;
        EXPECT_EQ(refusals[0].constraint, constraint) << row.function;
      };
      expect_refused(fixed(1.0 / 255, row.zero_point), "scale_exact_match");
      expect_refused(fixed(row.scale, row.zero_point + 1), "zero_point_exact_match");
      expect_refused(ObserverConstructor("HistogramObserver"), "scale_exact_match");
    }
  }
}

}  // namespace
}  // namespace qconform
