#include "reference/qconfig/observer_settings.h"

#include <cmath>
#include <string_view>

#include "reference/ir/error.h"

namespace qconform {
namespace {

enum class Family {
  kRange,        // computes a range from what it sees
  kFixed,        // FixedQParamsObserver
  kPlaceholder,  // keeps its settings only
  kBare,         // has a dtype and nothing else
  kFakeQuantize,
};

struct ObserverClass {
  std::string_view name;
  Family family;
  DType dtype;
  std::string_view qscheme;
};

constexpr std::string_view kPerTensor = "torch.per_tensor_affine";
constexpr std::string_view kPerChannel = "torch.per_channel_affine";

// Defaults of the constructors in torch.ao.quantization.observer.
constexpr ObserverClass kClasses[] = {
    {"MinMaxObserver", Family::kRange, DType::kQUInt8, kPerTensor},
    {"MovingAverageMinMaxObserver", Family::kRange, DType::kQUInt8, kPerTensor},
    {"HistogramObserver", Family::kRange, DType::kQUInt8, kPerTensor},
    {"PerChannelMinMaxObserver", Family::kRange, DType::kQUInt8, kPerChannel},
    {"MovingAveragePerChannelMinMaxObserver", Family::kRange, DType::kQUInt8,
     kPerChannel},
    {"FixedQParamsObserver", Family::kFixed, DType::kQUInt8, kPerTensor},
    {"PlaceholderObserver", Family::kPlaceholder, DType::kFloat32, kPerTensor},
    {"RecordingObserver", Family::kBare, DType::kQUInt8, ""},
    {"NoopObserver", Family::kBare, DType::kFloat16, ""},
    {"ReuseInputObserver", Family::kBare, DType::kQUInt8, ""},
    {"FakeQuantize", Family::kFakeQuantize, DType::kQUInt8, ""},
    {"FixedQParamsFakeQuantize", Family::kFakeQuantize, DType::kQUInt8, ""},
    {"FusedMovingAvgObsFakeQuantize", Family::kFakeQuantize, DType::kQUInt8, ""},
};

const ObserverClass* FindClass(std::string_view name) {
  for (const ObserverClass& entry : kClasses) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::optional<double> NumberOf(const OrderedMap<Argument>& kwargs, const char* key) {
  const Argument* value = kwargs.Find(key);
  if (value == nullptr) return std::nullopt;
  if (const int64_t* integer = value->As<int64_t>()) {
    return static_cast<double>(*integer);
  }
  if (const double* real = value->As<double>()) return *real;
  return std::nullopt;
}

std::optional<int64_t> IntegerOf(const OrderedMap<Argument>& kwargs, const char* key) {
  const std::optional<double> number = NumberOf(kwargs, key);
  if (!number || *number != std::floor(*number)) return std::nullopt;
  return static_cast<int64_t>(*number);
}

bool FlagOf(const OrderedMap<Argument>& kwargs, const char* key) {
  const Argument* value = kwargs.Find(key);
  return value != nullptr && value->As<bool>() != nullptr && *value->As<bool>();
}

int64_t FloorHalf(int64_t value) { return value >= 0 ? value / 2 : (value - 1) / 2; }

IntegerRange RangeOf(DType dtype) {
  switch (dtype) {
    case DType::kQInt8:
    case DType::kInt8:
    case DType::kQUInt8:
    case DType::kUInt8:
    case DType::kQInt32:
    case DType::kInt32:
    case DType::kUInt16:
    case DType::kInt16:
      return CodeRange(dtype);
    default:
      // Also the float8 types: torch has no case for them.
      return {0, 15};
  }
}

// (calculate_qmin_qmax)
IntegerRange RangeOf(const ObserverSettings& settings, const OrderedMap<Argument>& kwargs,
                     Mode mode) {
  const std::optional<int64_t> low = IntegerOf(kwargs, "quant_min");
  const std::optional<int64_t> high = IntegerOf(kwargs, "quant_max");
  IntegerRange range = RangeOf(settings.dtype.value_or(DType::kQUInt8));
  const bool customized = mode == Mode::kStrict ? low || high : low && high;
  if (customized) range = {low.value_or(range.min), high.value_or(range.max)};
  const bool is_8_bit = range.max - range.min == 255;
  if (settings.reduce_range && (customized || is_8_bit)) {
    range = {FloorHalf(range.min), FloorHalf(range.max)};
  }
  return range;
}

void Describe(const ObserverClass& observer, const OrderedMap<Argument>& kwargs,
              Mode mode, ObserverSettings& settings) {
  settings.dtype = observer.dtype;
  settings.qscheme = observer.qscheme;
  if (const Argument* dtype = kwargs.Find("dtype")) {
    if (const DType* value = dtype->As<DType>()) settings.dtype = *value;
  }
  if (const Argument* qscheme = kwargs.Find("qscheme")) {
    if (const std::string* value = qscheme->As<std::string>()) settings.qscheme = *value;
  }
  if (settings.IsPerChannel()) {
    settings.channel_axis = IntegerOf(kwargs, "ch_axis").value_or(0);
  }
  settings.is_dynamic = FlagOf(kwargs, "is_dynamic");
  settings.reduce_range = FlagOf(kwargs, "reduce_range");
  constexpr float kEpsilon = 1.1920928955078125e-07F;  // 2^-23
  switch (observer.family) {
    case Family::kRange: {
      const IntegerRange range = RangeOf(settings, kwargs, mode);
      settings.quant_min = range.min;
      settings.quant_max = range.max;
      settings.eps = static_cast<float>(NumberOf(kwargs, "eps").value_or(kEpsilon));
      break;
    }
    case Family::kFixed:
      settings.quant_min = IntegerOf(kwargs, "quant_min").value_or(0);
      settings.quant_max = IntegerOf(kwargs, "quant_max").value_or(255);
      settings.fixed_scale = NumberOf(kwargs, "scale");
      settings.fixed_zero_point = IntegerOf(kwargs, "zero_point");
      break;
    case Family::kPlaceholder:
      settings.quant_min = IntegerOf(kwargs, "quant_min");
      settings.quant_max = IntegerOf(kwargs, "quant_max");
      settings.eps = static_cast<float>(NumberOf(kwargs, "eps").value_or(kEpsilon));
      break;
    case Family::kBare:
    case Family::kFakeQuantize:
      break;
  }
}

}  // namespace

ObserverSettings DescribeObserver(const ObserverConstructor& constructor, Mode mode) {
  ObserverSettings settings;
  settings.class_name = settings.observer_class_name = constructor.class_name;
  const ObserverClass* observer = FindClass(constructor.class_name);
  if (observer == nullptr) {
    const ObserverDescription* describe = UserObservers().Find(constructor.class_name);
    return describe == nullptr ? settings : (*describe)(constructor);
  }
  if (observer->family != Family::kFakeQuantize) {
    Describe(*observer, constructor.kwargs, mode, settings);
    return settings;
  }
  settings.is_fake_quantize = true;
  // What a fake-quantize is given goes on to its observer.
  OrderedMap<Argument> kwargs;
  settings.observer_class_name = "MovingAverageMinMaxObserver";
  if (constructor.observer != nullptr) {
    settings.observer_class_name = constructor.observer->class_name;
    kwargs = constructor.observer->kwargs;
  }
  for (const auto& [key, value] : constructor.kwargs) kwargs.Set(key, value);
  if (constructor.class_name == "FusedMovingAvgObsFakeQuantize") {
    if (!kwargs.Contains("quant_min")) kwargs.Set("quant_min", 0);
    if (!kwargs.Contains("quant_max")) kwargs.Set("quant_max", 255);
  }
  if (const ObserverClass* inner = FindClass(settings.observer_class_name)) {
    Describe(*inner, kwargs, mode, settings);
  } else if (const ObserverDescription* describe =
                 UserObservers().Find(settings.observer_class_name)) {
    const std::string class_name = settings.class_name;
    settings = (*describe)({settings.observer_class_name, kwargs});
    settings.class_name = class_name;
    settings.is_fake_quantize = true;
  }
  return settings;
}

NameTable<ObserverDescription>& UserObservers() {
  static auto* const table = new NameTable<ObserverDescription>("observer class");
  return *table;
}

bool IsObserverClass(const std::string& class_name) {
  if (UserObservers().Find(class_name) != nullptr) return true;
  const size_t dot = class_name.rfind('.');
  if (dot == std::string::npos) return FindClass(class_name) != nullptr;
  return class_name.rfind("torch.ao.quantization.", 0) == 0 &&
         FindClass(class_name.substr(dot + 1)) != nullptr;
}

QConfigDTypes DTypesOf(const QConfig& qconfig) {
  const auto describe = [](const std::optional<ObserverConstructor>& side) {
    if (!side) throw PipelineError("TypeError", "an observer is None");
    ObserverSettings settings = DescribeObserver(*side);
    if (!settings.dtype) {
      throw PipelineError("AttributeError", side->class_name + " has no dtype");
    }
    return settings;
  };
  const ObserverSettings activation = describe(qconfig.activation);
  const ObserverSettings weight = describe(qconfig.weight);
  return {activation.dtype, weight.dtype, activation.is_dynamic};
}

}  // namespace qconform
