// Pooling and means. Torch's windows of ceil mode may begin in no padding on the right,
// and an average does not count what lies beyond the padding; ONNX of this opset says
// neither, so sizes are made by padding that is written out.
#include <algorithm>

#include "reference/onnx/node_writer.h"

namespace qconform {
namespace {

struct Windows {
  std::vector<int64_t> kernel;
  std::vector<int64_t> stride;
  std::vector<int64_t> dilation;
  std::vector<int64_t> before;
  std::vector<int64_t> after;   // that the attributes ask for
  std::vector<int64_t> beyond;  // more, up to the end of the last window
};

Windows WindowsOf(const NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  const int rank = a.spatial_rank;
  Windows w = {Spatial(a.kernel, rank),        Spatial(a.stride, rank),
               Spatial(a.dilation, rank),      Spatial(a.padding_before, rank),
               Spatial(a.padding_after, rank), {}};
  const Shape& x = writer.Input(0).shape;
  const Shape& y = writer.Output().shape;
  const size_t leading = x.size() - static_cast<size_t>(rank);
  for (size_t i = 0; i < static_cast<size_t>(rank); ++i) {
    if (w.stride[i] == 0) w.stride[i] = w.kernel[i];
    if (w.dilation[i] == 0) w.dilation[i] = 1;
    const int64_t end =
        (y[leading + i] - 1) * w.stride[i] + w.dilation[i] * (w.kernel[i] - 1) + 1;
    w.beyond.push_back(
        std::max<int64_t>(end - x[leading + i] - w.before[i] - w.after[i], 0));
  }
  return w;
}

std::vector<int64_t> Pads(const std::vector<int64_t>& before,
                          const std::vector<int64_t>& after) {
  std::vector<int64_t> pads = before;
  pads.insert(pads.end(), after.begin(), after.end());
  return pads;
}

std::vector<int64_t> Sum(std::vector<int64_t> a, const std::vector<int64_t>& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

bool IsZero(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 0; });
}

// [C, spatial] as [1, C, spatial], which ONNX wants.
std::string WithBatch(NodeWriter& writer, const std::string& x, int spatial) {
  const Shape& shape = writer.Input(0).shape;
  if (shape.size() == static_cast<size_t>(spatial) + 2) return x;
  return writer.Node("Unsqueeze", {x, writer.Integers("batch.axis", {0})});
}

std::string WithoutBatch(NodeWriter& writer, const std::string& y, int spatial) {
  if (writer.Input(0).shape.size() == static_cast<size_t>(spatial) + 2) return y;
  return writer.Node("Squeeze", {y, writer.Integers("batch.axis", {0})});
}

std::string PaddedWithZero(NodeWriter& writer, const std::string& x, const Windows& w) {
  std::vector<int64_t> before = {0, 0};
  std::vector<int64_t> after = {0, 0};
  before.insert(before.end(), w.before.begin(), w.before.end());
  after.insert(after.end(), w.after.begin(), w.after.end());
  return WritePadding(writer, x, QC_PADDING_ZEROS, before, after,
                      writer.Scalar("zero", 0.0f));
}

// Sums of windows by a depthwise convolution with ones.
std::string WindowSums(NodeWriter& writer, const std::string& x, const Windows& w) {
  const Shape& shape = writer.Input(0).shape;
  const int64_t channels = shape[shape.size() - w.kernel.size() - 1];
  Shape ones = {channels, 1};
  ones.insert(ones.end(), w.kernel.begin(), w.kernel.end());
  const std::vector<float> values(static_cast<size_t>(NumElements(ones)), 1.0f);
  return writer.Node("Conv", {x, writer.Floats("ones", values, ones)},
                     {{"kernel_shape", w.kernel},
                      {"strides", w.stride},
                      {"pads", Pads(w.before, Sum(w.after, w.beyond))},
                      {"group", channels}});
}

}  // namespace

void WriteMaxPool(NodeWriter& writer) {
  const Windows w = WindowsOf(writer);
  const int rank = writer.attributes().spatial_rank;
  std::string y = WithBatch(writer, writer.Moved(0), rank);
  y = writer.Node("MaxPool", {y},
                  {{"kernel_shape", w.kernel},
                   {"strides", w.stride},
                   {"dilations", w.dilation},
                   {"pads", Pads(w.before, Sum(w.after, w.beyond))}});
  writer.StoreMoved(WithoutBatch(writer, y, rank));
}

void WriteAveragePool(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  Windows w = WindowsOf(writer);
  std::string y = WithBatch(writer, writer.Real(0), a.spatial_rank);
  if (a.divisor_override > 0) {
    y = writer.Node("Div",
                    {WindowSums(writer, y, w),
                     writer.Scalar("divisor", static_cast<float>(a.divisor_override))});
    return writer.StoreReal(WithoutBatch(writer, y, a.spatial_rank));
  }
  const bool counted = a.count_include_pad != 0;
  if (counted && !(IsZero(w.before) && IsZero(w.after)) && !IsZero(w.beyond)) {
    y = PaddedWithZero(writer, y, w);
    w.before.assign(w.before.size(), 0);
    w.after = w.before;
  }
  const bool beyond_only = IsZero(w.before) && IsZero(w.after);
  y = writer.Node("AveragePool", {y},
                  {{"kernel_shape", w.kernel},
                   {"strides", w.stride},
                   {"pads", Pads(w.before, Sum(w.after, w.beyond))},
                   {"count_include_pad", int64_t{counted && !beyond_only}}});
  writer.StoreReal(WithoutBatch(writer, y, a.spatial_rank));
}

void WriteAdaptivePool(NodeWriter& writer) {
  const int rank = writer.attributes().spatial_rank;
  const Shape& x = writer.Input(0).shape;
  const Shape& y = writer.Output().shape;
  const size_t leading = x.size() - static_cast<size_t>(rank);
  const Shape in(x.begin() + static_cast<int64_t>(leading), x.end());
  const Shape out(y.begin() + static_cast<int64_t>(leading), y.end());
  if (NumElements(in) == 0 || NumElements(out) == 0)
    writer.Refuse("an adaptive average of nothing");
  std::string real = WithBatch(writer, writer.Real(0), rank);
  std::vector<int64_t> kernel;
  bool even = true;
  for (size_t i = 0; i < in.size(); ++i) {
    even = even && in[i] % out[i] == 0;
    kernel.push_back(in[i] / out[i]);
  }
  if (even && std::all_of(out.begin(), out.end(), [](int64_t v) { return v == 1; })) {
    real = writer.Node("GlobalAveragePool", {real});
  } else if (even) {
    real = writer.Node("AveragePool", {real},
                       {{"kernel_shape", kernel}, {"strides", kernel}});
  } else {
    // Windows of several sizes: sums by a product with 0 and 1 along each dimension.
    std::string equation = rank == 1   ? "ncx,ax->nca"
                           : rank == 2 ? "ncxy,ax,by->ncab"
                                       : "ncxyz,ax,by,dz->ncabd";
    std::vector<std::string> inputs = {real};
    std::vector<float> counts = {1.0f};
    for (size_t i = 0; i < in.size(); ++i) {
      std::vector<float> member(static_cast<size_t>(out[i] * in[i]), 0.0f);
      std::vector<float> more;
      for (int64_t o = 0; o < out[i]; ++o) {
        const int64_t begin = o * in[i] / out[i];
        const int64_t end = ((o + 1) * in[i] + out[i] - 1) / out[i];
        for (int64_t k = begin; k < end; ++k)
          member[static_cast<size_t>(o * in[i] + k)] = 1;
      }
      for (const float count : counts) {
        for (int64_t o = 0; o < out[i]; ++o) {
          const int64_t begin = o * in[i] / out[i];
          const int64_t end = ((o + 1) * in[i] + out[i] - 1) / out[i];
          more.push_back(count * static_cast<float>(end - begin));
        }
      }
      counts = std::move(more);
      inputs.push_back(writer.Floats("windows", member, {out[i], in[i]}));
    }
    const std::string sums =
        writer.Node("Einsum", std::move(inputs), {{"equation", equation}});
    real = writer.Node("Div", {sums, writer.Floats("counts", counts, out)});
  }
  writer.StoreReal(WithoutBatch(writer, real, rank));
}

void WriteMean(NodeWriter& writer) {
  const qc_attributes& a = writer.attributes();
  std::vector<int64_t> axes;
  for (size_t i = 0; i < writer.Input(0).shape.size(); ++i)
    if ((a.axis_mask >> i & 1u) != 0) axes.push_back(static_cast<int64_t>(i));
  const std::string x = writer.Real(0);
  if (axes.empty()) return writer.StoreReal(writer.Node("Identity", {x}));
  writer.StoreReal(writer.Node(
      "ReduceMean", {x},
      {{"axes", axes}, {"keepdims", static_cast<int64_t>(a.keep_dimensions != 0)}}));
}

}  // namespace qconform
