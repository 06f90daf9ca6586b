#include <algorithm>

#include "reference/ops/axis.h"
#include "reference/ops/convolution.h"
#include "reference/ops/elements.h"
#include "reference/ops/gather.h"

namespace qconform {

Tensor ConvolveTransposed(const Tensor& input, const Tensor& weight, const Tensor* bias,
                          const TransposedSettings& settings, const Call& call) {
  if (input.rank() == weight.rank() - 1) {
    return DropLeadingAxis(
        ConvolveTransposed(AddLeadingAxis(input), weight, bias, settings, call));
  }
  const int64_t groups = settings.groups;
  const int64_t group_out = weight.dim(1);
  CheckConvolution(input, weight, bias, groups, weight.dim(0), group_out * groups, call);

  const size_t spatial = static_cast<size_t>(weight.rank()) - 2;
  AxisSources spread = IdentitySources(input.shape());
  AxisSources flipped = IdentitySources(weight.shape());
  ConvolutionSettings plain;
  plain.groups = groups;
  for (size_t axis = 0; axis < spatial; ++axis) {
    const int64_t size = input.shape()[axis + 2];
    const int64_t kernel = weight.shape()[axis + 2];
    const int64_t stride = settings.stride[axis];
    const int64_t dilation = settings.dilation[axis];
    const int64_t extra = settings.output_padding[axis];
    if (stride < 1 || dilation < 1 || kernel < 1 || extra < 0 ||
        (extra >= stride && extra >= dilation)) {
      call.Fail("stride " + std::to_string(stride) + ", dilation " +
                    std::to_string(dilation) + ", output_padding " +
                    std::to_string(extra),
                "output_padding below stride or dilation");
    }
    const int64_t border = dilation * (kernel - 1) - settings.padding[axis];
    const int64_t length = (size - 1) * stride + 1 + 2 * border + extra;
    if (size < 1 || length < dilation * (kernel - 1) + 1) {
      call.Fail("the result of input " + ShapeText(input.shape()) + " is empty");
    }
    std::vector<int64_t>& sources = spread[axis + 2];
    sources.assign(static_cast<size_t>(length), -1);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t position = i - border;
      if (position >= 0 && position % stride == 0 && position / stride < size) {
        sources[static_cast<size_t>(i)] = position / stride;
      }
    }
    std::reverse(flipped[axis + 2].begin(), flipped[axis + 2].end());
    plain.stride.push_back(1);
    plain.dilation.push_back(dilation);
    plain.padding.emplace_back(0, 0);
  }
  // [groups * in, out, kernel] -> [groups * out, in, kernel], kernel reversed.
  const Tensor reversed = GatherAxes(weight, flipped);
  Shape shape = weight.shape();
  shape[0] = group_out * groups;
  shape[1] = weight.dim(0) / groups;
  const int64_t kernel_size = NumElements({shape.begin() + 2, shape.end()});
  Tensor turned(weight.dtype(), shape);
  const size_t run = static_cast<size_t>(kernel_size) * ItemSize(weight.dtype());
  for (int64_t out = 0; out < shape[0]; ++out) {
    for (int64_t in = 0; in < shape[1]; ++in) {
      const int64_t from =
          (out / group_out * shape[1] + in) * group_out + out % group_out;
      std::copy_n(reversed.bytes() + static_cast<size_t>(from) * run, run,
                  turned.bytes() + static_cast<size_t>(out * shape[1] + in) * run);
    }
  }
  return Convolve(GatherAxes(input, spread), turned, bias, plain, call);
}

}  // namespace qconform
