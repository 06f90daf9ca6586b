#include "bench/expected_codes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace qconform::bench {
namespace {

// One spatial dimension: the outputs [first, last) whose tap `k` reads input.
struct Range {
  int64_t first, last;
};

Range OutputsOf(int64_t k, int64_t input, int64_t output, int64_t stride,
                int64_t padding) {
  // input position = o * stride + k - padding
  const int64_t low = padding - k;
  const int64_t high = input + padding - k;
  const int64_t first = low <= 0 ? 0 : (low + stride - 1) / stride;
  const int64_t last = high <= 0 ? 0 : (high + stride - 1) / stride;
  return {std::min(first, output), std::min(last, output)};
}

std::byte Requantize(const OperatorCall& call, int64_t channel, int32_t sum) {
  const CallTensor& x = *call.inputs[0];
  const CallTensor& w = *call.inputs[1];
  const CallTensor& y = call.outputs[0];
  float bias;
  std::memcpy(&bias, call.inputs[2]->data.data() + 4 * channel, sizeof bias);
  const float product = x.scale[0] * w.scale[channel];
  const float multiplier = product / y.scale[0];
  const float scaled = (static_cast<float>(sum) + bias / product) * multiplier;
  const int zero_point = y.zero_point[0];
  const double lowest = call.attributes.activation == QC_ACTIVATION_RELU ? zero_point : 0;
  const double code =
      std::clamp(std::nearbyint(static_cast<double>(scaled)) + zero_point, lowest, 255.0);
  return static_cast<std::byte>(static_cast<int>(code));
}

}  // namespace

std::vector<std::byte> ExpectedCodes(const OperatorCall& call) {
  const CallTensor& x = *call.inputs[0];
  const CallTensor& w = *call.inputs[1];
  const CallTensor& y = call.outputs[0];
  const bool linear = call.kind == QC_LINEAR;
  const qc_attributes& a = call.attributes;
  const int64_t outputs = y.shape[1], inputs = w.shape[1];
  const int64_t groups = linear ? 1 : a.groups;
  const int64_t height = linear ? 1 : x.shape[2], width = linear ? 1 : x.shape[3];
  const int64_t kernel_y = linear ? 1 : w.shape[2], kernel_x = linear ? 1 : w.shape[3];
  const int64_t rows = linear ? 1 : y.shape[2], columns = linear ? 1 : y.shape[3];
  const int64_t stride = linear ? 1 : a.stride[0];
  const int64_t padding = linear ? 0 : a.padding_before[0];
  const auto* codes = reinterpret_cast<const uint8_t*>(x.data.data());
  const auto* weights = reinterpret_cast<const int8_t*>(w.data.data());

  std::vector<std::byte> result;
  result.reserve(y.byte_size());
  std::vector<int32_t> sum(rows * columns);
  for (int64_t o = 0; o < outputs; ++o) {
    std::fill(sum.begin(), sum.end(), 0);
    const int64_t group = o / (outputs / groups);
    for (int64_t i = 0; i < inputs; ++i) {
      const uint8_t* plane = codes + (group * inputs + i) * height * width;
      for (int64_t ky = 0; ky < kernel_y; ++ky) {
        const Range r = OutputsOf(ky, height, rows, stride, padding);
        for (int64_t kx = 0; kx < kernel_x; ++kx) {
          const Range c = OutputsOf(kx, width, columns, stride, padding);
          const int32_t weight =
              weights[((o * inputs + i) * kernel_y + ky) * kernel_x + kx];
          for (int64_t oy = r.first; oy < r.last; ++oy) {
            const uint8_t* row =
                plane + (oy * stride + ky - padding) * width + kx - padding;
            int32_t* to = sum.data() + oy * columns;
            for (int64_t ox = c.first; ox < c.last; ++ox) {
              to[ox] += weight * (row[ox * stride] - x.zero_point[0]);
            }
          }
        }
      }
    }
    for (int32_t value : sum) result.push_back(Requantize(call, o, value));
  }
  return result;
}

}  // namespace qconform::bench
