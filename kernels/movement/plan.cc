// Plain C++, since nothing is computed: layout/code_move.cc.
#include "kernels/movement/plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/movement/move_plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {
namespace {

using Axis = CodeMove::Axis;

// The dimensions of a tensor, those that continue one another as one.
struct Run {
  int64_t extent, stride;
};
std::vector<Run> MergedRuns(const qc_tensor& tensor) {
  std::vector<Run> runs;
  for (int i = 0; i < tensor.rank; ++i) {
    const Run run{tensor.shape[i], tensor.stride[i]};
    if (run.extent == 1) continue;
    if (!runs.empty() && runs.back().stride == run.stride * run.extent) {
      runs.back() = {runs.back().extent * run.extent, run.stride};
    } else {
      runs.push_back(run);
    }
  }
  return runs;
}

// The elements of both in order, as axes of one loop; false if there are no such axes.
bool CommonAxes(std::vector<Run> from, std::vector<Run> to, std::vector<Axis>& axes) {
  while (!from.empty() && !to.empty()) {
    Run& a = from.back();
    Run& b = to.back();
    const int64_t extent = std::min(a.extent, b.extent);
    if (std::max(a.extent, b.extent) % extent != 0) return false;
    axes.push_back({extent, a.stride, b.stride});
    const auto take = [extent](std::vector<Run>& runs) {
      Run& run = runs.back();
      run = {run.extent / extent, run.stride * extent};
      if (run.extent == 1) runs.pop_back();
    };
    take(from);
    take(to);
  }
  return true;
}

std::vector<Run> Dense(const qc_tensor& tensor) {
  const int64_t codes = ElementCount(tensor);
  return codes == 1 ? std::vector<Run>{} : std::vector<Run>{{codes, 1}};
}

void PlanReshape(const qc_tensor& x, const qc_tensor& y, const CodeTable& table,
                 MovePlan& plan) {
  if (ElementCount(y) == 0) return;
  std::vector<Axis> axes;
  if (CommonAxes(MergedRuns(x), MergedRuns(y), axes))
    return plan.Add(0, CodeMove(axes, 0, 0), table);
  // Both go through a dense copy.
  std::vector<Axis> in, out;
  CommonAxes(MergedRuns(x), Dense(x), in);
  CommonAxes(Dense(y), MergedRuns(y), out);
  plan.StageInput(CodeMove(in, 0, 0), ElementCount(x));
  plan.Add(0, CodeMove(out, 0, 0), table);
}

void PlanTranspose(const qc_tensor& x, const qc_tensor& y, const qc_attributes& a,
                   const CodeTable& table, MovePlan& plan) {
  std::vector<Axis> axes;
  for (int i = 0; i < y.rank; ++i)
    axes.push_back({y.shape[i], x.stride[a.permutation[i]], y.stride[i]});
  plan.Add(0, CodeMove(axes, 0, 0), table);
}

void PlanSlice(const qc_tensor& x, const qc_tensor& y, const qc_attributes& a,
               const CodeTable& table, MovePlan& plan) {
  std::vector<Axis> axes;
  int64_t offset = 0;
  for (int i = 0; i < y.rank; ++i) {
    const int64_t step = a.step[i] == 0 ? 1 : a.step[i];
    axes.push_back({y.shape[i], step * x.stride[i], y.stride[i]});
    offset += a.start[i] * x.stride[i];
  }
  plan.Add(0, CodeMove(axes, offset, 0), table);
}

// Elements of a padded axis that come from one place after the other.
struct Segment {
  int64_t count;
  int64_t to;
  bool fill;
  int64_t from = 0;
  int64_t step = 0;
};

std::vector<Segment> SegmentsOf(int64_t size, int64_t before, int64_t after,
                                int32_t mode) {
  std::vector<Segment> segments;
  const auto pad = [&](int64_t count, int64_t to, bool behind) {
    if (count == 0) return;
    switch (mode) {
      case QC_PADDING_REFLECT:
        return segments.push_back({count, to, false, behind ? size - 2 : before, -1});
      case QC_PADDING_REPLICATE:
        return segments.push_back({count, to, false, behind ? size - 1 : 0, 0});
      case QC_PADDING_CIRCULAR:
        return segments.push_back({count, to, false, behind ? 0 : size - before, 1});
      default:
        return segments.push_back({count, to, true});
    }
  };
  pad(before, 0, false);
  if (size > 0) segments.push_back({size, before, false, 0, 1});
  pad(after, before + size, true);
  return segments;
}

// Every combination of the axes' segments is a box.
void PlanPad(const qc_tensor& x, const qc_tensor& y, const qc_attributes& a, uint8_t fill,
             const CodeTable& table, MovePlan& plan) {
  std::vector<std::vector<Segment>> segments;
  for (int i = 0; i < x.rank; ++i) {
    segments.push_back(SegmentsOf(x.shape[i], a.start[i], a.stop[i], a.padding_mode));
    if (segments.back().empty()) return;  // nothing to write
  }
  std::vector<size_t> at(segments.size(), 0);
  while (true) {
    std::vector<Axis> axes;
    int64_t from = 0, to = 0;
    bool is_fill = false;
    for (int i = 0; i < x.rank; ++i) {
      const Segment& segment =
          segments[static_cast<size_t>(i)][at[static_cast<size_t>(i)]];
      axes.push_back({segment.count, segment.step * x.stride[i], y.stride[i]});
      from += segment.from * x.stride[i];
      to += segment.to * y.stride[i];
      is_fill = is_fill || segment.fill;
    }
    if (is_fill) {
      for (Axis& axis : axes) axis.from_stride = 0;
      plan.AddFill(fill, CodeMove(axes, 0, to));
    } else {
      plan.Add(0, CodeMove(axes, from, to), table);
    }
    size_t i = 0;
    while (i < at.size() && ++at[i] == segments[i].size()) at[i++] = 0;
    if (i == at.size()) return;
  }
}

// Channels (c, i, j) beside pixels (h, w) against channels c beside (h, i), (w, j).
void PlanPixelShuffle(const qc_descriptor& descriptor, const CodeTable& table,
                      MovePlan& plan) {
  const bool shuffle = descriptor.kind == QC_PIXEL_SHUFFLE;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  const qc_tensor& deep = shuffle ? x : y;
  const qc_tensor& wide = shuffle ? y : x;
  const int64_t r = descriptor.attributes->factor;
  const int channel = deep.rank - 3;
  struct Both {
    int64_t extent, deep, wide;
  };
  std::vector<Both> axes;
  for (int i = 0; i < channel; ++i)
    axes.push_back({deep.shape[i], deep.stride[i], wide.stride[i]});
  const int64_t* const s = deep.stride + channel;
  const int64_t* const t = wide.stride + channel;
  const int64_t* const pixels = deep.shape + channel;
  axes.push_back({wide.shape[channel], s[0] * r * r, t[0]});
  axes.push_back({r, s[0] * r, t[1]});
  axes.push_back({r, s[0], t[2]});
  axes.push_back({pixels[1], s[1], t[1] * r});
  axes.push_back({pixels[2], s[2], t[2] * r});
  std::vector<Axis> moved;
  for (const Both& both : axes)
    moved.push_back(
        {both.extent, shuffle ? both.deep : both.wide, shuffle ? both.wide : both.deep});
  plan.Add(0, CodeMove(moved, 0, 0), table);
}

}  // namespace

std::unique_ptr<OperatorPlan> PlanMovement(const PlanRequest& request, std::string&) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_attributes& attributes = *descriptor.attributes;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  const CodeTable table = RescaledCodes(x, y, request.scheme);
  auto plan = std::make_unique<MovePlan>(request);
  switch (descriptor.kind) {
    case QC_RESHAPE:
      PlanReshape(x, y, table, *plan);
      break;
    case QC_TRANSPOSE:
      PlanTranspose(x, y, attributes, table, *plan);
      break;
    case QC_SLICE:
      PlanSlice(x, y, attributes, table, *plan);
      break;
    case QC_PAD: {
      const std::string scheme =
          request.scheme == kCopySchemeName ? kRealSchemeName : request.scheme;
      PlanPad(x, y, attributes, CodeByte(attributes.scalar, y, scheme), table, *plan);
      break;
    }
    default:
      PlanPixelShuffle(descriptor, table, *plan);
  }
  return plan;
}

}  // namespace qconform::kernels
