#include "cli/parity/observer_state.h"

#include <cmath>

#include "cli/parity/compare_values.h"
#include "reference/formats/argument_json.h"
#include "reference/ir/error.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/moving_average_min_max_observer.h"
#include "reference/observe/moving_average_per_channel_min_max_observer.h"

namespace qconform::parity {
namespace {

std::string OptionalText(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "None";
}

std::optional<Difference> CompareOptional(const std::optional<int64_t>& got,
                                          const ordered_json& want,
                                          const std::string& where) {
  if (want.is_null() || !got) {
    if (want.is_null() && !got) return std::nullopt;
    return Difference{where, OptionalText(got), want.dump()};
  }
  return CompareNumbers(static_cast<double>(*got), want, where);
}

double AveragingConstant(const Observer& observer) {
  if (const auto* one = dynamic_cast<const MovingAverageMinMaxObserver*>(&observer)) {
    return one->averaging_constant();
  }
  if (const auto* many =
          dynamic_cast<const MovingAveragePerChannelMinMaxObserver*>(&observer)) {
    return many->averaging_constant();
  }
  return std::nan("");
}

// hist_sum, histogram, bins and search of a HistogramObserver.
std::optional<Difference> CompareHistogram(const HistogramObserver& observer,
                                           const std::string& key,
                                           const ordered_json& want,
                                           const std::string& where) {
  if (key == "bins") {
    return CompareNumbers(static_cast<double>(observer.bins()), want, where);
  }
  if (key == "histogram") {
    return CompareTensors(*observer.Buffers().Find("histogram"), want, where);
  }
  if (key == "hist_sum") {
    double sum = 0;
    for (const float count : observer.histogram()) sum += count;
    return CompareNumbers(sum, want, where);
  }
  const ClippedRange range = observer.Search();
  auto difference = CompareNumbers(range.min, want.at(0), where + "[0]");
  if (!difference) difference = CompareNumbers(range.max, want.at(1), where + "[1]");
  return difference;
}

std::optional<Difference> CompareMember(const Observer& observer, const std::string& key,
                                        const ordered_json& want,
                                        const std::string& where) {
  if (key == "class") return CompareText(observer.class_name, want, where);
  if (key == "dtype") {
    return CompareText("torch." + std::string(DTypeName(observer.dtype)), want, where);
  }
  if (key == "qscheme") {
    return CompareText("torch." + std::string(QSchemeName(observer.qscheme)), want,
                       where);
  }
  if (key == "quant_min") return CompareOptional(observer.quant_min, want, where);
  if (key == "quant_max") return CompareOptional(observer.quant_max, want, where);
  if (key == "reduce_range") return CompareNumbers(observer.reduce_range, want, where);
  if (key == "is_dynamic") return CompareNumbers(observer.is_dynamic, want, where);
  if (key == "has_customized_qrange") {
    return CompareNumbers(observer.has_customized_qrange, want, where);
  }
  if (key == "eps") return CompareNumbers(observer.eps, want, where);
  if (key == "ch_axis") return CompareNumbers(observer.ch_axis, want, where);
  if (key == "averaging_constant") {
    return CompareNumbers(AveragingConstant(observer), want, where);
  }
  if (key == "min_val" || key == "max_val" || key == "scale" || key == "zero_point") {
    const OrderedMap<Tensor> buffers = observer.Buffers();
    const Tensor* buffer = buffers.Find(key);
    if (buffer == nullptr) return Difference{where, "no such buffer", want.dump()};
    return CompareTensors(*buffer, want, where);
  }
  if (const auto* histogram = dynamic_cast<const HistogramObserver*>(&observer)) {
    return CompareHistogram(*histogram, key, want, where);
  }
  return Difference{where, "not compared", want.dump()};
}

}  // namespace

ObserverConstructor ConstructorFromJson(const std::string& class_name,
                                        const ordered_json& kwargs,
                                        const std::string& prefix) {
  ObserverConstructor constructor(prefix + class_name);
  for (const auto& [key, value] : kwargs.items()) {
    if (key == "observer") {
      constructor.observer = std::make_shared<ObserverConstructor>(ConstructorFromJson(
          value.at("class").get<std::string>(), value.at("kwargs"), prefix));
    } else {
      constructor.kwargs.Set(key, ArgumentFromJson(value));
    }
  }
  return constructor;
}

std::optional<Difference> CompareRange(const Observer& observer,
                                       const ordered_json& min_value,
                                       const ordered_json& max_value,
                                       const std::string& where) {
  auto difference = CompareMember(observer, "min_val", min_value, where + ".min");
  if (!difference) {
    difference = CompareMember(observer, "max_val", max_value, where + ".max");
  }
  return difference;
}

std::optional<Difference> CompareState(const Observer& observer,
                                       const ordered_json& state,
                                       const std::string& where) {
  for (const auto& [key, want] : state.items()) {
    // torch's custom_op only names an operator that fusion passes look for; nothing
    // here sets one.
    if (key == "custom_op") {
      if (want == "") continue;
      return Difference{where + "." + key, "''", want.dump()};
    }
    if (auto difference = CompareMember(observer, key, want, where + "." + key)) {
      return difference;
    }
  }
  return std::nullopt;
}

std::optional<Difference> CompareQparams(const Observer& observer,
                                         const ordered_json& want,
                                         const std::string& where) {
  try {
    const Qparams got = observer.CalculateQparams();
    if (want.contains("error")) return Difference{where, "no error", want.dump()};
    auto difference = CompareTensors(got.scale, want.at("scale"), where + ".scale");
    if (!difference) {
      difference =
          CompareTensors(got.zero_point, want.at("zero_point"), where + ".zero_point");
    }
    return difference;
  } catch (const PipelineError& error) {
    if (!want.contains("error")) return Difference{where, error.kind(), want.dump()};
    return CompareText(error.kind(), ErrorKind(want.at("error")), where + ".error");
  }
}

std::string ErrorKind(const ordered_json& error) {
  if (error.is_object() && error.contains("type")) return error.at("type");
  if (error.is_object() && error.contains("error")) return ErrorKind(error.at("error"));
  const std::string text = error.get<std::string>();
  return text.substr(0, text.find(':'));
}

}  // namespace qconform::parity
