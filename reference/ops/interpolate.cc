// torch.nn.functional.interpolate (nearest, nearest-exact, linear, bilinear) and the
// pixel shuffles.
#include "reference/numerics/resampling.h"
#include "reference/ops/axis.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/gather.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// Result sizes of the spatial axes and, where given, their scale factors.
struct Resizing {
  std::vector<int64_t> sizes;
  std::vector<double> factors;  // 0 where none is given

  ResizedAxis Axis(const Tensor& input, size_t axis) const {
    return {input.shape()[axis + 2], sizes[axis], factors[axis]};
  }
};

Resizing ReadResizing(const Call& call, const Tensor& input) {
  const size_t spatial = static_cast<size_t>(input.rank()) - 2;
  Resizing resizing;
  resizing.factors.resize(spatial);
  // Has a meaning beside a scale factor only.
  const bool recomputes = call.Boolean(5, "recompute_scale_factor", false);
  if (const auto size = call.OptionalIntegers(1, "size")) {
    const Value* factor = call.Find(2, "scale_factor");
    if (factor != nullptr && !factor->IsNone()) call.Fail("size and scale_factor given");
    resizing.sizes = *size;
    if (resizing.sizes.size() == 1) resizing.sizes.resize(spatial, (*size)[0]);
  } else {
    const Value& given = call.Get(2, "scale_factor");
    std::vector<Value> factors(spatial, given);
    if (const ValueSequence* sequence = given.As<ValueSequence>()) {
      factors = sequence->items;
    }
    if (factors.size() != spatial) call.Fail("scale_factor is " + ValueText(given));
    for (size_t axis = 0; axis < spatial; ++axis) {
      const double factor = Call(call.where(), {factors[axis]}).Real(0, "scale_factor");
      const int64_t length = input.shape()[axis + 2];
      if (!(factor > 0.0) || static_cast<double>(length) * factor > 1e9) {
        call.Fail("scale_factor " + ValueText(given));
      }
      resizing.sizes.push_back(ResizedSize(length, factor));
      resizing.factors[axis] = factor;
    }
    if (recomputes) {
      resizing.factors.assign(spatial, 0.0);
    }
  }
  if (resizing.sizes.size() != spatial) call.Fail("one size for each spatial axis");
  for (size_t axis = 0; axis < spatial; ++axis) {
    if (resizing.sizes[axis] < 1 || input.shape()[axis + 2] < 1) {
      call.Fail("resizing " + ShapeText(input.shape()) + " to " +
                ShapeText(resizing.sizes));
    }
  }
  return resizing;
}

Value Interpolate(const Call& call) {
  const Tensor& input = PlainTensor(call, 0, "input");
  if (input.rank() < 3 || input.rank() > 5) {
    call.Fail("input is " + ValueText(input), "rank 3 to 5");
  }
  const Resizing resizing = ReadResizing(call, input);
  const std::string mode = call.Text(3, "mode", "nearest");
  const bool align_corners = call.Boolean(4, "align_corners", false);
  if (call.Boolean(6, "antialias", false)) call.Fail("antialias is not supported");
  if (mode == "nearest" || mode == "nearest-exact") {
    AxisSources sources = IdentitySources(input.shape());
    for (size_t axis = 0; axis < resizing.sizes.size(); ++axis) {
      sources[axis + 2] =
          NearestSources(resizing.Axis(input, axis), mode == "nearest-exact");
    }
    return GatherAxes(input, sources);
  }
  const char* kLinear[] = {"linear", "bilinear", "trilinear"};
  if (mode != kLinear[input.rank() - 3] ||
      ArithmeticTypeOf(input.dtype()) != ArithmeticType::kFloat) {
    call.Fail("mode '" + mode + "' on " + ValueText(input),
              "nearest, nearest-exact, linear, bilinear or trilinear");
  }
  Shape shape(input.shape().begin(), input.shape().begin() + 2);
  std::vector<ResizedAxis> axes;
  for (size_t axis = 0; axis < resizing.sizes.size(); ++axis) {
    axes.push_back(resizing.Axis(input, axis));
    shape.push_back(resizing.sizes[axis]);
  }
  const ElementReader<float> reader(input);
  return MakeTensor<float>(input.dtype(), shape, [&](float* out) {
    ResizeLinearly(reader.data(), shape[0] * shape[1], axes, align_corners, out);
  });
}

// [..., C * r * r, H, W] -> [..., C, H * r, W * r]
Value PixelShuffle(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int64_t r = call.Integer(1, "upscale_factor");
  if (input.rank() < 3 || r < 1 || r > 32768 || input.dim(input.rank() - 3) % (r * r)) {
    call.Fail("upscale_factor " + std::to_string(r) + " of " + ValueText(input));
  }
  const int64_t outer = NumElements({input.shape().begin(), input.shape().end() - 3});
  const int64_t c = input.dim(input.rank() - 3) / (r * r);
  const int64_t h = input.dim(input.rank() - 2);
  const int64_t w = input.dim(input.rank() - 1);
  Shape shape(input.shape().begin(), input.shape().end() - 3);
  shape.insert(shape.end(), {c, h * r, w * r});
  return Permute(input.Reshaped({outer, c, r, r, h, w}), {0, 1, 4, 2, 5, 3})
      .Reshaped(std::move(shape));
}

Value PixelUnshuffle(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const int64_t r = call.Integer(1, "downscale_factor");
  if (input.rank() < 3 || r < 1 || r > 32768 || input.dim(input.rank() - 2) % r ||
      input.dim(input.rank() - 1) % r) {
    call.Fail("downscale_factor " + std::to_string(r) + " of " + ValueText(input));
  }
  const int64_t outer = NumElements({input.shape().begin(), input.shape().end() - 3});
  const int64_t c = input.dim(input.rank() - 3);
  const int64_t h = input.dim(input.rank() - 2) / r;
  const int64_t w = input.dim(input.rank() - 1) / r;
  Shape shape(input.shape().begin(), input.shape().end() - 3);
  shape.insert(shape.end(), {c * r * r, h, w});
  return Permute(input.Reshaped({outer, c, h, r, w, r}), {0, 1, 3, 5, 2, 4})
      .Reshaped(std::move(shape));
}

}  // namespace

void AddInterpolation(Registry& registry) {
  AddNnFunction(registry, "interpolate", Interpolate);
  AddModuleAsFunction(
      registry, "torch.nn.Upsample", Interpolate,
      {"size", "scale_factor", "mode", "align_corners", "recompute_scale_factor"});
  for (const char* prefix : {"torch.nn.functional.", "torch."}) {
    registry.AddFunction(std::string(prefix) + "pixel_shuffle", PixelShuffle);
    registry.AddFunction(std::string(prefix) + "pixel_unshuffle", PixelUnshuffle);
  }
  AddModuleAsFunction(registry, "torch.nn.PixelShuffle", PixelShuffle,
                      {"upscale_factor"});
  AddModuleAsFunction(registry, "torch.nn.PixelUnshuffle", PixelUnshuffle,
                      {"downscale_factor"});
}

}  // namespace qconform
