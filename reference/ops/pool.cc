#include "reference/ops/pool.h"

namespace qconform {

std::vector<int64_t> SpatialIntegers(const Call& call, size_t position,
                                     const char* keyword, int spatial, int64_t fallback) {
  std::vector<int64_t> values =
      call.OptionalIntegers(position, keyword).value_or(Shape{fallback});
  if (values.size() == 1) values.resize(static_cast<size_t>(spatial), values[0]);
  if (values.size() != static_cast<size_t>(spatial)) {
    call.Fail(std::string(keyword) + " has " + std::to_string(values.size()) + " values",
              "1 or " + std::to_string(spatial));
  }
  return values;
}

PoolSettings ReadPoolSettings(const Call& call, int spatial) {
  PoolSettings settings;
  call.Integers(1, "kernel_size");
  settings.kernel = SpatialIntegers(call, 1, "kernel_size", spatial, 1);
  const std::optional<std::vector<int64_t>> stride = call.OptionalIntegers(2, "stride");
  settings.stride = stride && !stride->empty()
                        ? SpatialIntegers(call, 2, "stride", spatial, 1)
                        : settings.kernel;
  settings.padding = SpatialIntegers(call, 3, "padding", spatial, 0);
  settings.dilation.assign(static_cast<size_t>(spatial), 1);
  for (size_t axis = 0; axis < settings.kernel.size(); ++axis) {
    if (settings.kernel[axis] < 1 || settings.stride[axis] < 1 ||
        settings.padding[axis] < 0 ||
        settings.padding[axis] > settings.kernel[axis] / 2) {
      call.Fail("kernel " + ShapeText(settings.kernel) + ", stride " +
                    ShapeText(settings.stride) + ", padding " +
                    ShapeText(settings.padding),
                "positive ones, padding at most half the kernel");
    }
  }
  return settings;
}

int64_t PooledSize(int64_t size, const PoolSettings& settings, size_t axis,
                   const Call& call) {
  const int64_t stride = settings.stride[axis];
  const int64_t padding = settings.padding[axis];
  const int64_t reach = settings.dilation[axis] * (settings.kernel[axis] - 1) + 1;
  const int64_t span = size + 2 * padding - reach;
  if (span < 0) {
    call.Fail("axis of " + std::to_string(size) + " is shorter than the window of " +
              std::to_string(reach));
  }
  int64_t count = (settings.ceil_mode ? span + stride - 1 : span) / stride + 1;
  // A window that would start in the right padding does not count.
  if (settings.ceil_mode && (count - 1) * stride >= size + padding) --count;
  return count;
}

}  // namespace qconform
