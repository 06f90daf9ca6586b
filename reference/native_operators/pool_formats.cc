#include "reference/native_operators/pool_formats.h"

#include "reference/ops/pool.h"

namespace qconform {
namespace {

bool IsSequence(const std::string& name) { return name.ends_with("1d"); }

bool IsPlane(const std::string& name) { return IsSequence(name) || name.ends_with("2d"); }

bool IsAdaptive(const std::string& name) {
  return name.starts_with("adaptive") || name.starts_with("Adaptive");
}

// Its input is made so, if it is not so already.
bool IsAlwaysChannelsLast(const std::string& name) {
  return name == "avg_pool3d" || name == "AvgPool3d";
}

Placement Seen(const std::string& name, const Placement& input) {
  return IsSequence(name) && !input.shape.empty() ? input.AsImage() : input;
}

}  // namespace

bool CeilMode(const std::string& name, const Call& call, const Module* module) {
  if (module != nullptr) return module->Boolean("ceil_mode", false);
  if (name.starts_with("avg")) return call.Boolean(4, "ceil_mode", false);
  return name.starts_with("max") && call.Boolean(5, "ceil_mode", false);
}

bool IsQnnpackPool(const std::string& name, const std::string& engine, bool ceil_mode,
                   DType dtype, const Shape& input, const Shape& output) {
  if (engine != "qnnpack" || dtype != DType::kQUInt8 || !IsPlane(name) || ceil_mode) {
    return false;
  }
  if (!IsAdaptive(name)) return true;
  const size_t spatial = IsSequence(name) ? 1 : 2;
  for (size_t axis = input.size() - spatial; axis < input.size(); ++axis) {
    if (output[axis] == 0 || input[axis] % output[axis] != 0) return false;
  }
  return true;
}

Strides PooledStrides(const std::string& name, const std::string& engine, bool ceil_mode,
                      DType dtype, const Placement& input, const Shape& output) {
  const Placement seen = Seen(name, input);
  Placement result = {output, RowMajorStrides(output)};
  if (IsSequence(name)) result = result.AsImage();
  if (result.shape.size() < 4) return RowMajorStrides(output);
  bool channels_last = seen.SuggestsChannelsLast();
  if (IsQnnpackPool(name, engine, ceil_mode, dtype, input.shape, output)) {
    // Its channels-last result is made contiguous again, if it is not so already.
    const Strides own = ChannelsLastStrides(result.shape);
    channels_last = channels_last || Placement{result.shape, own}.IsRowMajor();
  } else if (IsAlwaysChannelsLast(name)) {
    channels_last = channels_last || !seen.IsChannelsLast();
  } else {
    channels_last = channels_last && seen.IsChannelsLast();
  }
  if (channels_last) result.strides = ChannelsLastStrides(result.shape);
  if (IsSequence(name)) result.strides.erase(result.strides.end() - 2);
  return result.strides;
}

bool WritesPixelByPixel(const std::string& name, const std::string& engine,
                        bool ceil_mode, DType dtype, const Placement& input,
                        const Shape& output) {
  const Placement seen = Seen(name, input);
  return seen.IsChannelsLast() && !seen.SuggestsChannelsLast() &&
         !IsQnnpackPool(name, engine, ceil_mode, dtype, input.shape, output);
}

int64_t PoolWindow(const std::string& name, const Call& settings, const Shape& input,
                   const Shape& output) {
  const int spatial = IsSequence(name) ? 1 : 2;
  if (!IsAdaptive(name)) {
    return NumElements(SpatialIntegers(settings, 1, "kernel_size", spatial, 1));
  }
  int64_t window = 1;
  for (size_t axis = input.size() - static_cast<size_t>(spatial); axis < input.size();
       ++axis) {
    window *= input[axis] / output[axis];
  }
  return window;
}

bool RoundsAveragedCode(const std::string& name, const Placement& input) {
  return !IsAlwaysChannelsLast(name) && !Seen(name, input).IsChannelsLast();
}

}  // namespace qconform
