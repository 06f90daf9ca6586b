#include <cmath>

#include "cli/parity/record_json.h"
#include "reference/formats/tensor_json.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/moving_average_min_max_observer.h"
#include "reference/observe/moving_average_per_channel_min_max_observer.h"

namespace qconform::parity {
namespace {

std::string Torch(std::string_view name) { return "torch." + std::string(name); }

ordered_json OptionalInteger(const std::optional<int64_t>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json FakeQuantizeToRecord(const FakeQuantizeObserver& fake_quantize) {
  return {{"class", fake_quantize.class_name},
          {"fake_quant_enabled", fake_quantize.fake_quant_enabled ? 1 : 0},
          {"observer_enabled", fake_quantize.observer_enabled ? 1 : 0},
          {"scale_buf", TensorToJson(fake_quantize.scale())},
          {"zero_point_buf", TensorToJson(fake_quantize.zero_point())},
          {"ch_axis", fake_quantize.ch_axis},
          {"observer", ObserverToRecord(*fake_quantize.ActivationPostProcess())}};
}

// Python's float(x) of a constructor argument: integers stay integers.
ordered_json AveragingConstant(double value) {
  if (value == static_cast<int64_t>(value)) return static_cast<int64_t>(value);
  return value;
}

}  // namespace

ordered_json ObserverToRecord(const Observer& observer) {
  if (const auto* fake = dynamic_cast<const FakeQuantizeObserver*>(&observer)) {
    return FakeQuantizeToRecord(*fake);
  }
  const std::string& name = observer.class_name;
  ordered_json json = {{"class", name}, {"dtype", Torch(DTypeName(observer.dtype))}};
  json["is_dynamic"] = observer.is_dynamic;
  if (name == "RecordingObserver") return json;
  if (name == "NoopObserver" || name == "PlaceholderObserver") json["custom_op"] = "";
  if (name == "NoopObserver" || name == "ReuseInputObserver") return json;
  json["qscheme"] = Torch(QSchemeName(observer.qscheme));
  json["quant_min"] = OptionalInteger(observer.quant_min);
  json["quant_max"] = OptionalInteger(observer.quant_max);
  const OrderedMap<Tensor> buffers = observer.Buffers();
  if (name == "FixedQParamsObserver") {
    json["scale"] = TensorToJson(*buffers.Find("scale"));
    json["zero_point"] = TensorToJson(*buffers.Find("zero_point"));
    return json;
  }
  if (name == "DerivedObserverOrFakeQuantize") {
    json["ch_axis"] =
        observer.ch_axis < 0 ? ordered_json() : ordered_json(observer.ch_axis);
    return json;
  }
  json["eps"] = static_cast<double>(observer.eps);
  if (name == "PlaceholderObserver") return json;
  json["reduce_range"] = observer.reduce_range;
  json["has_customized_qrange"] = observer.has_customized_qrange;
  json["min_val"] = TensorToJson(*buffers.Find("min_val"));
  json["max_val"] = TensorToJson(*buffers.Find("max_val"));
  if (IsPerChannel(observer.qscheme)) json["ch_axis"] = observer.ch_axis;
  if (const auto* moving = dynamic_cast<const MovingAverageMinMaxObserver*>(&observer)) {
    json["averaging_constant"] = AveragingConstant(moving->averaging_constant());
  }
  if (const auto* moving =
          dynamic_cast<const MovingAveragePerChannelMinMaxObserver*>(&observer)) {
    json["averaging_constant"] = AveragingConstant(moving->averaging_constant());
  }
  if (const auto* histogram = dynamic_cast<const HistogramObserver*>(&observer)) {
    double sum = 0;
    for (float count : histogram->histogram()) sum += static_cast<double>(count);
    json["bins"] = histogram->bins();
    json["hist_sum"] = sum;
    if (!histogram->IsUninitialized()) {
      const ClippedRange range = histogram->Search();
      // Of NaN alone nothing is counted, and torch's search raises.
      if (!std::isnan(range.min)) {
        json["search"] = {static_cast<double>(range.min), static_cast<double>(range.max)};
      }
    }
  }
  return json;
}

}  // namespace qconform::parity
