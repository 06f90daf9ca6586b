#include "reference/numerics/fake_quantize_lanes.h"

#include "reference/numerics/vector_lanes.h"

namespace qconform {
namespace {

// |x / scale| beyond this saturates whatever the zero point is; within it, adding and
// subtracting kRounder rounds half to even.
constexpr float kSaturated = 0x1p22f;
constexpr float kRounder = 0x1.8p23f;

template <typename Value>
struct Quantized {
  Value y;
  Value code;
};

// Value is a float or a vector of floats.
template <typename Value>
QCONFORM_INLINE Quantized<Value> Quantize(Value x, Value scale, Value reciprocal,
                                          Value zero, LaneBounds bounds) {
  const Value lowest = Value{} - kSaturated;
  const Value highest = Value{} + kSaturated;
  Value scaled = x * reciprocal;
  scaled = scaled >= bounds.overflow ? lowest : scaled;
  // Written so that NaN becomes the lowest.
  scaled = scaled > lowest ? scaled : lowest;
  scaled = scaled < highest ? scaled : highest;
  const Value code = ((scaled + kRounder) - kRounder) + zero;
  const Value min = Value{} + bounds.min;
  const Value max = Value{} + bounds.max;
  Value clamped = code > min ? code : min;
  clamped = clamped < max ? clamped : max;
  return {(clamped - zero) * scale, code};
}

QCONFORM_INLINE uint8_t Passes(float code, LaneBounds bounds) {
  return code >= bounds.min && code <= bounds.max;
}

QCONFORM_INLINE void StorePasses(FloatLanes code, LaneBounds bounds, uint8_t* mask) {
  const IntegerLanes passes =
      (code >= bounds.min + FloatLanes{}) & (code <= bounds.max + FloatLanes{}) & 1;
  typedef uint8_t Bytes __attribute__((vector_size(kLanes)));
  const Bytes bytes = __builtin_convertvector(passes, Bytes);
  std::memcpy(mask, &bytes, sizeof bytes);
}

QCONFORM_INLINE void LanesBody(const float* x, int64_t n, LaneChannel channel,
                               LaneBounds bounds, float* y, uint8_t* mask) {
  const FloatLanes scale = FloatLanes{} + channel.scale;
  const FloatLanes reciprocal = FloatLanes{} + channel.reciprocal;
  const FloatLanes zero = FloatLanes{} + channel.zero;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Quantized<FloatLanes> result =
        Quantize(LoadLanes(x + i), scale, reciprocal, zero, bounds);
    StoreLanes(y + i, result.y);
    if (mask != nullptr) StorePasses(result.code, bounds, mask + i);
  }
  for (; i < n; ++i) {
    const Quantized<float> result =
        Quantize(x[i], channel.scale, channel.reciprocal, channel.zero, bounds);
    y[i] = result.y;
    if (mask != nullptr) mask[i] = Passes(result.code, bounds);
  }
}

QCONFORM_INLINE void ColumnsBody(const float* x, int64_t n, const float* scale,
                                 const float* reciprocal, const float* zero,
                                 LaneBounds bounds, float* y, uint8_t* mask) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Quantized<FloatLanes> result =
        Quantize(LoadLanes(x + i), LoadLanes(scale + i), LoadLanes(reciprocal + i),
                 LoadLanes(zero + i), bounds);
    StoreLanes(y + i, result.y);
    if (mask != nullptr) StorePasses(result.code, bounds, mask + i);
  }
  for (; i < n; ++i) {
    const Quantized<float> result =
        Quantize(x[i], scale[i], reciprocal[i], zero[i], bounds);
    y[i] = result.y;
    if (mask != nullptr) mask[i] = Passes(result.code, bounds);
  }
}

QCONFORM_TWO_PATHS(RunLanes, LanesBody,
                   (const float* x, int64_t n, LaneChannel channel, LaneBounds bounds,
                    float* y, uint8_t* mask),
                   (x, n, channel, bounds, y, mask))
QCONFORM_TWO_PATHS(RunColumns, ColumnsBody,
                   (const float* x, int64_t n, const float* scale,
                    const float* reciprocal, const float* zero, LaneBounds bounds,
                    float* y, uint8_t* mask),
                   (x, n, scale, reciprocal, zero, bounds, y, mask))

}  // namespace

void QuantizeLanes(const float* x, int64_t n, LaneChannel channel, LaneBounds bounds,
                   float* y, uint8_t* mask) {
  RunLanes(x, n, channel, bounds, y, mask);
}

void QuantizeColumns(const float* x, int64_t n, const LaneColumns& columns, int64_t first,
                     LaneBounds bounds, float* y, uint8_t* mask) {
  RunColumns(x, n, columns.scale.data() + first, columns.reciprocal.data() + first,
             columns.zero.data() + first, bounds, y, mask);
}

}  // namespace qconform
