#include "reference/numerics/quantize_lanes.h"

#include <cmath>

#include "reference/numerics/vector_lanes.h"

namespace qconform {
namespace {

// Below this, adding and subtracting kRounder rounds half to even.
constexpr float kOrdinary = 0x1p22f;
constexpr float kRounder = 0x1.8p23f;

QCONFORM_INLINE void BytesBody(const float* x, int64_t n, ByteQuantization quantization,
                               uint8_t* codes, bool* is_ordinary) {
  typedef uint8_t Bytes __attribute__((vector_size(kLanes)));
  const auto zero = static_cast<float>(quantization.zero_point);
  const auto min = static_cast<float>(quantization.min);
  const auto max = static_cast<float>(quantization.max);
  IntegerLanes ordinary = IntegerLanes{} - 1;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const FloatLanes scaled = LoadLanes(x + i) * quantization.reciprocal;
    ordinary &= (scaled < kOrdinary) & (scaled > -kOrdinary);
    FloatLanes code = ((scaled + kRounder) - kRounder) + zero;
    code = code > min ? code : FloatLanes{} + min;
    code = code < max ? code : FloatLanes{} + max;
    const Bytes bytes =
        __builtin_convertvector(__builtin_convertvector(code, IntegerLanes), Bytes);
    std::memcpy(codes + i, &bytes, sizeof bytes);
  }
  bool all = true;
  for (int lane = 0; lane < kLanes; ++lane) all = all && ordinary[lane] != 0;
  for (; i < n; ++i) {
    const float scaled = x[i] * quantization.reciprocal;
    const bool fits = scaled < kOrdinary && scaled > -kOrdinary;
    float code = fits ? ((scaled + kRounder) - kRounder) + zero : min;
    code = code > min ? code : min;
    code = code < max ? code : max;
    codes[i] = static_cast<uint8_t>(static_cast<int32_t>(code));
    all = all && fits;
  }
  *is_ordinary = all;
}

QCONFORM_TWO_PATHS(RunBytes, BytesBody,
                   (const float* x, int64_t n, ByteQuantization quantization,
                    uint8_t* codes, bool* is_ordinary),
                   (x, n, quantization, codes, is_ordinary))

}  // namespace

bool QuantizeOrdinaryBytes(const float* x, int64_t n, ByteQuantization quantization,
                           uint8_t* codes) {
  bool is_ordinary = false;
  RunBytes(x, n, quantization, codes, &is_ordinary);
  return is_ordinary;
}

}  // namespace qconform
