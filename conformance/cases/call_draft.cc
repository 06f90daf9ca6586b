#include "conformance/cases/call_draft.h"

#include <algorithm>

#include "conformance/cases/row_operator.h"

namespace qconform {
namespace {

qc_dtype ResidualDType(const SuiteRow& row) { return row.y == QC_F32 ? row.x : row.y; }

int64_t DilatedKernel(const SuiteRow& row, size_t d) {
  return row.dilation[d] * (row.kernel[d] - 1) + 1;
}

Shape Joined(Shape leading, const Numbers& rest) {
  leading.insert(leading.end(), rest.begin(), rest.end());
  return leading;
}

Shape Broadcast(const Shape& a, const Shape& b) {
  Shape joined(std::max(a.size(), b.size()), 1);
  for (const Shape* shape : {&a, &b}) {
    for (size_t i = 0; i < shape->size(); ++i) {
      int64_t& size = joined[joined.size() - shape->size() + i];
      if (size == 1) size = (*shape)[i];
    }
  }
  return joined;
}

DraftInput InputOf(const SuiteRow& row, Shape shape) {
  const int channel_axis = shape.size() > 1 ? 1 : -1;
  return ActivationInput("x", row.x, std::move(shape), row.zx, row.sx, channel_axis);
}

CallDraft OneInput(const SuiteRow& row, Shape x, Shape y) {
  return {{InputOf(row, std::move(x))}, {TensorOf(row.y, std::move(y))}};
}

// Weights, bias and residual behind an input that is there already.
void AddWeights(const SuiteRow& row, Shape shape, int channel_axis, CallDraft& draft) {
  DraftInput weight = ConstantInput("w", InputRole::kWeight, row.w, std::move(shape));
  weight.zero_point = row.zw[0];
  weight.channel_zero_points = row.zw;
  weight.scale = row.sw;
  weight.tensor.axis = row.per_channel() ? channel_axis : -1;
  draft.inputs.push_back(std::move(weight));
  draft.inputs.emplace_back();
  if (row.bias != "none") {
    draft.inputs.back() = ConstantInput("bias", InputRole::kBias,
                                        row.bias == "s32" ? QC_S32 : QC_F32, {row.o});
  }
  if (row.residual) {
    const Shape& y = draft.outputs[0].shape;
    draft.inputs.push_back(ActivationInput("residual", ResidualDType(row), y, row.zr,
                                           row.sr, y.size() > 2 ? 1 : -1));
  }
}

int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

DraftInput ActivationInput(const std::string& name, qc_dtype dtype, Shape shape,
                           int64_t zero_point, Reals scale, int channel_axis) {
  DraftInput input;
  input.name = name;
  input.tensor = TensorOf(dtype, std::move(shape));
  input.zero_point = zero_point;
  input.scale = std::move(scale);
  input.channel_axis = channel_axis;
  return input;
}

DraftInput ConstantInput(const std::string& name, InputRole role, qc_dtype dtype,
                         Shape shape) {
  DraftInput input;
  input.name = name;
  input.role = role;
  input.tensor = TensorOf(dtype, std::move(shape));
  input.tensor.constant = true;
  return input;
}

CallTensor TensorOf(qc_dtype dtype, Shape shape) {
  CallTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return tensor;
}

Numbers WindowCounts(const SuiteRow& row) {
  const bool transposed = !row.output_padding.empty();
  Numbers counts;
  for (size_t d = 0; d < row.size.size(); ++d) {
    const int64_t padding = row.padding.before[d] + row.padding.after[d];
    if (transposed) {
      counts.push_back((row.size[d] - 1) * row.stride[d] + DilatedKernel(row, d) +
                       row.output_padding[d] - padding);
      continue;
    }
    const int64_t room = row.size[d] + padding - DilatedKernel(row, d);
    int64_t count =
        (row.ceil ? CeilDivide(room, row.stride[d]) : room / row.stride[d]) + 1;
    // Torch drops a window that would start in the padding behind.
    if (row.ceil && (count - 1) * row.stride[d] >= row.size[d] + row.padding.before[d])
      --count;
    counts.push_back(count);
  }
  return counts;
}

CallDraft DraftWeighted(const SuiteRow& row) {
  const bool transposed = !row.output_padding.empty();
  CallDraft draft = OneInput(row, Joined({row.n[0], row.c}, row.size),
                             Joined({row.n[0], row.o}, WindowCounts(row)));
  AddWeights(row,
             Joined(transposed ? Shape{row.c, row.o / row.groups}
                               : Shape{row.o, row.c / row.groups},
                    row.kernel),
             transposed ? 1 : 0, draft);
  return draft;
}

CallDraft DraftLinear(const SuiteRow& row) {
  CallDraft draft;
  draft.inputs = {
      ActivationInput("x", row.x, Joined(row.n, {row.c}), row.zx, row.sx, -1)};
  draft.outputs = {TensorOf(row.y, Joined(row.n, {row.o}))};
  AddWeights(row, {row.o, row.c}, 0, draft);
  return draft;
}

CallDraft DraftMatmul(const SuiteRow& row) {
  Shape y = Broadcast(Shape(row.shape.begin(), row.shape.end() - 2),
                      Shape(row.other.begin(), row.other.end() - 2));
  y.push_back(row.shape[row.shape.size() - 2]);
  y.push_back(row.other.back());
  CallDraft draft = OneInput(row, row.shape, std::move(y));
  draft.inputs[0]->channel_axis = -1;
  draft.inputs.push_back(ActivationInput("b", row.w, row.other, row.zw[0], row.sw, -1));
  return draft;
}

CallDraft DraftBinary(const SuiteRow& row) {
  if (row.w == kNoDType) return DraftSameShape(row);
  const Shape& other = row.other.empty() ? row.shape : row.other;
  CallDraft draft = OneInput(row, row.shape, Broadcast(row.shape, other));
  draft.inputs.push_back(
      ActivationInput("b", row.w, other, row.zw[0], row.sw, other.size() > 1 ? 1 : -1));
  return draft;
}

CallDraft DraftSameShape(const SuiteRow& row) {
  CallDraft draft = OneInput(row, row.shape, row.shape);
  if (row.qaxis >= 0) {
    CallTensor& codes = row.x == QC_F32 ? draft.outputs[0] : draft.inputs[0]->tensor;
    codes.axis = static_cast<int>(row.qaxis);
  }
  return draft;
}

CallDraft DraftBatchNorm(const SuiteRow& row) {
  CallDraft draft = OneInput(row, row.shape, row.shape);
  const Shape channels = {row.shape[1]};
  draft.inputs.push_back(ConstantInput("gamma", InputRole::kGamma, QC_F32, channels));
  draft.inputs.push_back(ConstantInput("beta", InputRole::kBeta, QC_F32, channels));
  draft.inputs.push_back(ConstantInput("mean", InputRole::kBeta, QC_F32, channels));
  draft.inputs.push_back(
      ConstantInput("variance", InputRole::kVariance, QC_F32, channels));
  return draft;
}

CallDraft DraftPool(const SuiteRow& row) {
  return OneInput(row, Joined({row.n[0], row.c}, row.size),
                  Joined({row.n[0], row.c}, WindowCounts(row)));
}

CallDraft DraftResize(const SuiteRow& row) {
  return OneInput(row, Joined({row.n[0], row.c}, row.size),
                  Joined({row.n[0], row.c}, row.out));
}

CallDraft DraftMean(const SuiteRow& row) {
  Shape y;
  for (size_t d = 0; d < row.shape.size(); ++d) {
    const bool reduced = std::count(row.axes.begin(), row.axes.end(), d) > 0;
    if (!reduced || row.keep) y.push_back(reduced ? 1 : row.shape[d]);
  }
  return OneInput(row, row.shape, std::move(y));
}

CallDraft DraftConcat(const SuiteRow& row) {
  CallDraft draft;
  for (size_t i = 0; i < row.parts.size(); ++i) {
    Shape shape = row.shape;
    shape[static_cast<size_t>(row.axis)] = row.parts[i];
    Reals scale;
    if (!row.sx.empty()) scale = {row.sx[i % row.sx.size()]};
    draft.inputs.push_back(ActivationInput(
        "x" + std::to_string(i), row.x, std::move(shape), row.zs[i % row.zs.size()],
        std::move(scale), row.shape.size() > 1 ? 1 : -1));
  }
  draft.outputs = {TensorOf(row.y, row.shape)};
  return draft;
}

CallDraft DraftReshape(const SuiteRow& row) { return OneInput(row, row.shape, row.out); }

CallDraft DraftTranspose(const SuiteRow& row) {
  Shape y;
  for (const int64_t axis : row.axes) y.push_back(row.shape[static_cast<size_t>(axis)]);
  return OneInput(row, row.shape, std::move(y));
}

CallDraft DraftSlice(const SuiteRow& row) {
  Shape y;
  for (size_t d = 0; d < row.shape.size(); ++d)
    y.push_back(CeilDivide(row.stop[d] - row.start[d], row.step[d]));
  return OneInput(row, row.shape, std::move(y));
}

CallDraft DraftPad(const SuiteRow& row) {
  Shape y = row.shape;
  for (size_t d = 0; d < y.size(); ++d)
    y[d] += row.padding.before[d] + row.padding.after[d];
  return OneInput(row, row.shape, std::move(y));
}

}  // namespace qconform
