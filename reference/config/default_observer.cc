#include "reference/config/default_observer.h"

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

// Range and dtype of an 8 bit weight.
Kwargs Weight(const char* qscheme, int quant_min) {
  return {
      {"quant_min", quant_min}, {"quant_max", 127}, {"dtype", kS8}, {"qscheme", qscheme}};
}

Kwargs With(Kwargs kwargs, const Kwargs& more) {
  for (const auto& [key, value] : more) kwargs.Set(key, value);
  return kwargs;
}

OrderedMap<ObserverConstructor> Build() {
  const Kwargs act_range = {{"quant_min", 0}, {"quant_max", 255}};
  const Kwargs act_reduced =
      With(act_range, {{"dtype", kU8}, {"qscheme", kAffine}, {"reduce_range", true}});
  const Kwargs eps = {{"eps", kEpsilon}};
  const Kwargs embedding = {{"qscheme", kFloatQparams}, {"ch_axis", 0}};
  const Kwargs constant = {{"averaging_constant", 1}};

  OrderedMap<ObserverConstructor> table;
  table.Set("default_observer",
            {"MinMaxObserver", {{"quant_min", 0}, {"quant_max", 127}}});
  table.Set("default_histogram_observer",
            {"HistogramObserver", {{"quant_min", 0}, {"quant_max", 127}}});
  table.Set("default_weight_observer",
            {"MinMaxObserver", {{"dtype", kS8}, {"qscheme", kSymmetric}}});
  table.Set(
      "default_per_channel_weight_observer",
      {"PerChannelMinMaxObserver", {{"dtype", kS8}, {"qscheme", kChannelSymmetric}}});
  table.Set("weight_observer_range_neg_127_to_127",
            {"MinMaxObserver", With(Weight(kSymmetric, -127), eps)});
  table.Set("per_channel_weight_observer_range_neg_127_to_127",
            {"PerChannelMinMaxObserver", With(Weight(kChannelSymmetric, -127), eps)});
  table.Set("default_float_qparams_observer",
            {"PerChannelMinMaxObserver", With(embedding, {{"dtype", kU8}})});
  table.Set("default_float_qparams_observer_4bit",
            {"PerChannelMinMaxObserver", With(embedding, {{"dtype", DType::kQUInt4x2}})});
  table.Set("default_debug_observer", {"RecordingObserver"});
  table.Set("default_placeholder_observer", {"PlaceholderObserver"});
  table.Set("default_reuse_input_observer", {"ReuseInputObserver"});
  table.Set(
      "default_dynamic_quant_observer",
      {"PlaceholderObserver", With(act_range, {{"dtype", kU8}, {"is_dynamic", true}})});
  table.Set("default_fixed_qparams_range_0to1_observer", Fixed(1.0 / 256.0, 0));
  table.Set("default_fixed_qparams_range_neg1to1_observer", Fixed(2.0 / 256.0, 128));

  table.Set("default_fake_quant", FakeQuantize(kMoving, act_reduced));
  table.Set("default_histogram_fake_quant",
            FakeQuantize("HistogramObserver", act_reduced));
  table.Set(
      "default_weight_fake_quant",
      FakeQuantize(kMoving, With(Weight(kSymmetric, -128), {{"reduce_range", false}})));
  table.Set(
      "default_per_channel_weight_fake_quant",
      FakeQuantize(kMovingChannel, With(Weight(kChannelSymmetric, -128),
                                        {{"reduce_range", false}, {"ch_axis", 0}})));
  table.Set(
      "default_dynamic_fake_quant",
      FakeQuantize(kMoving, With(With(act_range, {{"dtype", kU8}, {"is_dynamic", true}}),
                                 constant)));
  table.Set(
      "default_embedding_fake_quant",
      FakeQuantize(kMovingChannel,
                   With(With(With(embedding, act_range), {{"dtype", kU8}}), constant)));
  table.Set("default_embedding_fake_quant_4bit",
            FakeQuantize(kMovingChannel,
                         With(With(embedding, {{"dtype", DType::kQUInt4x2}}), constant)));
  table.Set("default_fused_act_fake_quant",
            FusedFakeQuantize(kMoving, With(act_range, {{"dtype", kU8}})));
  table.Set("default_fused_wt_fake_quant",
            FusedFakeQuantize(kMoving, Weight(kSymmetric, -128)));
  table.Set("default_fused_per_channel_wt_fake_quant",
            FusedFakeQuantize(kMovingChannel, Weight(kChannelSymmetric, -128)));
  table.Set("fused_wt_fake_quant_range_neg_127_to_127",
            FusedFakeQuantize(kMoving, With(Weight(kSymmetric, -127), eps)));
  table.Set(
      "fused_per_channel_wt_fake_quant_range_neg_127_to_127",
      FusedFakeQuantize(kMovingChannel, With(Weight(kChannelSymmetric, -127), eps)));
  table.Set("default_fixed_qparams_range_0to1_fake_quant",
            FixedFakeQuantize(1.0 / 256.0, 0));
  table.Set("default_fixed_qparams_range_neg1to1_fake_quant",
            FixedFakeQuantize(2.0 / 256.0, 128));

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
