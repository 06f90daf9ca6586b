// max_pool, avg_pool and adaptive pools. Averages are summed in float32 in row-major
// order, as torch does; avg_pool divides once, adaptive pools once for each axis.
#include <algorithm>
#include <limits>

#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/pool.h"
#include "reference/ops/reduce.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// Checks the rank and splits the shape into leading axes and spatial ones.
Shape SpatialSizes(const Tensor& input, int spatial, const Call& call) {
  if (input.rank() != spatial + 1 && input.rank() != spatial + 2) {
    call.Fail(
        "input of shape " + ShapeText(input.shape()),
        "rank " + std::to_string(spatial + 1) + " or " + std::to_string(spatial + 2));
  }
  return {input.shape().end() - spatial, input.shape().end()};
}

template <typename T, typename Reduce>
Tensor Pool(const Tensor& input, const Shape& sizes, const AxisWindows& windows,
            Reduce reduce) {
  Shape shape = input.shape();
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    shape[shape.size() - sizes.size() + axis] =
        static_cast<int64_t>(windows[axis].size());
  }
  const ElementReader<T> reader(input);
  int64_t planes = 1;
  for (size_t axis = 0; axis + sizes.size() < shape.size(); ++axis) {
    planes *= shape[axis];
  }
  return MakeTensor<T>(input.dtype(), shape, [&](T* out) {
    ForEachWindow(reader.data(), out, planes, sizes, windows, reduce);
  });
}

template <typename T>
Tensor MaxPoolAs(const Tensor& input, const Shape& sizes, const AxisWindows& windows) {
  return Pool<T>(input, sizes, windows,
                 [](const T* plane, const Window* chosen, const int64_t* strides) {
                   T largest = std::numeric_limits<T>::lowest();
                   if constexpr (std::is_floating_point_v<T>) {
                     largest = -std::numeric_limits<T>::infinity();
                   }
                   VisitWindow(plane, chosen, strides, [&](T x) {
                     if (x > largest || x != x) largest = x;
                   });
                   return largest;
                 });
}

Tensor MaxOf(const Tensor& input, const Shape& sizes, const AxisWindows& windows) {
  switch (ArithmeticTypeOf(input.dtype())) {
    case ArithmeticType::kFloat:
      return MaxPoolAs<float>(input, sizes, windows);
    case ArithmeticType::kDouble:
      return MaxPoolAs<double>(input, sizes, windows);
    case ArithmeticType::kInteger:
      break;
  }
  return MaxPoolAs<int64_t>(input, sizes, windows);
}

FunctionDefinition MaxPool(int spatial) {
  return [spatial](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    const Shape sizes = SpatialSizes(input, spatial, call);
    PoolSettings settings = ReadPoolSettings(call, spatial);
    settings.dilation = SpatialIntegers(call, 4, "dilation", spatial, 1);
    settings.ceil_mode = call.Boolean(5, "ceil_mode", false);
    if (call.Boolean(6, "return_indices", false)) call.Fail("return_indices is set");
    AxisWindows windows(sizes.size());
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      const int64_t step = settings.dilation[axis];
      if (step < 1) call.Fail("dilation " + std::to_string(step), "a positive one");
      const int64_t count = PooledSize(sizes[axis], settings, axis, call);
      for (int64_t i = 0; i < count; ++i) {
        int64_t begin = i * settings.stride[axis] - settings.padding[axis];
        const int64_t end =
            std::min(begin + step * (settings.kernel[axis] - 1) + 1, sizes[axis]);
        // The first position inside, on the window's own grid.
        if (begin < 0) begin += (-begin + step - 1) / step * step;
        windows[axis].push_back({begin, end, step, 1});
      }
    }
    return MaxOf(input, sizes, windows);
  };
}

// The sum over a window divided by its counts: by their product, or one by one.
template <typename T>
Tensor AverageAs(const Tensor& input, const Shape& sizes, const AxisWindows& windows,
                 bool divide_once) {
  return Pool<T>(
      input, sizes, windows,
      [divide_once](const T* plane, const Window* chosen, const int64_t* strides) {
        T sum = T(0);
        VisitWindow(plane, chosen, strides, [&](T x) { sum += x; });
        const int64_t i = chosen[0].count;
        const int64_t j = chosen[1].count;
        const int64_t k = chosen[2].count;
        if (divide_once) return sum / static_cast<T>(i * j * k);
        return sum / static_cast<T>(i) / static_cast<T>(j) / static_cast<T>(k);
      });
}

Tensor AverageOf(const Tensor& input, const Shape& sizes, const AxisWindows& windows,
                 bool divide_once) {
  if (input.dtype() == DType::kFloat64) {
    return AverageAs<double>(input, sizes, windows, divide_once);
  }
  return AverageAs<float>(input, sizes, windows, divide_once);
}

void CheckFloating(const Tensor& input, const Call& call) {
  if (!IsFloatingDType(input.dtype())) {
    call.Fail("input is " + ValueText(input), "a floating tensor");
  }
}

FunctionDefinition AveragePool(int spatial) {
  return [spatial](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    CheckFloating(input, call);
    const Shape sizes = SpatialSizes(input, spatial, call);
    PoolSettings settings = ReadPoolSettings(call, spatial);
    settings.ceil_mode = call.Boolean(4, "ceil_mode", false);
    const bool count_padding = call.Boolean(5, "count_include_pad", true);
    const std::optional<int64_t> divisor = call.OptionalInteger(6, "divisor_override");
    if (divisor && *divisor == 0) call.Fail("divisor_override is 0");
    AxisWindows windows(sizes.size());
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      const int64_t size = sizes[axis];
      const int64_t windows_count = PooledSize(size, settings, axis, call);
      for (int64_t i = 0; i < windows_count; ++i) {
        const int64_t begin = i * settings.stride[axis] - settings.padding[axis];
        const int64_t end =
            std::min(begin + settings.kernel[axis], size + settings.padding[axis]);
        Window window{std::max<int64_t>(begin, 0), std::min(end, size)};
        window.count = count_padding ? end - begin : window.end - window.begin;
        // One axis carries the whole divisor.
        if (divisor) window.count = axis == 0 ? *divisor : 1;
        windows[axis].push_back(window);
      }
    }
    return AverageOf(input, sizes, windows, true);
  };
}

// Index i of n covers [floor(i * size / n), ceil((i + 1) * size / n)).
AxisWindows AdaptiveWindows(const Call& call, const Shape& sizes) {
  const Value& given = call.Get(1, "output_size");
  std::vector<Value> targets(sizes.size(), given);
  if (const ValueSequence* sequence = given.As<ValueSequence>()) {
    if (sequence->items.size() == sizes.size()) {
      targets = sequence->items;
    } else if (sequence->items.size() == 1) {
      targets.assign(sizes.size(), sequence->items[0]);
    } else {
      call.Fail("output_size is " + ValueText(given), std::to_string(sizes.size()));
    }
  }
  AxisWindows windows(sizes.size());
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    const int64_t size = sizes[axis];
    const int64_t* count = targets[axis].As<int64_t>();
    if (count == nullptr ? !targets[axis].IsNone() : *count < 0) {
      call.Fail("output_size is " + ValueText(targets[axis]), "None or a size");
    }
    const int64_t n = count == nullptr ? size : *count;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t begin = i * size / n;
      const int64_t end = ((i + 1) * size + n - 1) / n;
      if (end <= begin) call.Fail("axis of size 0");
      windows[axis].push_back({begin, end, 1, end - begin});
    }
  }
  return windows;
}

FunctionDefinition AdaptivePool(int spatial, bool maximum) {
  return [spatial, maximum](const Call& call) -> Value {
    const Tensor& input = PlainTensor(call, 0, "input");
    CheckFloating(input, call);
    const Shape sizes = SpatialSizes(input, spatial, call);
    if (maximum && call.Boolean(2, "return_indices", false)) {
      call.Fail("return_indices is set");
    }
    const AxisWindows windows = AdaptiveWindows(call, sizes);
    if (maximum) return MaxOf(input, sizes, windows);
    // Pooling to one element is torch.mean there.
    bool whole = spatial >= 2;
    for (const auto& axis : windows) whole = whole && axis.size() == 1;
    if (!whole) return AverageOf(input, sizes, windows, false);
    Shape shape = input.shape();
    std::fill(shape.end() - spatial, shape.end(), 1);
    return MeanOfTrailing(input, spatial).Reshaped(std::move(shape));
  };
}

}  // namespace

void AddPools(Registry& registry) {
  for (int spatial = 1; spatial <= 3; ++spatial) {
    const std::string dimensions = std::to_string(spatial) + "d";
    const auto add = [&](const std::string& function, const std::string& type,
                         const FunctionDefinition& definition,
                         std::vector<std::string> settings) {
      AddNnFunction(registry, function + dimensions, definition);
      registry.AddFunction("torch." + function + dimensions, definition);
      AddModuleAsFunction(registry, "torch.nn." + type + dimensions, definition,
                          std::move(settings));
    };
    add("max_pool", "MaxPool", MaxPool(spatial),
        {"kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"});
    std::vector<std::string> average = {"kernel_size", "stride", "padding", "ceil_mode",
                                        "count_include_pad"};
    if (spatial > 1) average.push_back("divisor_override");
    add("avg_pool", "AvgPool", AveragePool(spatial), average);
    add("adaptive_avg_pool", "AdaptiveAvgPool", AdaptivePool(spatial, false),
        {"output_size"});
    add("adaptive_max_pool", "AdaptiveMaxPool", AdaptivePool(spatial, true),
        {"output_size", "return_indices"});
  }
}

}  // namespace qconform
