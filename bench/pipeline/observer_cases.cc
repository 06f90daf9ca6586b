#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "bench/pipeline/pipeline_case.h"
#include "datasets/fills.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/histogram_observer.h"
#include "reference/observe/make_observer.h"

namespace qconform::bench {
namespace {

constexpr int64_t kElements = int64_t{1} << 24;
constexpr double kBytes = 4.0 * kElements;

// Uniform in [-4, 4), and what a plain loop says about it.
struct Input {
  Tensor x = Tensor(DType::kFloat32, {kElements});
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();

  Input() {
    const FillStream stream("bench/pipeline", "x");
    float* values = x.data<float>();
    for (int64_t i = 0; i < kElements; ++i) {
      values[i] = static_cast<float>(8 * stream.UniformAt(i) - 4);
      if (values[i] < min) min = values[i];
      if (values[i] > max) max = values[i];
    }
  }
};

enum class Keeps { kNothing, kRange, kChannels, kCounts, kCopy };

// The smallest and largest value of every channel by a plain loop.
std::string WrongChannels(const Observer& observer, const Tensor& x, int axis) {
  int64_t inner = 1;
  for (int i = axis + 1; i < x.rank(); ++i) inner *= x.dim(i);
  const int64_t channels = x.dim(axis);
  const auto size = static_cast<size_t>(channels);
  std::vector<float> min(size, std::numeric_limits<float>::infinity());
  std::vector<float> max(size, -std::numeric_limits<float>::infinity());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const auto c = static_cast<size_t>(i / inner % channels);
    const float value = x.data<float>()[i];
    if (value < min[c]) min[c] = value;
    if (value > max[c]) max[c] = value;
  }
  const OrderedMap<Tensor> buffers = observer.Buffers();
  const auto equal = [&](const char* name, const std::vector<float>& values) {
    const Tensor expected = Tensor::FromVector(DType::kFloat32, {channels}, values);
    return BitEqual(*buffers.Find(name), expected);
  };
  return equal("min_val", min) && equal("max_val", max) ? "" : "a channel's range";
}

std::string WrongCounts(const Observer& observer, const Input& input) {
  const auto& histogram = dynamic_cast<const HistogramObserver&>(observer);
  double total = 0;
  for (const float count : histogram.histogram()) total += count;
  const bool right = histogram.min_value() == input.min &&
                     histogram.max_value() == input.max &&
                     std::fmod(total, static_cast<double>(kElements)) == 0;
  return right ? "" : "the histogram's range or number of values";
}

// y by the formula, value for value.
std::string WrongValues(const FakeQuantizeObserver& observer, const Tensor& x,
                        const Tensor& y, int axis) {
  int64_t inner = 1;
  for (int i = axis + 1; i < x.rank(); ++i) inner *= x.dim(i);
  const int64_t channels = observer.scale().numel();
  const auto min = static_cast<float>(*observer.quant_min);
  const auto max = static_cast<float>(*observer.quant_max);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const int64_t c = channels == 1 ? 0 : i / inner % channels;
    const float scale = observer.scale().data<float>()[c];
    const auto zero = static_cast<float>(observer.zero_point().ValueAt(c));
    const float code = std::rint(x.data<float>()[i] * (1.0f / scale)) + zero;
    const float value = (std::fmin(std::fmax(code, min), max) - zero) * scale;
    if (y.data<float>()[i] != value) return "value " + std::to_string(i);
  }
  return "";
}

PipelineCase ObserverCase(const std::string& name, const ObserverConstructor& constructor,
                          Keeps keeps, const std::shared_ptr<Input>& input, Shape shape,
                          int axis) {
  const Tensor x = input->x.Reshaped(std::move(shape));
  // A recording observer would keep every one of its copies: a new one for each run.
  const auto observer = std::make_shared<std::shared_ptr<Observer>>();
  PipelineCase result;
  result.name = "observer/" + name;
  result.run = [=] {
    if (*observer == nullptr || keeps == Keeps::kCopy)
      *observer = MakeObserver(constructor);
    (*observer)->Observe(x);
  };
  result.wrong = [=]() -> std::string {
    if (keeps == Keeps::kChannels) return WrongChannels(**observer, x, axis);
    if (keeps == Keeps::kCounts) return WrongCounts(**observer, *input);
    if (keeps != Keeps::kRange) return "";
    const OrderedMap<Tensor> buffers = (*observer)->Buffers();
    const bool right = buffers.Find("min_val")->ValueAt(0) == input->min &&
                       buffers.Find("max_val")->ValueAt(0) == input->max;
    return right ? "" : "the range";
  };
  // A histogram's range must be known before a value can be counted.
  if (keeps == Keeps::kCopy) result.copied_bytes = 2 * kBytes;
  if (keeps == Keeps::kRange || keeps == Keeps::kChannels) result.read_bytes = kBytes;
  if (keeps == Keeps::kCounts) result.read_bytes = 2 * kBytes;
  result.aim_share = keeps == Keeps::kNothing ? 0 : 0.8;
  return result;
}

PipelineCase FakeQuantizeCase(const std::string& name,
                              const ObserverConstructor& constructor, bool observes,
                              const std::shared_ptr<Input>& input, Shape shape,
                              int axis) {
  const Tensor x = input->x.Reshaped(std::move(shape));
  const auto observer =
      std::dynamic_pointer_cast<FakeQuantizeObserver>(MakeObserver(constructor));
  // The parameters of a few values, where the observer then stays off.
  const bool is_fixed = constructor.class_name == "FixedQParamsFakeQuantize";
  if (!observes && !is_fixed) observer->Forward(x);
  observer->observer_enabled = observes;
  const auto y = std::make_shared<Tensor>();
  PipelineCase result;
  result.name = "fake_quantize/" + name;
  result.run = [=] {
    *y = Tensor();
    *y = observer->Forward(x);
  };
  result.wrong = [=] { return WrongValues(*observer, x, *y, axis); };
  if (observes) result.read_bytes = kBytes;
  result.copied_bytes = 2 * kBytes;
  result.aim_share = 0.8;
  return result;
}

}  // namespace

std::vector<PipelineCase> ObserverCases() {
  const auto input = std::make_shared<Input>();
  const Shape matrix = {4096, 4096};
  const Shape images = {64, 64, 64, 64};
  const auto constructor = [](const std::string& name,
                              OrderedMap<Argument> settings = {}) {
    return ObserverConstructor(name, std::move(settings));
  };
  const auto channels = [&](const std::string& name, int axis) {
    return constructor(name, {{"ch_axis", axis},
                              {"dtype", DType::kQInt8},
                              {"qscheme", "torch.per_channel_symmetric"}});
  };
  const auto fake = [&](const std::string& name, const ObserverConstructor& inner,
                        OrderedMap<Argument> settings) {
    ObserverConstructor made(name, std::move(settings));
    made.observer = std::make_shared<ObserverConstructor>(inner);
    return made;
  };
  const std::string moving = "MovingAverageMinMaxObserver";
  const std::string by_channel = "PerChannelMinMaxObserver";
  const std::string moving_by_channel = "MovingAveragePerChannelMinMaxObserver";
  const ObserverConstructor fixed =
      constructor("FixedQParamsObserver", {{"scale", 1.0 / 256}, {"zero_point", 0}});
  const OrderedMap<Argument> u8 = {{"quant_min", 0}, {"quant_max", 255}};
  const OrderedMap<Argument> s8 = {{"quant_min", -128}, {"quant_max", 127}};
  return {
      ObserverCase("MinMaxObserver", constructor("MinMaxObserver"), Keeps::kRange, input,
                   matrix, 0),
      ObserverCase(moving, constructor(moving), Keeps::kRange, input, matrix, 0),
      ObserverCase(by_channel + "/axis:0", channels(by_channel, 0), Keeps::kChannels,
                   input, matrix, 0),
      ObserverCase(by_channel + "/axis:1", channels(by_channel, 1), Keeps::kChannels,
                   input, matrix, 1),
      ObserverCase(by_channel + "/axis:1_of_4", channels(by_channel, 1), Keeps::kChannels,
                   input, images, 1),
      ObserverCase(moving_by_channel + "/axis:0", channels(moving_by_channel, 0),
                   Keeps::kChannels, input, matrix, 0),
      ObserverCase(moving_by_channel + "/axis:1", channels(moving_by_channel, 1),
                   Keeps::kChannels, input, matrix, 1),
      ObserverCase("HistogramObserver", constructor("HistogramObserver"), Keeps::kCounts,
                   input, matrix, 0),
      ObserverCase("FixedQParamsObserver", fixed, Keeps::kNothing, input, matrix, 0),
      ObserverCase("PlaceholderObserver", constructor("PlaceholderObserver"),
                   Keeps::kNothing, input, matrix, 0),
      ObserverCase("NoopObserver", constructor("NoopObserver"), Keeps::kNothing, input,
                   matrix, 0),
      ObserverCase("RecordingObserver", constructor("RecordingObserver"), Keeps::kCopy,
                   input, matrix, 0),
      FakeQuantizeCase("FakeQuantize/per_tensor",
                       fake("FakeQuantize", constructor(moving), u8), false, input,
                       matrix, 0),
      FakeQuantizeCase("FakeQuantize/per_channel/axis:0",
                       fake("FakeQuantize", channels(moving_by_channel, 0), s8), false,
                       input, matrix, 0),
      FakeQuantizeCase("FakeQuantize/per_channel/axis:1",
                       fake("FakeQuantize", channels(moving_by_channel, 1), s8), false,
                       input, matrix, 1),
      FakeQuantizeCase("FakeQuantize/observing",
                       fake("FakeQuantize", constructor(moving), u8), true, input, matrix,
                       0),
      FakeQuantizeCase("FixedQParamsFakeQuantize",
                       fake("FixedQParamsFakeQuantize", fixed, {}), false, input, matrix,
                       0),
      FakeQuantizeCase("FusedMovingAvgObsFakeQuantize/per_tensor",
                       fake("FusedMovingAvgObsFakeQuantize", constructor(moving), u8),
                       true, input, matrix, 0),
      FakeQuantizeCase(
          "FusedMovingAvgObsFakeQuantize/per_channel",
          fake("FusedMovingAvgObsFakeQuantize", channels(moving_by_channel, 0), s8), true,
          input, matrix, 0),
  };
}

}  // namespace qconform::bench
