#include "kernels/testing/random_weighted.h"

#include <sstream>

namespace qconform::kernels {
namespace {

constexpr float kWeightScale = 0.01f;

std::vector<int> AnyOrder(RandomTensors& random, size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = rank; i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<size_t>(random.Below(static_cast<int64_t>(i)))]);
  return order;
}

}  // namespace

RandomWeighted::RandomWeighted(uint32_t seed, const WeightedChoice& choice)
    : random_(seed), choice_(choice), test_{choice.kind} {
  qc_attributes& a = test_.attributes;
  a.activation = choice.activation >= 0 ? choice.activation
                 : choice.output == Output::kAccumulators
                     ? 0
                     : static_cast<int32_t>(random_.Below(4));
  a.activation_alpha = 0.125f;
  a.activation_min = -1.25f;
  a.activation_max = 3.5f;
  a.dynamic = choice.dynamic ? 1 : 0;
  a.reduce_range = choice.dynamic && random_.OneIn(3) ? 1 : 0;
  a.residual = choice.residual ? 1 : 0;
  test_.threads = choice.threads;
  std::vector<int64_t> input, weight;
  const std::vector<int64_t> output =
      choice.kind == QC_LINEAR ? DrawLinear(input, weight) : DrawConv(input, weight);
  const int64_t channels = choice.kind == QC_LINEAR ? weight[0] : output[1];
  double reduction = 1;
  for (const int64_t size : weight) reduction *= static_cast<double>(size);
  reduction /= std::max<double>(1, static_cast<double>(channels));
  TestTensor* const x = DrawInput(input);
  TestTensor* const w = DrawWeight(weight);
  TestTensor* const b = DrawBias(channels);
  TestTensor* const y = DrawOutput(output, reduction);
  test_.inputs = {x, w, b};
  test_.constants = {w};
  if (b != nullptr) test_.constants.push_back(b);
  test_.outputs = {y};
  if (choice.residual) test_.inputs.push_back(DrawInput(output));
  if (!choice.residual && a.activation <= QC_ACTIVATION_CLAMP &&
      choice.output == Output::kCodes && random_.OneIn(3)) {
    const std::vector<Scheme>& known = KnownSchemes();
    const Scheme any =
        known[static_cast<size_t>(random_.Below(static_cast<int64_t>(known.size())))];
    test_.scheme = random_.OneIn(3)    ? "f32/one/even/bias_f32/zp_after"
                   : random_.OneIn(2)  ? "f32/one/even/bias_s32/zp_after"
                   : IsRealScheme(any) ? kRealSchemeName
                                       : SchemeName(any);
  }
}

std::vector<int64_t> RandomWeighted::DrawConv(std::vector<int64_t>& input,
                                              std::vector<int64_t>& weight) {
  const bool transposed = choice_.kind == QC_CONV_TRANSPOSE;
  qc_attributes& a = test_.attributes;
  const int rank = choice_.spatial_rank;
  a.spatial_rank = rank;
  int64_t groups = random_.OneIn(2) ? 1 : 1 + random_.Below(4);
  int64_t inputs = 1 + random_.Below(choice_.largest_channels);
  int64_t outputs = 1 + random_.Below(choice_.largest_channels);
  if (choice_.short_sums) {
    if (random_.OneIn(2)) inputs = (inputs + 7) / 8 * 8;
  } else if (random_.OneIn(4)) {  // depthwise, perhaps with a multiplier
    groups = 2 + random_.Below(20);
    inputs = 1;
    outputs = 1 + random_.Below(3);
  }
  a.groups = groups;
  const int64_t batch = random_.OneIn(30) ? 0 : 1 + random_.Below(2);
  input = {batch, groups * inputs};
  weight = transposed ? std::vector<int64_t>{groups * inputs, outputs}
                      : std::vector<int64_t>{groups * outputs, inputs};
  std::vector<int64_t> output = {batch, groups * outputs};
  if (!transposed && random_.OneIn(3))
    a.padding_mode = static_cast<int32_t>(random_.Below(4));
  for (int i = 0; i < rank; ++i) {
    const int64_t kernel = random_.OneIn(4) ? 1 : 1 + random_.Below(rank == 3 ? 3 : 5);
    const int64_t stride = random_.OneIn(2) ? 1 : 1 + random_.Below(4);
    const int64_t dilation = random_.OneIn(2) ? 1 : 1 + random_.Below(3);
    const int64_t size = 1 + random_.Below(rank == 3 ? 5 : 10);
    int64_t before = random_.Below(4), after = random_.Below(4);
    if (a.padding_mode != QC_PADDING_ZEROS) {
      before = std::min(before, size - 1);
      after = std::min(after, size - 1);
    }
    a.kernel[i] = random_.OneIn(3) ? 0 : kernel;
    a.stride[i] = stride == 1 && random_.OneIn(3) ? 0 : stride;
    a.dilation[i] = dilation == 1 && random_.OneIn(3) ? 0 : dilation;
    const int64_t reach = dilation * (kernel - 1) + 1;
    int64_t result = 0;
    if (transposed) {
      a.output_padding[i] = random_.OneIn(3) ? random_.Below(3) : 0;
      const auto length = [&] {
        return (size - 1) * stride - before - after + reach + a.output_padding[i];
      };
      while (length() < 0) before = after = 0;
      result = length();
    } else {
      const int64_t padded = size + before + after;
      result = padded < reach ? 0 : (padded - reach) / stride + 1;
    }
    a.padding_before[i] = before;
    a.padding_after[i] = after;
    input.push_back(size);
    weight.push_back(kernel);
    output.push_back(result);
  }
  return output;
}

std::vector<int64_t> RandomWeighted::DrawLinear(std::vector<int64_t>& input,
                                                std::vector<int64_t>& weight) {
  const int64_t depth = random_.OneIn(12) ? random_.Below(2) : 1 + random_.Below(90);
  const int64_t outputs = random_.OneIn(12) ? random_.Below(2) : 1 + random_.Below(70);
  std::vector<int64_t> output;
  for (int64_t i = random_.Below(4); i > 0; --i)
    output.push_back(random_.OneIn(20) ? 0 : 1 + random_.Below(7));
  input = output;
  input.push_back(depth);
  output.push_back(outputs);
  weight = {outputs, depth};
  return output;
}

TestTensor RandomWeighted::DrawSmallCodes(const std::vector<int64_t>& shape) {
  TestTensor tensor = random_.Codes(shape);
  const int32_t least = tensor.get().dtype == QC_S8 ? -128 : 0;
  if (random_.OneIn(2)) tensor.Quantize({0.0625f}, {least});
  constexpr int64_t kMost[] = {63, 64, 127, 128};
  const int64_t most = kMost[random_.Below(4)];
  std::vector<int32_t> codes(static_cast<size_t>(ElementCount(tensor.get())));
  for (int32_t& code : codes) {
    const int64_t at = random_.OneIn(300) ? random_.Below(256)
                       : random_.OneIn(2) ? most
                                          : random_.Below(most + 1);
    code = static_cast<int32_t>(at) + least;
  }
  WriteIntegers(tensor.get(), codes);
  return tensor;
}

TestTensor* RandomWeighted::DrawInput(const std::vector<int64_t>& shape) {
  if (choice_.short_sums && !choice_.dynamic) return Keep(DrawSmallCodes(shape));
  if (!choice_.dynamic && !(choice_.residual && !tensors_.empty() && random_.OneIn(3)))
    return Keep(random_.Codes(shape));
  TestTensor real(QC_F32, shape, AnyOrder(random_, shape.size()),
                  random_.OneIn(4) ? 8 : 0);
  std::vector<float> values(static_cast<size_t>(ElementCount(real.get())));
  const float low = random_.OneIn(5) ? 0.0f : -3.0f;
  const float high = random_.OneIn(5) ? 0.0f : 5.0f;
  for (float& value : values) value = random_.Real(low, high);
  if (!values.empty() && random_.OneIn(12)) values[0] = NAN;
  if (!values.empty() && random_.OneIn(12)) values.back() = INFINITY;
  WriteReal(real.get(), values, *ParseScheme(kRealSchemeName));
  return Keep(std::move(real));
}

TestTensor* RandomWeighted::DrawWeight(const std::vector<int64_t>& shape) {
  const bool is_signed = choice_.short_sums || random_.OneIn(2);
  const int32_t least = is_signed ? -128 : 0;
  const int axis = choice_.kind == QC_CONV_TRANSPOSE ? 1 : 0;
  const bool per_channel = random_.OneIn(2);
  TestTensor weight(is_signed ? QC_S8 : QC_U8, shape);
  const auto count =
      static_cast<size_t>(per_channel ? shape[static_cast<size_t>(axis)] : 1);
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  scales.reserve(1);  // quantized, even without channels: data() is not null
  const bool ties = random_.OneIn(2);
  const bool middle = choice_.short_sums || random_.OneIn(2);
  for (size_t i = 0; i < count; ++i) {
    scales.push_back(ties ? std::ldexp(1.0f, -7 + static_cast<int>(random_.Below(2)))
                          : kWeightScale * random_.Real(0.5f, 2.0f));
    zero_points.push_back(least +
                          (middle ? 128 : static_cast<int32_t>(random_.Below(256))));
  }
  weight.Quantize(std::move(scales), std::move(zero_points), per_channel ? axis : -1);
  std::vector<int32_t> codes(static_cast<size_t>(ElementCount(weight.get())));
  const bool ends = choice_.short_sums && random_.OneIn(2);
  for (int32_t& code : codes) {
    code = static_cast<int32_t>(ends ? 255 * random_.Below(2) : random_.Below(256));
    code += least;
  }
  if (ends && random_.OneIn(2)) std::fill(codes.begin(), codes.end(), -128);
  WriteIntegers(weight.get(), codes);
  return Keep(std::move(weight));
}

TestTensor* RandomWeighted::DrawBias(int64_t channels) {
  if (random_.OneIn(4)) return nullptr;
  if (choice_.output == Output::kAccumulators || random_.OneIn(2)) {
    TestTensor bias(QC_S32, {channels});
    std::vector<int32_t> codes(static_cast<size_t>(channels));
    for (int32_t& code : codes)
      code = static_cast<int32_t>(random_.Below(20'001)) - 10'000;
    WriteIntegers(bias.get(), codes);
    return Keep(std::move(bias));
  }
  std::vector<float> values(static_cast<size_t>(channels));
  for (float& value : values) value = random_.Real(-2.0f, 2.0f);
  return Keep(TestTensor::Real({channels}, values));
}

TestTensor* RandomWeighted::DrawOutput(const std::vector<int64_t>& shape,
                                       double reduction) {
  const std::vector<int> order = AnyOrder(random_, shape.size());
  if (choice_.output != Output::kCodes) {
    const qc_dtype dtype = choice_.output == Output::kReal ? QC_F32 : QC_S32;
    std::vector<int> last = order;
    if (random_.OneIn(2)) {  // channels last, so that the kernels write there at once
      std::iota(last.begin(), last.end(), 0);
      const auto channel = choice_.kind == QC_LINEAR ? last.size() - 1 : size_t{1};
      last.erase(last.begin() + static_cast<std::ptrdiff_t>(channel));
      last.push_back(static_cast<int>(channel));
    }
    return Keep(TestTensor(dtype, shape, last, random_.OneIn(4) ? 4 : 0));
  }
  TestTensor y = random_.Codes(shape);
  const float scale =
      random_.OneIn(2)
          ? std::ldexp(1.0f, static_cast<int>(random_.Below(3)) - 1)
          : static_cast<float>(std::sqrt(std::max(reduction, 1.0))) * kWeightScale;
  y.Quantize({scale}, {static_cast<int32_t>(random_.Below(256)) +
                       (y.get().dtype == QC_S8 ? -128 : 0)});
  return Keep(std::move(y));
}

std::string RandomWeighted::Describe() const {
  std::ostringstream text;
  const qc_attributes& a = test_.attributes;
  const auto shape = [&](const TestTensor* tensor) {
    const qc_tensor& t = const_cast<TestTensor*>(tensor)->get();
    text << " dtype " << t.dtype << " [";
    for (int i = 0; i < t.rank; ++i) text << (i > 0 ? "," : "") << t.shape[i];
    text << "] strides [";
    for (int i = 0; i < t.rank; ++i) text << (i > 0 ? "," : "") << t.stride[i];
    text << "]";
  };
  shape(test_.inputs[0]);
  shape(test_.inputs[1]);
  shape(test_.outputs[0]);
  for (int i = 0; i < a.spatial_rank; ++i) {
    text << " (s" << a.stride[i] << " d" << a.dilation[i] << " p" << a.padding_before[i]
         << "," << a.padding_after[i] << "+" << a.output_padding[i] << ")";
  }
  text << " groups " << a.groups << " mode " << a.padding_mode << " activation "
       << a.activation << " scheme '" << test_.scheme << "'";
  return text.str();
}

}  // namespace qconform::kernels
