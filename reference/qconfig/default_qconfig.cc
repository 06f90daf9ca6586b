#include "reference/qconfig/default_qconfig.h"

#include "reference/ir/error.h"
#include "reference/qconfig/default_observer.h"

namespace qconform {
namespace {

QConfigPointer Make(std::optional<ObserverConstructor> activation,
                    std::optional<ObserverConstructor> weight) {
  return std::make_shared<QConfig>(QConfig{std::move(activation), std::move(weight)});
}

// Both sides by name.
QConfigPointer Named(const char* activation, const char* weight) {
  return Make(NamedObserver(activation), NamedObserver(weight));
}

// What sets the four backends apart. onednn's fake-quantize is not given a
// reduce_range at all, which matters for equality.
struct Backend {
  const char* name;
  bool reduce_range;
  bool per_channel;
  bool qat_sets_reduce_range;
};

constexpr Backend kBackends[] = {
    {"fbgemm", true, true, true},
    {"x86", true, true, true},
    {"qnnpack", false, false, true},
    {"onednn", false, true, false},
};

const Backend& FindBackend(const std::string& name) {
  for (const Backend& backend : kBackends) {
    if (name == backend.name) return backend;
  }
  throw PipelineError("AssertionError", "backend: " + name +
                                            " not supported. backend must be one of "
                                            "fbgemm, x86, qnnpack, onednn");
}

OrderedMap<QConfigPointer> Build() {
  const ObserverConstructor identity("Identity");
  const auto placeholder = [](DType dtype) {
    return ObserverConstructor("PlaceholderObserver", {{"dtype", dtype}});
  };
  const ObserverConstructor noop_float("NoopObserver", {{"dtype", DType::kFloat32}});
  const ObserverConstructor symmetric_activation(
      "HistogramObserver",
      {{"dtype", DType::kQInt8}, {"reduce_range", false}, {"eps", 0.000244140625}});
  const ObserverConstructor symmetric_qat_activation(
      "FusedMovingAvgObsFakeQuantize",
      {{"quant_min", -128},
       {"quant_max", 127},
       {"dtype", DType::kQInt8},
       {"reduce_range", false},
       {"eps", 0.000244140625}},
      std::make_shared<ObserverConstructor>("MovingAverageMinMaxObserver"));

  OrderedMap<QConfigPointer> table;
  table.Set("default_qconfig", Named("default_observer", "default_weight_observer"));
  table.Set("default_debug_qconfig",
            Named("default_debug_observer", "default_weight_observer"));
  table.Set("default_per_channel_qconfig",
            Named("default_observer", "default_per_channel_weight_observer"));
  table.Set("default_dynamic_qconfig",
            Named("default_dynamic_quant_observer", "default_weight_observer"));
  table.Set("per_channel_dynamic_qconfig", Named("default_dynamic_quant_observer",
                                                 "default_per_channel_weight_observer"));
  table.Set("float16_dynamic_qconfig",
            Make(ObserverConstructor("PlaceholderObserver",
                                     {{"dtype", DType::kFloat16}, {"is_dynamic", true}}),
                 placeholder(DType::kFloat16)));
  table.Set("float16_static_qconfig",
            Make(placeholder(DType::kFloat16), placeholder(DType::kFloat16)));
  table.Set("float_qparams_weight_only_qconfig",
            Named("default_placeholder_observer", "default_float_qparams_observer"));
  table.Set("float_qparams_weight_only_qconfig_4bit",
            Named("default_placeholder_observer", "default_float_qparams_observer_4bit"));
  table.Set("default_qat_qconfig",
            Named("default_fake_quant", "default_weight_fake_quant"));
  table.Set("default_qat_qconfig_v2",
            Named("default_fused_act_fake_quant", "default_fused_wt_fake_quant"));
  table.Set("default_dynamic_qat_qconfig",
            Named("default_dynamic_fake_quant", "default_weight_fake_quant"));
  table.Set("default_embedding_qat_qconfig",
            Make(noop_float, NamedObserver("default_embedding_fake_quant")));
  table.Set("default_embedding_qat_qconfig_4bit",
            Make(noop_float, NamedObserver("default_embedding_fake_quant_4bit")));
  table.Set("default_weight_only_qconfig",
            Make(identity, NamedObserver("default_weight_fake_quant")));
  table.Set("default_activation_only_qconfig",
            Make(NamedObserver("default_fake_quant"), identity));
  table.Set("default_reuse_input_qconfig",
            Make(NamedObserver("default_reuse_input_observer"),
                 ObserverConstructor("NoopObserver")));
  table.Set("default_quint8_weight_qconfig",
            Make(ObserverConstructor("HistogramObserver"),
                 ObserverConstructor("MinMaxObserver")));
  table.Set(
      "default_symmetric_qnnpack_qconfig",
      Make(symmetric_activation, NamedObserver("weight_observer_range_neg_127_to_127")));
  table.Set("default_per_channel_symmetric_qnnpack_qconfig",
            Make(symmetric_activation,
                 NamedObserver("per_channel_weight_observer_range_neg_127_to_127")));
  table.Set("default_symmetric_qnnpack_qat_qconfig",
            Make(symmetric_qat_activation,
                 NamedObserver("fused_wt_fake_quant_range_neg_127_to_127")));
  table.Set("default_per_channel_symmetric_qnnpack_qat_qconfig",
            Make(symmetric_qat_activation,
                 NamedObserver("fused_per_channel_wt_fake_quant_range_neg_127_to_127")));
  table.Set("_default_fp32_placeholder_qconfig",
            Make(placeholder(DType::kFloat32), placeholder(DType::kFloat32)));
  table.Set("_default_quint8_placeholder_qconfig",
            Make(placeholder(DType::kQUInt8), std::nullopt));
  return table;
}

const OrderedMap<QConfigPointer>& Table() {
  static const OrderedMap<QConfigPointer> table = Build();
  return table;
}

}  // namespace

QConfigPointer NamedQConfig(const std::string& name) {
  const QConfigPointer* found = Table().Find(name);
  return found == nullptr ? nullptr : *found;
}

const std::vector<std::string>& QConfigNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, qconfig] : Table()) list.push_back(name);
    return list;
  }();
  return names;
}

QConfigPointer GetDefaultQConfig(const std::string& backend_name, int version) {
  const Backend& backend = FindBackend(backend_name);
  if (version != 0) {
    throw PipelineError("AssertionError",
                        "version " + std::to_string(version) +
                            " of the default qconfig is not supported, only 0");
  }
  return Make(
      ObserverConstructor("HistogramObserver", {{"reduce_range", backend.reduce_range}}),
      NamedObserver(backend.per_channel ? "default_per_channel_weight_observer"
                                        : "default_weight_observer"));
}

QConfigPointer GetDefaultQatQConfig(const std::string& backend_name, int version) {
  const Backend& backend = FindBackend(backend_name);
  if (version != 0 && version != 1) {
    throw PipelineError("AssertionError",
                        "version " + std::to_string(version) +
                            " of the default QAT qconfig is not supported, only 0 and 1");
  }
  OrderedMap<Argument> kwargs = {{"quant_min", 0}, {"quant_max", 255}};
  if (backend.qat_sets_reduce_range) kwargs.Set("reduce_range", backend.reduce_range);
  const bool fused = version == 1;
  ObserverConstructor activation(
      fused ? "FusedMovingAvgObsFakeQuantize" : "FakeQuantize", std::move(kwargs),
      std::make_shared<ObserverConstructor>("MovingAverageMinMaxObserver"));
  const char* weight = nullptr;
  if (backend.per_channel) {
    weight = fused ? "default_fused_per_channel_wt_fake_quant"
                   : "default_per_channel_weight_fake_quant";
  } else {
    weight = fused ? "default_fused_wt_fake_quant" : "default_weight_fake_quant";
  }
  return Make(std::move(activation), NamedObserver(weight));
}

}  // namespace qconform
