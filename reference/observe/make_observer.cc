#include "reference/observe/make_observer.h"

#include <string_view>

#include "reference/ir/error.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/fixed_qparams_observer.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/moving_average_min_max_observer.h"
#include "reference/observe/moving_average_per_channel_min_max_observer.h"
#include "reference/observe/placeholder_observer.h"
#include "reference/observe/quant_range.h"
#include "reference/observe/recording_observer.h"

namespace qconform {
namespace {

template <typename Class>
std::shared_ptr<Observer> MakeOne(ObserverArguments& arguments) {
  return std::make_shared<Class>(arguments);
}

// "torch.ao.quantization.observer.MinMaxObserver" -> "MinMaxObserver"; a user's class
// keeps its module.
std::string WithoutModule(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || !name.starts_with("torch")) return name;
  return name.substr(dot + 1);
}

std::shared_ptr<Observer> MakePlain(const std::string& full_name,
                                    const OrderedMap<Argument>& kwargs, Mode mode) {
  const std::string name = WithoutModule(full_name);
  // default_activation_only_qconfig has it as weight; prepare asks it for its dtype.
  if (name == "Identity") {
    throw PipelineError("AttributeError", "'Identity' object has no attribute 'dtype'");
  }
  const ObserverFactory& make = ObserverFactories().Get(name);
  ObserverArguments arguments(name, kwargs, mode);
  std::shared_ptr<Observer> observer = make(arguments);
  observer->mode = mode;
  observer->torchao = full_name.starts_with("torchao.");
  return observer;
}

// The dtype that the observer inside will have.
DType InnerDType(ObserverArguments& arguments,
                 const OrderedMap<Argument>& observer_kwargs) {
  const DType dtype = arguments.TakeDType("dtype", DType::kQUInt8);
  return ObserverArguments(arguments.class_name(), observer_kwargs)
      .TakeDType("dtype", dtype);
}

// The checks of FakeQuantize's constructor on bounds that were both given.
void CheckBounds(DType dtype, int64_t quant_min, int64_t quant_max) {
  if (quant_min > quant_max) {
    throw PipelineError("AssertionError", "quant_min must not exceed quant_max");
  }
  if (IsFloatingDType(dtype)) {
    throw PipelineError("TypeError", "bounds of codes need an integer dtype");
  }
  const IntegerRange range = CodeRange(dtype);
  if (quant_min < range.min || quant_max > range.max) {
    throw PipelineError("AssertionError", "quant_min or quant_max lies outside of " +
                                              std::string(DTypeName(dtype)));
  }
}

std::shared_ptr<Observer> MakeInner(const ObserverConstructor& constructor,
                                    const std::string& name, bool fused, Mode mode) {
  ObserverConstructor nested("MovingAverageMinMaxObserver");
  if (constructor.observer != nullptr) nested = *constructor.observer;
  if (constructor.class_name.starts_with("torchao.") &&
      !nested.class_name.starts_with("torchao.")) {
    nested.class_name = "torchao.quantization.pt2e." + nested.class_name;
  }
  ObserverArguments arguments(name, constructor.kwargs, mode);
  std::optional<int64_t> quant_min = arguments.TakeInteger("quant_min");
  std::optional<int64_t> quant_max = arguments.TakeInteger("quant_max");
  if (fused && !constructor.kwargs.Contains("quant_min")) quant_min = 0;
  if (fused && !constructor.kwargs.Contains("quant_max")) quant_max = 255;

  OrderedMap<Argument> kwargs = nested.kwargs;
  for (const auto& [key, value] : constructor.kwargs) {
    if (key != "quant_min" && key != "quant_max" && key != "is_dynamic") {
      kwargs.Set(key, value);
    }
  }
  const DType dtype = InnerDType(arguments, nested.kwargs);
  if (mode == Mode::kStrict && (quant_min || quant_max)) {
    const QuantRange range = CalculateQuantRange({}, {}, dtype, false);
    if (!quant_min) quant_min = range.min;
    if (!quant_max) quant_max = range.max;
  }
  if (quant_min && quant_max) {
    CheckBounds(dtype, *quant_min, *quant_max);
    kwargs.Set("quant_min", *quant_min);
    kwargs.Set("quant_max", *quant_max);
  }
  kwargs.Set("is_dynamic", arguments.TakeBoolean("is_dynamic", false));
  return MakePlain(nested.class_name, kwargs, mode);
}

}  // namespace

NameTable<ObserverFactory>& ObserverFactories() {
  static auto* const table = [] {
    auto* made = new NameTable<ObserverFactory>("observer class");
    made->Add("MinMaxObserver", MakeOne<MinMaxObserver>);
    made->Add("MovingAverageMinMaxObserver", MakeOne<MovingAverageMinMaxObserver>);
    made->Add("PerChannelMinMaxObserver", MakeOne<PerChannelMinMaxObserver>);
    made->Add("MovingAveragePerChannelMinMaxObserver",
              MakeOne<MovingAveragePerChannelMinMaxObserver>);
    made->Add("HistogramObserver", MakeOne<HistogramObserver>);
    made->Add("PlaceholderObserver", MakeOne<PlaceholderObserver>);
    made->Add("NoopObserver", MakeOne<NoopObserver>);
    made->Add("ReuseInputObserver", MakeOne<ReuseInputObserver>);
    made->Add("RecordingObserver", MakeOne<RecordingObserver>);
    made->Add("FixedQParamsObserver", MakeOne<FixedQParamsObserver>);
    return made;
  }();
  return *table;
}

std::shared_ptr<Observer> MakeObserver(const ObserverConstructor& constructor,
                                       Mode mode) {
  const std::string name = WithoutModule(constructor.class_name);
  if (name == "FakeQuantize") {
    return std::make_shared<FakeQuantizeObserver>(
        name, MakeInner(constructor, name, false, mode));
  }
  if (name == "FusedMovingAvgObsFakeQuantize") {
    return std::make_shared<FusedMovingAverageFakeQuantize>(
        name, MakeInner(constructor, name, true, mode));
  }
  if (name == "FixedQParamsFakeQuantize") {
    if (constructor.observer == nullptr || !constructor.kwargs.empty()) {
      throw PipelineError("TypeError", name + " takes exactly the keyword observer");
    }
    return std::make_shared<FixedQParamsFakeQuantize>(
        name, MakeInner(constructor, name, false, mode));
  }
  return MakePlain(constructor.class_name, constructor.kwargs, mode);
}

}  // namespace qconform
