#include "reference/qconfig/default_observer.h"

#include <cassert>

namespace qconform {
namespace {

using Kwargs = OrderedMap<Argument>;

const DType kU8 = DType::kQUInt8;
const DType kS8 = DType::kQInt8;
constexpr const char* kAffine = "torch.per_tensor_affine";
constexpr const char* kSymmetric = "torch.per_tensor_symmetric";
constexpr const char* kChannelSymmetric = "torch.per_channel_symmetric";
constexpr const char* kFloatQparams = "torch.per_channel_affine_float_qparams";
constexpr const char* kMoving = "MovingAverageMinMaxObserver";
constexpr const char* kMovingChannel = "MovingAveragePerChannelMinMaxObserver";
constexpr double kEpsilon = 0.000244140625;  // 2^-12

ObserverConstructor FakeQuantize(const char* observer, Kwargs kwargs) {
  return {"FakeQuantize", std::move(kwargs),
          std::make_shared<ObserverConstructor>(observer)};
}

ObserverConstructor FusedFakeQuantize(const char* observer, Kwargs kwargs) {
  return {"FusedMovingAvgObsFakeQuantize", std::move(kwargs),
          std::make_shared<ObserverConstructor>(observer)};
}

ObserverConstructor Fixed(double scale, int zero_point) {
  return {"FixedQParamsObserver",
          {{"scale", scale},
           {"zero_point", zero_point},
           {"dtype", kU8},
           {"quant_min", 0},
           {"quant_max", 255}}};
}

ObserverConstructor FixedFakeQuantize(double scale, int zero_point) {
  return {"FixedQParamsFakeQuantize",
          {},
          std::make_shared<ObserverConstructor>(Fixed(scale, zero_point))};
}

// A weight's range, dtype and scheme, as torch gives them to a fake-quantize.
Kwargs Weight(const char* qscheme, int quant_min) {
  return {
      {"quant_min", quant_min}, {"quant_max", 127}, {"dtype", kS8}, {"qscheme", qscheme}};
}

Kwargs With(Kwargs kwargs, const Kwargs& more) {
  for (const auto& [key, value] : more) kwargs.Set(key, value);
  return kwargs;
}

void AddObservers(OrderedMap<ObserverConstructor>& table) {
  const Kwargs symmetric = {{"dtype", kS8}, {"qscheme", kSymmetric}};
  const Kwargs channel_symmetric = {{"dtype", kS8}, {"qscheme", kChannelSymmetric}};
  const Kwargs narrow = {{"quant_min", -127}, {"quant_max", 127}, {"eps", kEpsilon}};
  const Kwargs embedding = {{"qscheme", kFloatQparams}, {"ch_axis", 0}};
  const auto add = [&table](const char* name, const char* observer, Kwargs kwargs) {
    table.Set(name, {observer, std::move(kwargs)});
  };
  add("default_observer", "MinMaxObserver", {{"quant_min", 0}, {"quant_max", 127}});
  add("default_histogram_observer", "HistogramObserver",
      {{"quant_min", 0}, {"quant_max", 127}});
  add("default_weight_observer", "MinMaxObserver", symmetric);
  add("default_per_channel_weight_observer", "PerChannelMinMaxObserver",
      channel_symmetric);
  add("weight_observer_range_neg_127_to_127", "MinMaxObserver", With(symmetric, narrow));
  add("per_channel_weight_observer_range_neg_127_to_127", "PerChannelMinMaxObserver",
      With(channel_symmetric, narrow));
  add("default_float_qparams_observer", "PerChannelMinMaxObserver",
      With({{"dtype", kU8}}, embedding));
  add("default_float_qparams_observer_4bit", "PerChannelMinMaxObserver",
      With({{"dtype", DType::kQUInt4x2}}, embedding));
  add("default_debug_observer", "RecordingObserver", {});
  add("default_placeholder_observer", "PlaceholderObserver", {});
  add("default_reuse_input_observer", "ReuseInputObserver", {});
  add("default_dynamic_quant_observer", "PlaceholderObserver",
      {{"dtype", kU8}, {"quant_min", 0}, {"quant_max", 255}, {"is_dynamic", true}});
  table.Set("default_fixed_qparams_range_0to1_observer", Fixed(1.0 / 256.0, 0));
  table.Set("default_fixed_qparams_range_neg1to1_observer", Fixed(2.0 / 256.0, 128));
}

void AddFakeQuantizers(OrderedMap<ObserverConstructor>& table) {
  const Kwargs activation = {{"quant_min", 0}, {"quant_max", 255}};
  const Kwargs reduced = {{"dtype", kU8}, {"qscheme", kAffine}, {"reduce_range", true}};
  const Kwargs full = {{"reduce_range", false}};
  const Kwargs eps = {{"eps", kEpsilon}};
  const auto add = [&table](const char* name, ObserverConstructor constructor) {
    table.Set(name, std::move(constructor));
  };
  add("default_fake_quant", FakeQuantize(kMoving, With(activation, reduced)));
  add("default_histogram_fake_quant",
      FakeQuantize("HistogramObserver", With(activation, reduced)));
  add("default_weight_fake_quant",
      FakeQuantize(kMoving, With(Weight(kSymmetric, -128), full)));
  add("default_per_channel_weight_fake_quant",
      FakeQuantize(kMovingChannel,
                   With(With(Weight(kChannelSymmetric, -128), full), {{"ch_axis", 0}})));
  add("default_dynamic_fake_quant",
      FakeQuantize(kMoving, With(activation, {{"is_dynamic", true},
                                              {"dtype", kU8},
                                              {"averaging_constant", 1}})));
  add("default_embedding_fake_quant",
      FakeQuantize(kMovingChannel, {{"qscheme", kFloatQparams},
                                    {"dtype", kU8},
                                    {"quant_min", 0},
                                    {"quant_max", 255},
                                    {"ch_axis", 0},
                                    {"averaging_constant", 1}}));
  add("default_embedding_fake_quant_4bit",
      FakeQuantize(kMovingChannel, {{"qscheme", kFloatQparams},
                                    {"ch_axis", 0},
                                    {"dtype", DType::kQUInt4x2},
                                    {"averaging_constant", 1}}));
  add("default_fused_act_fake_quant",
      FusedFakeQuantize(kMoving, With(activation, {{"dtype", kU8}})));
  add("default_fused_wt_fake_quant",
      FusedFakeQuantize(kMoving, Weight(kSymmetric, -128)));
  add("default_fused_per_channel_wt_fake_quant",
      FusedFakeQuantize(kMovingChannel, Weight(kChannelSymmetric, -128)));
  add("fused_wt_fake_quant_range_neg_127_to_127",
      FusedFakeQuantize(kMoving, With(Weight(kSymmetric, -127), eps)));
  add("fused_per_channel_wt_fake_quant_range_neg_127_to_127",
      FusedFakeQuantize(kMovingChannel, With(Weight(kChannelSymmetric, -127), eps)));
  add("default_fixed_qparams_range_0to1_fake_quant", FixedFakeQuantize(1.0 / 256.0, 0));
  add("default_fixed_qparams_range_neg1to1_fake_quant",
      FixedFakeQuantize(2.0 / 256.0, 128));
}

OrderedMap<ObserverConstructor> Build() {
  OrderedMap<ObserverConstructor> table;
  AddObservers(table);
  AddFakeQuantizers(table);
  // Second names.
  for (const char* kind : {"observer", "fake_quant"}) {
    const std::string suffix = kind;
    table.Set("default_affine_fixed_qparams_" + suffix,
              *table.Find("default_fixed_qparams_range_0to1_" + suffix));
    table.Set("default_symmetric_fixed_qparams_" + suffix,
              *table.Find("default_fixed_qparams_range_neg1to1_" + suffix));
  }
  return table;
}

}  // namespace

const ObserverConstructor* FindNamedObserver(const std::string& name) {
  static const OrderedMap<ObserverConstructor> table = Build();
  return table.Find(name);
}

const ObserverConstructor& NamedObserver(const std::string& name) {
  const ObserverConstructor* found = FindNamedObserver(name);
  assert(found != nullptr);
  return *found;
}

}  // namespace qconform
