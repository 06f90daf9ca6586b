// Convolutions, pooling and matrix products, in float and over codes.
#include <algorithm>
#include <cmath>

#include "conformance/adapters/onnx/onnx_evaluator.h"

namespace qconform {
namespace {

// Positions of a window along every spatial dimension.
struct Windows {
  std::vector<int64_t> kernel;
  std::vector<int64_t> stride;
  std::vector<int64_t> dilation;
  std::vector<int64_t> pads;  // before, then after
  Shape in;
  Shape out;

  size_t rank() const { return kernel.size(); }
  // The input's index under kernel place k of window o; false: over padding.
  bool Place(const std::vector<int64_t>& o, const std::vector<int64_t>& k,
             std::vector<int64_t>& place) const {
    for (size_t d = 0; d < rank(); ++d) {
      place[d] = o[d] * stride[d] + k[d] * dilation[d] - pads[d];
      if (place[d] < 0 || place[d] >= in[d]) return false;
    }
    return true;
  }
};

int64_t FlatPlace(const Shape& shape, const std::vector<int64_t>& index) {
  int64_t place = 0;
  for (size_t i = 0; i < shape.size(); ++i) place = place * shape[i] + index[i];
  return place;
}

Windows WindowsOf(const NodeCall& call, const Shape& x, std::vector<int64_t> kernel) {
  const size_t rank = kernel.size();
  if (x.size() != rank + 2) call.Fail("the input is not [N, C, spatial]");
  Windows w;
  w.kernel = std::move(kernel);
  const std::vector<int64_t> ones(rank, 1);
  w.stride = call.Integers("strides", ones);
  w.dilation = call.Integers("dilations", ones);
  w.pads = call.Integers("pads", std::vector<int64_t>(2 * rank, 0));
  w.in.assign(x.begin() + 2, x.end());
  for (size_t d = 0; d < rank; ++d) {
    const int64_t reach = w.dilation.at(d) * (w.kernel[d] - 1) + 1;
    w.out.push_back(
        (w.in[d] + w.pads.at(d) + w.pads.at(rank + d) - reach) / w.stride.at(d) + 1);
  }
  return w;
}

Array WithSpatial(DType dtype, int64_t n, int64_t c, const Shape& spatial) {
  Shape shape = {n, c};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  return EmptyArray(dtype, std::move(shape));
}

// Sums of products; no rounding in between.
Array Convolve(const NodeCall& call, const Array& x, const Array& w) {
  const Windows windows = WindowsOf(call, x.shape, {w.shape.begin() + 2, w.shape.end()});
  const int64_t groups = call.Integer("group", 1);
  const int64_t outputs = w.shape[0];
  const int64_t channels = w.shape[1];
  if (groups < 1 || outputs % groups != 0 || x.shape[1] != channels * groups)
    call.Fail("the groups do not divide the channels");
  Array y = WithSpatial(DType::kFloat32, x.shape[0], outputs, windows.out);
  const int64_t plane = NumElements(windows.in);
  const int64_t taps = NumElements(windows.kernel);
  auto to = y.values.begin();
  std::vector<int64_t> place(windows.rank());
  for (int64_t n = 0; n < x.shape[0]; ++n) {
    for (int64_t o = 0; o < outputs; ++o) {
      const int64_t first = n * x.shape[1] + o / (outputs / groups) * channels;
      ForEachIndex(windows.out, [&](const std::vector<int64_t>& at) {
        double sum = 0;
        int64_t tap = 0;
        ForEachIndex(windows.kernel, [&](const std::vector<int64_t>& k) {
          if (windows.Place(at, k, place)) {
            const int64_t from = FlatPlace(windows.in, place);
            for (int64_t c = 0; c < channels; ++c)
              sum += x.values[static_cast<size_t>((first + c) * plane + from)] *
                     w.values[static_cast<size_t>((o * channels + c) * taps + tap)];
          }
          ++tap;
        });
        *to++ = sum;
      });
    }
  }
  return y;
}

// Adds bias[c] to every element of channel c.
void AddBias(Array& y, const Array* bias) {
  if (bias == nullptr) return;
  const int64_t plane = NumElements({y.shape.begin() + 2, y.shape.end()});
  for (size_t i = 0; i < y.values.size(); ++i)
    y.values[i] +=
        bias->values[i / static_cast<size_t>(plane) % static_cast<size_t>(y.shape[1])];
}

Array Conv(const NodeCall& call) {
  Array y = Convolve(call, call.Input(0), call.Input(1));
  AddBias(y, call.OptionalInput(2));
  return y;
}

Array ConvTranspose(const NodeCall& call) {
  const Array& x = call.Input(0);
  const Array& w = call.Input(1);
  const size_t rank = w.shape.size() - 2;
  const int64_t groups = call.Integer("group", 1);
  const std::vector<int64_t> ones(rank, 1);
  const std::vector<int64_t> zeros(2 * rank, 0);
  const auto more = call.Integers("output_padding", zeros);
  // A window of the output is what one input element spreads to.
  Windows windows;
  windows.kernel.assign(w.shape.begin() + 2, w.shape.end());
  windows.stride = call.Integers("strides", ones);
  windows.dilation = call.Integers("dilations", ones);
  windows.pads = call.Integers("pads", zeros);
  windows.out.assign(x.shape.begin() + 2, x.shape.end());
  for (size_t d = 0; d < rank; ++d) {
    windows.in.push_back((windows.out[d] - 1) * windows.stride[d] + more[d] +
                         windows.dilation[d] * (windows.kernel[d] - 1) + 1 -
                         windows.pads[d] - windows.pads[rank + d]);
  }
  const int64_t outputs = w.shape[1];
  const int64_t channels = x.shape[1] / groups;
  Array y = WithSpatial(DType::kFloat32, x.shape[0], outputs * groups, windows.in);
  const int64_t plane = NumElements(windows.in);
  const int64_t taps = NumElements(windows.kernel);
  std::vector<int64_t> place(rank);
  int64_t from = 0;
  for (int64_t n = 0; n < x.shape[0]; ++n) {
    for (int64_t c = 0; c < x.shape[1]; ++c) {
      ForEachIndex(windows.out, [&](const std::vector<int64_t>& at) {
        const double value = x.values[static_cast<size_t>(from++)];
        int64_t tap = 0;
        ForEachIndex(windows.kernel, [&](const std::vector<int64_t>& k) {
          if (windows.Place(at, k, place)) {
            const int64_t to = FlatPlace(windows.in, place);
            for (int64_t j = 0; j < outputs; ++j) {
              const int64_t o = n * outputs * groups + c / channels * outputs + j;
              y.values[static_cast<size_t>(o * plane + to)] +=
                  value * w.values[static_cast<size_t>((c * outputs + j) * taps + tap)];
            }
          }
          ++tap;
        });
      });
    }
  }
  AddBias(y, call.OptionalInput(2));
  return y;
}

// Codes less the zero point: one for all, or one for each slice of `axis`.
Array Centered(const Array& codes, const Array* zero, size_t axis) {
  Array y = codes;
  if (zero == nullptr) return y;
  auto to = y.values.begin();
  ForEachIndex(y.shape, [&](const std::vector<int64_t>& index) {
    *to++ -= zero->values[zero->size() == 1 ? 0 : static_cast<size_t>(index[axis])];
  });
  return y;
}

Array ConvInteger(const NodeCall& call) {
  Array y = Convolve(call, Centered(call.Input(0), call.OptionalInput(2), 0),
                     Centered(call.Input(1), call.OptionalInput(3), 0));
  y.dtype = DType::kInt32;
  return y;
}

// saturate(round_half_even(sum * (in * w / out)) + zero_point), scales in float32: the
// specification leaves the rounding open; this is f32/one/even.
void Requantize(Array& sums, size_t axis, const Array& in, const Array& w,
                const Array& out, const Array& zero) {
  auto to = sums.values.begin();
  ForEachIndex(sums.shape, [&](const std::vector<int64_t>& index) {
    const auto scale = static_cast<float>(
        w.values[w.size() == 1 ? 0 : static_cast<size_t>(index[axis])]);
    const float product = static_cast<float>(in.values[0]) * scale;
    const float multiplier = product / static_cast<float>(out.values[0]);
    const float scaled = static_cast<float>(*to) * multiplier;
    *to++ = SaturatedCode(std::nearbyint(scaled) + zero.values[0], zero.dtype);
  });
  sums.dtype = zero.dtype;
}

Array QLinearConv(const NodeCall& call) {
  Array y = Convolve(call, Centered(call.Input(0), &call.Input(2), 0),
                     Centered(call.Input(3), &call.Input(5), 0));
  AddBias(y, call.OptionalInput(8));
  Requantize(y, 1, call.Input(1), call.Input(4), call.Input(6), call.Input(7));
  return y;
}

Array Product(const NodeCall& call, const Array& a, const Array& b) {
  const size_t rank = std::max(a.shape.size(), b.shape.size());
  if (a.shape.size() < 2 || b.shape.size() < 2) call.Fail("a factor is no matrix");
  Shape shape(rank);
  for (size_t i = 0; i + 2 < rank; ++i) {
    const auto at = [&](const Shape& s) {
      const size_t offset = rank - s.size();
      return i < offset ? 1 : s[i - offset];
    };
    shape[i] = std::max(at(a.shape), at(b.shape));
    if (at(a.shape) == 0 || at(b.shape) == 0) shape[i] = 0;
  }
  shape[rank - 2] = a.shape[a.shape.size() - 2];
  shape[rank - 1] = b.shape.back();
  const int64_t depth = a.shape.back();
  if (b.shape[b.shape.size() - 2] != depth) call.Fail("the matrices do not fit");
  Array y = EmptyArray(DType::kFloat32, shape);
  auto to = y.values.begin();
  ForEachIndex(shape, [&](std::vector<int64_t> index) {
    const int64_t row = index[rank - 2];
    const int64_t column = index[rank - 1];
    double sum = 0;
    for (int64_t k = 0; k < depth; ++k) {
      index[rank - 2] = row;
      index[rank - 1] = k;
      const double left = a.values[static_cast<size_t>(BroadcastPlace(a.shape, index))];
      index[rank - 2] = k;
      index[rank - 1] = column;
      sum += left * b.values[static_cast<size_t>(BroadcastPlace(b.shape, index))];
    }
    *to++ = sum;
  });
  return y;
}

Array Transposed(const Array& matrix) {
  Array turned = EmptyArray(matrix.dtype, {matrix.shape[1], matrix.shape[0]});
  for (int64_t i = 0; i < matrix.shape[0]; ++i)
    for (int64_t j = 0; j < matrix.shape[1]; ++j)
      turned.values[static_cast<size_t>(j * matrix.shape[0] + i)] =
          matrix.values[static_cast<size_t>(i * matrix.shape[1] + j)];
  return turned;
}

Array Gemm(const NodeCall& call) {
  const bool turned = call.Integer("transB", 0) != 0;
  Array y =
      Product(call, call.Input(0), turned ? Transposed(call.Input(1)) : call.Input(1));
  if (const Array* bias = call.OptionalInput(2)) {
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] += bias->values[i % bias->values.size()];
  }
  return y;
}

Array MatMulInteger(const NodeCall& call) {
  Array y = Product(
      call, Centered(call.Input(0), call.OptionalInput(2), 0),
      Centered(call.Input(1), call.OptionalInput(3), call.Input(1).shape.size() - 1));
  y.dtype = DType::kInt32;
  return y;
}

Array QLinearMatMul(const NodeCall& call) {
  Array y =
      Product(call, Centered(call.Input(0), &call.Input(2), 0),
              Centered(call.Input(3), &call.Input(5), call.Input(3).shape.size() - 1));
  Requantize(y, y.shape.size() - 1, call.Input(1), call.Input(4), call.Input(6),
             call.Input(7));
  return y;
}

Array Pool(const NodeCall& call) {
  const Array& x = call.Input(0);
  const bool average = call.op_type() == "AveragePool";
  const bool counted = call.Integer("count_include_pad", 0) != 0;
  const Windows windows = WindowsOf(call, x.shape, call.Integers("kernel_shape", {}));
  Array y = WithSpatial(x.dtype, x.shape[0], x.shape[1], windows.out);
  const int64_t plane = NumElements(windows.in);
  auto to = y.values.begin();
  std::vector<int64_t> place(windows.rank());
  for (int64_t image = 0; image < x.shape[0] * x.shape[1]; ++image) {
    ForEachIndex(windows.out, [&](const std::vector<int64_t>& at) {
      double sum = 0;
      double largest = -INFINITY;
      int64_t count = 0;
      ForEachIndex(windows.kernel, [&](const std::vector<int64_t>& k) {
        if (!windows.Place(at, k, place)) return;
        const double value =
            x.values[static_cast<size_t>(image * plane + FlatPlace(windows.in, place))];
        sum += value;
        largest = std::max(largest, value);
        ++count;
      });
      if (counted) count = NumElements(windows.kernel);
      *to++ = average ? sum / static_cast<double>(count) : largest;
    });
  }
  return y;
}

}  // namespace

void AddWindowNodes(NodeDefinitions& nodes) {
  nodes["Conv"] = Conv;
  nodes["ConvTranspose"] = ConvTranspose;
  nodes["ConvInteger"] = ConvInteger;
  nodes["QLinearConv"] = QLinearConv;
  nodes["MatMul"] = [](const NodeCall& call) {
    return Product(call, call.Input(0), call.Input(1));
  };
  nodes["Gemm"] = Gemm;
  nodes["MatMulInteger"] = MatMulInteger;
  nodes["QLinearMatMul"] = QLinearMatMul;
  nodes["MaxPool"] = Pool;
  nodes["AveragePool"] = Pool;
}

}  // namespace qconform
