#include "reference/ops/convolution.h"

#include <optional>

#include "reference/ops/axis.h"
#include "reference/ops/column_product.h"
#include "reference/ops/elements.h"
#include "reference/ops/gather.h"

namespace qconform {

void CheckConvolution(const Tensor& input, const Tensor& weight, const Tensor* bias,
                      int64_t groups, int64_t in_channels, int64_t out_channels,
                      const Call& call) {
  for (const Tensor* tensor : {&input, &weight, bias}) {
    if (tensor != nullptr &&
        ArithmeticTypeOf(tensor->dtype()) != ArithmeticType::kFloat) {
      call.Fail("operand is " + ValueText(*tensor), "float32, float16 or bfloat16");
    }
  }
  if (input.rank() != weight.rank()) {
    call.Fail("input of shape " + ShapeText(input.shape()) + " for weight " +
              ShapeText(weight.shape()));
  }
  if (groups < 1 || in_channels % groups != 0 || out_channels % groups != 0 ||
      input.dim(1) != in_channels) {
    call.Fail("input of shape " + ShapeText(input.shape()) + " for weight " +
              ShapeText(weight.shape()) + " in " + std::to_string(groups) + " groups");
  }
  if (bias != nullptr && bias->shape() != Shape{out_channels}) {
    call.Fail("bias of shape " + ShapeText(bias->shape()), ShapeText({out_channels}));
  }
}

namespace {

// Offsets of all positions of a grid with the given sizes and steps (in elements),
// row-major, added to `base`.
void AppendGrid(int64_t base, const std::vector<int64_t>& sizes,
                const std::vector<int64_t>& steps, std::vector<int64_t>& offsets) {
  const int64_t total = NumElements(sizes);
  for (int64_t i = 0; i < total; ++i) {
    int64_t rest = i;
    int64_t offset = base;
    for (size_t axis = sizes.size(); axis-- > 0;) {
      offset += rest % sizes[axis] * steps[axis];
      rest /= sizes[axis];
    }
    offsets.push_back(offset);
  }
}

Tensor PadForConvolution(const Tensor& input, const ConvolutionSettings& settings,
                         const Call& call) {
  std::vector<int64_t> pads;
  bool any = false;
  for (size_t i = settings.padding.size(); i-- > 0;) {
    const auto [before, after] = settings.padding[i];
    if (before < 0 || after < 0) call.Fail("negative padding");
    pads.push_back(before);
    pads.push_back(after);
    any = any || before != 0 || after != 0;
  }
  if (!any) return input;
  return Pad(input, pads,
             settings.padding_mode == "zeros" ? "constant" : settings.padding_mode, 0.0,
             call);
}

Tensor ConvolvePadded(const Tensor& input, const Tensor& weight, const Tensor* bias,
                      const ConvolutionSettings& settings, const Call& call) {
  const size_t spatial = static_cast<size_t>(weight.rank()) - 2;
  const int64_t batch = input.dim(0);
  const int64_t out_channels = weight.dim(0);
  std::vector<int64_t> kernel(weight.shape().begin() + 2, weight.shape().end());
  std::vector<int64_t> out_sizes(spatial);
  std::vector<int64_t> steps(spatial);
  std::vector<int64_t> column_steps(spatial);
  std::vector<int64_t> kernel_steps(spatial);
  int64_t stride = 1;
  for (size_t axis = spatial; axis-- > 0;) {
    const int64_t reach = settings.dilation[axis] * (kernel[axis] - 1) + 1;
    const int64_t size = input.shape()[axis + 2];
    if (settings.stride[axis] < 1 || settings.dilation[axis] < 1 || kernel[axis] < 1 ||
        size < reach) {
      call.Fail("kernel " + ShapeText(kernel) + " does not fit padded input " +
                ShapeText(input.shape()));
    }
    out_sizes[axis] = (size - reach) / settings.stride[axis] + 1;
    column_steps[axis] = stride * settings.stride[axis];
    kernel_steps[axis] = stride * settings.dilation[axis];
    stride *= size;
  }
  const int64_t plane = stride;
  const int64_t group_channels = weight.dim(1);

  ColumnProduct product;
  product.groups = settings.groups;
  product.rows = out_channels / settings.groups;
  product.depth = group_channels * NumElements(kernel);
  const ElementReader<float> weight_reader(weight);
  const ElementReader<float> input_reader(input);
  product.weight = weight_reader.data();
  product.source = input_reader.data();
  product.source_group = group_channels * plane;
  std::optional<ElementReader<float>> bias_reader;
  if (bias != nullptr) product.bias = bias_reader.emplace(*bias).data();
  const int64_t out_plane = NumElements(out_sizes);
  product.source_column.reserve(static_cast<size_t>(batch * out_plane));
  for (int64_t n = 0; n < batch; ++n) {
    AppendGrid(n * input.dim(1) * plane, out_sizes, column_steps, product.source_column);
    for (int64_t p = 0; p < out_plane; ++p) {
      product.out_column.push_back(n * out_channels * out_plane + p);
    }
  }
  for (int64_t c = 0; c < group_channels; ++c) {
    AppendGrid(c * plane, kernel, kernel_steps, product.source_depth);
  }
  product.out_row = out_plane;
  product.out_group = product.rows * out_plane;
  Shape shape = {batch, out_channels};
  shape.insert(shape.end(), out_sizes.begin(), out_sizes.end());
  return MakeTensor<float>(input.dtype(), shape, [&](float* out) {
    product.out = out;
    Multiply(product);
  });
}

}  // namespace

Tensor Convolve(const Tensor& input, const Tensor& weight, const Tensor* bias,
                const ConvolutionSettings& settings, const Call& call) {
  if (input.rank() == weight.rank() - 1) {
    return DropLeadingAxis(Convolve(AddLeadingAxis(input), weight, bias, settings, call));
  }
  CheckConvolution(input, weight, bias, settings.groups, weight.dim(1) * settings.groups,
                   weight.dim(0), call);
  return ConvolvePadded(PadForConvolution(input, settings, call), weight, bias, settings,
                        call);
}

}  // namespace qconform
