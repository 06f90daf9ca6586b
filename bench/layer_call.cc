#include "bench/layer_call.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "reference/ir/splitmix64.h"

namespace qconform::bench {
namespace {

constexpr float kInputScale = 0.02f;

void FillBytes(CallTensor& tensor, SplitMix64& random) {
  for (std::byte& code : tensor.data) code = static_cast<std::byte>(random.Next() >> 56);
}

// s8 codes of fewer bits.
void Narrow(CallTensor& tensor, int bits) {
  for (std::byte& code : tensor.data) {
    code = static_cast<std::byte>(static_cast<int8_t>(code) >> (8 - bits));
  }
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

CallTensor Reals(const std::vector<float>& values) {
  CallTensor tensor;
  tensor.dtype = QC_F32;
  tensor.shape = {static_cast<int64_t>(values.size())};
  tensor.constant = true;
  tensor.data.resize(tensor.byte_size());
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

// Uniform codes have a standard deviation of 74: the sum of k products of codes with
// these scales is about 74 * 74 * sqrt(k), and a sixth of that to a code fills the range.
float OutputScale(double other_scale, int64_t products, int other_bits) {
  const double narrower = 1 << (8 - other_bits);
  return static_cast<float>(kInputScale * other_scale * 74.0 * 74.0 / narrower *
                            std::sqrt(static_cast<double>(products)) / 40.0);
}

void SetWindow(qc_attributes& attributes, const Layer& layer) {
  attributes.spatial_rank = 2;
  attributes.kernel[0] = layer.kernel_height;
  attributes.kernel[1] = layer.kernel_width;
  for (int i = 0; i < 2; ++i) {
    attributes.stride[i] = layer.stride;
    attributes.dilation[i] = 1;
    attributes.padding_before[i] = attributes.padding_after[i] = layer.padding;
  }
}

void MakeWeighted(const Layer& layer, const CallOptions& options, SplitMix64& random,
                  OperatorCall& call) {
  call.scheme = "f32/one/even/bias_f32/zp_after";
  const int64_t group_inputs = layer.input_channels / layer.groups;
  std::vector<float> weight_scale;
  for (int64_t o = 0; o < layer.output_channels; ++o) {
    weight_scale.push_back(static_cast<float>(0.002 + 0.002 * random.Uniform()));
  }
  const float output_scale =
      OutputScale(0.003, group_inputs * layer.kernel_height * layer.kernel_width,
                  options.weight_bits);
  Shape input, weight, output;
  if (layer.kind == LayerKind::kLinear) {
    const int64_t rows = options.batch * layer.height * layer.width;
    input = {rows, layer.input_channels};
    weight = {layer.output_channels, layer.input_channels};
    output = {rows, layer.output_channels};
  } else {
    input = {options.batch, layer.input_channels, layer.height, layer.width};
    weight = {layer.output_channels, group_inputs, layer.kernel_height,
              layer.kernel_width};
    output = {options.batch, layer.output_channels, layer.OutputHeight(),
              layer.OutputWidth()};
    SetWindow(call.attributes, layer);
    call.attributes.groups = layer.groups;
  }
  // An observer of relu6's output sees 0 to 6: the other scales follow it.
  const bool relu6 = layer.activation == QC_ACTIVATION_RELU6;
  const float unit = relu6 ? (6.0f / 255.0f) / output_scale : 1.0f;
  const bool clipped = layer.activation != QC_ACTIVATION_NONE;
  CallTensor x = Codes(QC_U8, input, {kInputScale * unit}, {121});
  CallTensor w =
      Codes(QC_S8, weight, weight_scale, std::vector<int32_t>(weight_scale.size(), 0));
  FillBytes(x, random);
  FillBytes(w, random);
  Narrow(w, options.weight_bits);
  w.axis = 0;
  w.constant = true;
  std::vector<float> bias;
  for (int64_t o = 0; o < layer.output_channels; ++o) {
    bias.push_back(static_cast<float>((random.Uniform() - 0.5) * 20.0) * output_scale *
                   unit);
  }
  call.inputs = {std::move(x), std::move(w), Reals(bias)};
  call.outputs = {Codes(QC_U8, output, {output_scale * unit}, {clipped ? 0 : 118})};
}

void MakeMatmul(const Layer& layer, const CallOptions& options, SplitMix64& random,
                OperatorCall& call) {
  const int64_t heads = options.batch * layer.groups;
  const int64_t inner = layer.input_channels / layer.groups;
  const int64_t columns = layer.output_channels / layer.groups;
  CallTensor a = Codes(QC_U8, {heads, layer.height, inner}, {kInputScale}, {121});
  CallTensor b = Codes(QC_S8, {heads, inner, columns}, {0.03f}, {3});
  FillBytes(a, random);
  FillBytes(b, random);
  Narrow(b, options.weight_bits);
  call.inputs = {std::move(a), std::move(b)};
  call.outputs = {Codes(QC_U8, {heads, layer.height, columns},
                        {OutputScale(0.03, inner, options.weight_bits)}, {118})};
}

// One input, or two of the same shape.
void MakeUnweighted(const Layer& layer, const CallOptions& options, SplitMix64& random,
                    OperatorCall& call) {
  const bool pool =
      layer.kind == LayerKind::kMaxPool || layer.kind == LayerKind::kAveragePool;
  const bool image = pool || layer.kind == LayerKind::kAdd;
  const Shape shape =
      image ? Shape{options.batch, layer.input_channels, layer.height, layer.width}
            : Shape{options.batch * layer.height * layer.width, layer.input_channels};
  Shape result = shape;
  CallTensor x = Codes(QC_U8, shape, {kInputScale}, {121});
  FillBytes(x, random);
  call.inputs = {std::move(x)};
  float scale = kInputScale;
  int32_t zero_point = 121;
  switch (layer.kind) {
    case LayerKind::kMaxPool:
    case LayerKind::kAveragePool:
      SetWindow(call.attributes, layer);
      result[2] = layer.OutputHeight();
      result[3] = layer.OutputWidth();
      break;
    case LayerKind::kAdd: {
      CallTensor second = Codes(QC_U8, shape, {0.03f}, {110});
      FillBytes(second, random);
      call.inputs.push_back(std::move(second));
      call.attributes.alpha = 1.0f;
      scale = 0.04f;
      break;
    }
    case LayerKind::kSoftmax:
      call.attributes.axis = 1;
      scale = 1.0f / 256.0f;
      zero_point = 0;
      break;
    case LayerKind::kLayerNorm: {
      call.attributes.axis = 1;
      call.attributes.epsilon = 1e-12f;  // BERT's
      std::vector<float> gamma, beta;
      for (int64_t i = 0; i < layer.input_channels; ++i) {
        gamma.push_back(static_cast<float>(0.5 + random.Uniform()));
        beta.push_back(static_cast<float>(random.Uniform() - 0.5));
      }
      call.inputs.emplace_back(Reals(gamma));
      call.inputs.emplace_back(Reals(beta));
      scale = 0.03f;
      break;
    }
    default:  // kGelu
      break;
  }
  if (layer.activation != QC_ACTIVATION_NONE) zero_point = 0;
  call.outputs = {Codes(QC_U8, result, {scale}, {zero_point})};
}

qc_operator_kind KindOf(LayerKind kind) {
  switch (kind) {
    case LayerKind::kConv:
      return QC_CONV;
    case LayerKind::kLinear:
      return QC_LINEAR;
    case LayerKind::kMatmul:
      return QC_MATMUL;
    case LayerKind::kAdd:
      return QC_ADD;
    case LayerKind::kMaxPool:
      return QC_MAX_POOL;
    case LayerKind::kAveragePool:
      return QC_ADAPTIVE_AVG_POOL;
    case LayerKind::kGelu:
      return QC_GELU;
    case LayerKind::kSoftmax:
      return QC_SOFTMAX;
    case LayerKind::kLayerNorm:
      return QC_LAYER_NORM;
  }
  return QC_CONV;
}

}  // namespace

OperatorCall MakeLayerCall(const Layer& layer, const CallOptions& options) {
  SplitMix64 random(static_cast<uint64_t>(layer.Macs()) + layer.input_channels);
  OperatorCall call;
  call.kind = KindOf(layer.kind);
  call.attributes = EmptyAttributes();
  call.attributes.activation = layer.activation;
  if (layer.kind == LayerKind::kConv || layer.kind == LayerKind::kLinear) {
    MakeWeighted(layer, options, random, call);
  } else if (layer.kind == LayerKind::kMatmul) {
    MakeMatmul(layer, options, random, call);
  } else {
    MakeUnweighted(layer, options, random, call);
  }
  return call;
}

}  // namespace qconform::bench
