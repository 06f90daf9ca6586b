#include "reference/numerics/abi_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "reference/numerics/quantize_value.h"
#include "reference/numerics/requantize.h"

namespace qconform {
namespace {

// Calls visit(dense index, first byte, count, byte stride) for each innermost row.
template <typename Visit>
void ForEachRow(const qc_tensor& tensor, const Visit& visit) {
  if (ElementCount(tensor) == 0) return;
  auto* base = static_cast<std::byte*>(tensor.data);
  if (tensor.rank == 0) return visit(int64_t{0}, base, int64_t{1}, int64_t{0});
  const int last = tensor.rank - 1;
  int64_t index[QC_MAX_RANK] = {};
  int64_t dense = 0;
  while (true) {
    int64_t offset = 0;
    for (int i = 0; i < last; ++i) offset += index[i] * tensor.stride[i];
    visit(dense, base + offset, tensor.shape[last], tensor.stride[last]);
    dense += tensor.shape[last];
    int axis = last - 1;
    while (axis >= 0 && ++index[axis] == tensor.shape[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

template <typename T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T>
void Store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// Calls body(T{}) with the element type of an integer dtype.
template <typename Body>
void WithInteger(int32_t dtype, const Body& body) {
  switch (dtype) {
    case QC_U8:
    case QC_BOOL:
      return body(uint8_t{});
    case QC_S8:
      return body(int8_t{});
    case QC_S16:
      return body(int16_t{});
    case QC_U16:
      return body(uint16_t{});
    default:
      return body(int32_t{});
  }
}

// Channel of a dense index along the quantized axis.
class ChannelOf {
 public:
  explicit ChannelOf(const qc_tensor& tensor) {
    if (tensor.quantized_axis < 0) return;
    for (int i = tensor.quantized_axis + 1; i < tensor.rank; ++i) {
      inner_ *= tensor.shape[i];
    }
    channels_ = tensor.shape[tensor.quantized_axis];
  }
  int64_t operator()(int64_t dense) const {
    return channels_ == 0 ? 0 : dense / inner_ % channels_;
  }

 private:
  int64_t inner_ = 1;
  int64_t channels_ = 0;
};

IntegerRange RangeOf(int32_t dtype) {
  if (dtype == QC_U4) return {0, 15};
  if (dtype == QC_S4) return {-8, 7};
  IntegerRange range{};
  WithInteger(dtype, [&]<typename T>(T) {
    range = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  });
  return range;
}

}  // namespace

int64_t ElementBytes(int32_t dtype) {
  switch (dtype) {
    case QC_U8:
    case QC_S8:
    case QC_BOOL:
    case QC_U4:
    case QC_S4:
      return 1;
    case QC_S16:
    case QC_U16:
      return 2;
    case QC_F32:
    case QC_S32:
      return 4;
    case QC_S64:
      return 8;
    default:
      return 0;
  }
}

int64_t ElementCount(const qc_tensor& tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor.rank; ++i) count *= tensor.shape[i];
  return count;
}

std::vector<int64_t> ShapeOf(const qc_tensor& tensor) {
  return {tensor.shape, tensor.shape + tensor.rank};
}

bool IsCode8(const qc_tensor& tensor) {
  return (tensor.dtype == QC_U8 || tensor.dtype == QC_S8) && IsQuantized(tensor);
}

bool IsReal(const qc_tensor& tensor) {
  return tensor.dtype == QC_F32 && !IsQuantized(tensor);
}

CodeBounds BoundsOf(const qc_tensor& tensor) {
  const IntegerRange range = RangeOf(tensor.dtype);
  CodeBounds bounds{static_cast<int32_t>(range.min), static_cast<int32_t>(range.max)};
  if (tensor.quant_min != tensor.quant_max) {
    bounds.min = std::max(bounds.min, tensor.quant_min);
    bounds.max = std::min(bounds.max, tensor.quant_max);
  }
  return bounds;
}

float ScaleAt(const qc_tensor& tensor, int64_t channel) {
  return tensor.scale[tensor.quantized_axis < 0 ? 0 : channel];
}

int32_t ZeroPointAt(const qc_tensor& tensor, int64_t channel) {
  if (tensor.zero_point == nullptr) return 0;
  return tensor.zero_point[tensor.quantized_axis < 0 ? 0 : channel];
}

bool SameQparams(const qc_tensor& a, const qc_tensor& b) {
  if (a.dtype != b.dtype || IsQuantized(a) != IsQuantized(b)) return false;
  if (!IsQuantized(a)) return true;
  if (a.quantized_axis != b.quantized_axis || a.qparam_count != b.qparam_count) {
    return false;
  }
  for (int64_t i = 0; i < a.qparam_count; ++i) {
    if (ScaleAt(a, i) != ScaleAt(b, i) || ZeroPointAt(a, i) != ZeroPointAt(b, i)) {
      return false;
    }
  }
  const CodeBounds first = BoundsOf(a);
  const CodeBounds second = BoundsOf(b);
  return first.min == second.min && first.max == second.max;
}

std::vector<int32_t> ReadIntegers(const qc_tensor& tensor) {
  std::vector<int32_t> values(static_cast<size_t>(ElementCount(tensor)));
  if (IsPacked(tensor)) {
    const int32_t sign = tensor.dtype == QC_S4 ? 8 : 0;
    ForEachRow(tensor, [&](int64_t dense, const std::byte* at, int64_t n, int64_t step) {
      int32_t* to = values.data() + dense;
      for (int64_t i = 0; i < n; ++i) {
        const auto pair = Load<uint8_t>(at + i / 2 * step);
        const int32_t code = i % 2 == 0 ? pair & 15 : pair >> 4;
        to[i] = (code ^ sign) - sign;
      }
    });
    return values;
  }
  WithInteger(tensor.dtype, [&]<typename T>(T) {
    ForEachRow(tensor, [&](int64_t dense, const std::byte* at, int64_t n, int64_t step) {
      int32_t* to = values.data() + dense;
      if (step == sizeof(T)) {
#pragma omp simd
        for (int64_t i = 0; i < n; ++i) to[i] = Load<T>(at + i * int64_t{sizeof(T)});
        return;
      }
      for (int64_t i = 0; i < n; ++i) to[i] = Load<T>(at + i * step);
    });
  });
  return values;
}

std::vector<int64_t> ReadIndices(const qc_tensor& tensor) {
  std::vector<int64_t> values(static_cast<size_t>(ElementCount(tensor)));
  const bool wide = tensor.dtype == QC_S64;
  ForEachRow(tensor, [&](int64_t dense, const std::byte* at, int64_t n, int64_t step) {
    int64_t* to = values.data() + dense;
    for (int64_t i = 0; i < n; ++i) {
      to[i] = wide ? Load<int64_t>(at + i * step) : Load<int32_t>(at + i * step);
    }
  });
  return values;
}

void WriteIntegers(qc_tensor& tensor, std::span<const int32_t> values) {
  WithInteger(tensor.dtype, [&]<typename T>(T) {
    ForEachRow(tensor, [&](int64_t dense, std::byte* at, int64_t n, int64_t step) {
      const int32_t* from = values.data() + dense;
      for (int64_t i = 0; i < n; ++i) Store(at + i * step, static_cast<T>(from[i]));
    });
  });
}

std::vector<float> ReadReal(const qc_tensor& tensor) {
  std::vector<float> values(static_cast<size_t>(ElementCount(tensor)));
  if (tensor.dtype == QC_F32) {
    ForEachRow(tensor, [&](int64_t dense, const std::byte* at, int64_t n, int64_t step) {
      float* to = values.data() + dense;
      for (int64_t i = 0; i < n; ++i) to[i] = Load<float>(at + i * step);
    });
    return values;
  }
  const std::vector<int32_t> codes = ReadIntegers(tensor);
  const ChannelOf channel_of(tensor);
  const auto n = static_cast<int64_t>(codes.size());
  for (int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<size_t>(i);
    if (!IsQuantized(tensor)) {
      values[at] = static_cast<float>(codes[at]);
      continue;
    }
    const int64_t channel = channel_of(i);
    values[at] = DequantizeValue(codes[at], ZeroPointAt(tensor, channel),
                                 ScaleAt(tensor, channel));
  }
  return values;
}

namespace {

// By a rule that is not the manual's.
int32_t QuantizeBy(const Scheme& scheme, float value, float scale, int32_t zero_point,
                   CodeBounds bounds) {
  const float scaled = scheme.multiplier == Scheme::Multiplier::kRealDivide
                           ? value / scale
                           : value * ReciprocalScale(scale);
  const double code = scheme.zero_point == Scheme::ZeroPoint::kBefore
                          ? RoundBy(scaled + static_cast<float>(zero_point), scheme.ties)
                          : RoundBy(scaled, scheme.ties) + zero_point;
  return std::clamp(RoundToInt32(code), bounds.min, bounds.max);
}

}  // namespace

void WriteReal(qc_tensor& tensor, std::span<const float> values, const Scheme& scheme) {
  if (tensor.dtype == QC_F32) {
    ForEachRow(tensor, [&](int64_t dense, std::byte* at, int64_t n, int64_t step) {
      const float* from = values.data() + dense;
      for (int64_t i = 0; i < n; ++i) Store(at + i * step, from[i]);
    });
    return;
  }
  std::vector<int32_t> codes(values.size());
  const ChannelOf channel_of(tensor);
  const CodeBounds bounds = BoundsOf(tensor);
  const bool own = scheme.copy || (scheme.multiplier == Scheme::Multiplier::kReal &&
                                   scheme.ties == Scheme::Ties::kEven &&
                                   scheme.zero_point == Scheme::ZeroPoint::kAfter);
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t channel = channel_of(static_cast<int64_t>(i));
    const float scale = ScaleAt(tensor, channel);
    const int32_t zero_point = ZeroPointAt(tensor, channel);
    codes[i] = own ? QuantizeSaturating(values[i], ReciprocalScale(scale), zero_point,
                                        bounds.min, bounds.max)
                   : QuantizeBy(scheme, values[i], scale, zero_point, bounds);
  }
  WriteIntegers(tensor, codes);
}

std::string CheckTensor(const qc_tensor& tensor, const std::string& name) {
  if (tensor.rank < 0 || tensor.rank > QC_MAX_RANK)
    return name + " has a rank out of range";
  for (int i = 0; i < tensor.rank; ++i) {
    if (tensor.shape[i] < 0) return name + " has a negative size";
  }
  if (ElementBytes(tensor.dtype) == 0) return name + " has a dtype without a definition";
  if (!IsQuantized(tensor)) return "";
  if (tensor.dtype == QC_F32 || tensor.dtype == QC_BOOL || tensor.dtype == QC_S64) {
    return name + " has scales but no codes";
  }
  const int axis = tensor.quantized_axis;
  if (axis < -1 || axis >= tensor.rank ||
      tensor.qparam_count != (axis < 0 ? 1 : tensor.shape[axis])) {
    return name + " has another number of scales than slices";
  }
  const IntegerRange range = RangeOf(tensor.dtype);
  for (int64_t i = 0; i < tensor.qparam_count; ++i) {
    if (!std::isfinite(ScaleAt(tensor, i)) || ScaleAt(tensor, i) <= 0) {
      return name + " has a scale that is not finite and positive";
    }
    if (tensor.zero_point_f32 != nullptr) {
      if (std::isfinite(tensor.zero_point_f32[i])) continue;
      return name + " has a zero point that is not finite";
    }
    if (ZeroPointAt(tensor, i) < range.min || ZeroPointAt(tensor, i) > range.max) {
      return name + " has a zero point outside its dtype";
    }
  }
  const CodeBounds bounds = BoundsOf(tensor);
  return bounds.min > bounds.max ? name + " has bounds without a code" : "";
}

}  // namespace qconform
