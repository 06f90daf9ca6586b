#include "bench/layer_call.h"

#include <cmath>
#include <cstring>

#include "reference/ir/splitmix64.h"

namespace qconform::bench {
namespace {

void FillBytes(CallTensor& tensor, SplitMix64& random) {
  for (std::byte& code : tensor.data) code = static_cast<std::byte>(random.Next() >> 56);
}

CallTensor Codes(qc_dtype dtype, Shape shape, std::vector<float> scale,
                 std::vector<int32_t> zero_point) {
  CallTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.scale = std::move(scale);
  tensor.zero_point = std::move(zero_point);
  tensor.data.resize(tensor.byte_size());
  return tensor;
}

}  // namespace

OperatorCall MakeLayerCall(const Layer& layer) {
  SplitMix64 random(static_cast<uint64_t>(layer.Macs()) + layer.input_channels);
  OperatorCall call;
  call.kind = layer.linear ? QC_LINEAR : QC_CONV;
  call.attributes = EmptyAttributes();
  call.attributes.activation = layer.relu ? QC_ACTIVATION_RELU : QC_ACTIVATION_NONE;
  call.scheme = "f32/one/even/bias_f32/zp_after";

  // Uniform codes have a standard deviation of 74: the sum of k products is about
  // 74 * 74 * sqrt(k), and a sixth of that to a code fills the range of the output.
  const int64_t group_inputs = layer.input_channels / layer.groups;
  const double reduction =
      static_cast<double>(group_inputs * layer.kernel_height * layer.kernel_width);
  std::vector<float> weight_scale;
  for (int64_t o = 0; o < layer.output_channels; ++o) {
    weight_scale.push_back(static_cast<float>(0.002 + 0.002 * random.Uniform()));
  }
  const float input_scale = 0.02f;
  const float output_scale =
      static_cast<float>(input_scale * 0.003 * 74.0 * 74.0 * std::sqrt(reduction) / 40.0);

  Shape input, weight, output;
  if (layer.linear) {
    input = {1, layer.input_channels};
    weight = {layer.output_channels, layer.input_channels};
    output = {1, layer.output_channels};
  } else {
    input = {1, layer.input_channels, layer.height, layer.width};
    weight = {layer.output_channels, group_inputs, layer.kernel_height,
              layer.kernel_width};
    output = {1, layer.output_channels, layer.OutputHeight(), layer.OutputWidth()};
    qc_attributes& a = call.attributes;
    a.spatial_rank = 2;
    a.groups = layer.groups;
    a.kernel[0] = layer.kernel_height;
    a.kernel[1] = layer.kernel_width;
    for (int i = 0; i < 2; ++i) {
      a.stride[i] = layer.stride;
      a.dilation[i] = 1;
      a.padding_before[i] = a.padding_after[i] = layer.padding;
    }
  }
  CallTensor x = Codes(QC_U8, input, {input_scale}, {121});
  CallTensor w =
      Codes(QC_S8, weight, weight_scale, std::vector<int32_t>(weight_scale.size(), 0));
  FillBytes(x, random);
  FillBytes(w, random);
  w.axis = 0;
  w.constant = true;
  CallTensor bias;
  bias.dtype = QC_F32;
  bias.shape = {layer.output_channels};
  bias.constant = true;
  bias.data.resize(bias.byte_size());
  for (int64_t o = 0; o < layer.output_channels; ++o) {
    const float value =
        static_cast<float>((random.Uniform() - 0.5) * 20.0) * output_scale;
    std::memcpy(bias.data.data() + 4 * o, &value, sizeof value);
  }
  call.inputs = {std::move(x), std::move(w), std::move(bias)};
  call.outputs = {Codes(QC_U8, output, {output_scale}, {layer.relu ? 0 : 118})};
  return call;
}

}  // namespace qconform::bench
