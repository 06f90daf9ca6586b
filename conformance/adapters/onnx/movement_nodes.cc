// Nodes that move elements or change the size of pictures.
#include <algorithm>
#include <cmath>

#include "conformance/adapters/onnx/onnx_evaluator.h"

namespace qconform {
namespace {

std::vector<int64_t> IntegersOf(const Array& array) {
  return {array.values.begin(), array.values.end()};
}

// y[index] = x[source(index)]; a negative place is `fill`.
template <typename Source>
Array Gathered(const Array& x, Shape shape, const Source& source, double fill = 0) {
  Array y = EmptyArray(x.dtype, std::move(shape));
  auto to = y.values.begin();
  ForEachIndex(y.shape, [&](const std::vector<int64_t>& index) {
    const std::vector<int64_t> from = source(index);
    bool outside = false;
    int64_t place = 0;
    for (size_t i = 0; i < from.size(); ++i) {
      outside |= from[i] < 0 || from[i] >= x.shape[i];
      place = place * x.shape[i] + from[i];
    }
    *to++ = outside ? fill : x.values[static_cast<size_t>(place)];
  });
  return y;
}

Array Reshape(const NodeCall& call) {
  Array y = call.Input(0);
  Shape shape = IntegersOf(call.Input(1));
  const bool keep_zero = call.Integer("allowzero", 0) != 0;
  int64_t known = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && !keep_zero) shape[i] = y.shape.at(i);
    if (shape[i] > 0) known *= shape[i];
  }
  for (int64_t& size : shape)
    if (size == -1) size = y.size() / known;
  if (NumElements(shape) != y.size()) call.Fail("another number of elements");
  y.shape = shape;
  return y;
}

Array Unsqueeze(const NodeCall& call) {
  Array y = call.Input(0);
  for (const int64_t axis : IntegersOf(call.Input(1)))
    y.shape.insert(y.shape.begin() + axis, 1);
  return y;
}

Array Squeeze(const NodeCall& call) {
  Array y = call.Input(0);
  for (const int64_t axis : IntegersOf(call.Input(1)))
    y.shape.erase(y.shape.begin() + axis);
  return y;
}

Array Transpose(const NodeCall& call) {
  const Array& x = call.Input(0);
  const std::vector<int64_t> order = call.Integers("perm", {});
  Shape shape;
  for (const int64_t from : order) shape.push_back(x.shape.at(static_cast<size_t>(from)));
  return Gathered(x, shape, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> from(index.size());
    for (size_t i = 0; i < index.size(); ++i)
      from[static_cast<size_t>(order[i])] = index[i];
    return from;
  });
}

Array Slice(const NodeCall& call) {
  const Array& x = call.Input(0);
  const auto start = IntegersOf(call.Input(1));
  const auto stop = IntegersOf(call.Input(2));
  const auto axes = IntegersOf(call.Input(3));
  const auto step = IntegersOf(call.Input(4));
  Shape shape = x.shape;
  for (size_t i = 0; i < axes.size(); ++i)
    shape[static_cast<size_t>(axes[i])] = (stop[i] - start[i] + step[i] - 1) / step[i];
  return Gathered(x, shape, [&](std::vector<int64_t> index) {
    for (size_t i = 0; i < axes.size(); ++i) {
      int64_t& at = index[static_cast<size_t>(axes[i])];
      at = start[i] + at * step[i];
    }
    return index;
  });
}

Array Pad(const NodeCall& call) {
  const Array& x = call.Input(0);
  const auto pads = IntegersOf(call.Input(1));
  const std::string mode = call.Text("mode", "constant");
  const Array* fill = call.OptionalInput(2);
  const size_t rank = x.shape.size();
  Shape shape = x.shape;
  for (size_t i = 0; i < rank; ++i) shape[i] += pads[i] + pads[rank + i];
  return Gathered(
      x, shape,
      [&](std::vector<int64_t> index) {
        for (size_t i = 0; i < rank; ++i) {
          index[i] -= pads[i];
          const int64_t last = x.shape[i] - 1;
          if (mode == "edge") index[i] = std::clamp<int64_t>(index[i], 0, last);
          if (mode == "reflect" && index[i] < 0) index[i] = -index[i];
          if (mode == "reflect" && index[i] > last) index[i] = 2 * last - index[i];
        }
        return index;
      },
      fill == nullptr ? 0.0 : fill->values[0]);
}

Array Concat(const NodeCall& call) {
  const auto axis = static_cast<size_t>(call.Integer("axis", 0));
  Shape shape = call.Input(0).shape;
  for (size_t i = 1; i < call.input_count(); ++i)
    shape[axis] += call.Input(i).shape[axis];
  Array y = EmptyArray(call.Input(0).dtype, shape);
  auto to = y.values.begin();
  ForEachIndex(shape, [&](std::vector<int64_t> index) {
    size_t i = 0;
    while (index[axis] >= call.Input(i).shape[axis])
      index[axis] -= call.Input(i++).shape[axis];
    *to++ = call.Input(i)
                .values[static_cast<size_t>(BroadcastPlace(call.Input(i).shape, index))];
  });
  return y;
}

Array DepthToSpace(const NodeCall& call) {
  const Array& x = call.Input(0);
  const int64_t block = call.Integer("blocksize", 1);
  if (call.Text("mode", "DCR") != "CRD") call.Fail("another mode than CRD");
  return Gathered(
      x, {x.shape[0], x.shape[1] / block / block, x.shape[2] * block, x.shape[3] * block},
      [&](const std::vector<int64_t>& at) -> std::vector<int64_t> {
        return {at[0], (at[1] * block + at[2] % block) * block + at[3] % block,
                at[2] / block, at[3] / block};
      });
}

Array Gather(const NodeCall& call) {
  const Array& x = call.Input(0);
  const Array& indices = call.Input(1);
  Shape shape = indices.shape;
  shape.insert(shape.end(), x.shape.begin() + 1, x.shape.end());
  return Gathered(x, shape, [&](const std::vector<int64_t>& at) {
    const std::vector<int64_t> place(
        at.begin(), at.begin() + static_cast<int64_t>(indices.shape.size()));
    std::vector<int64_t> from = {static_cast<int64_t>(
        indices.values[static_cast<size_t>(BroadcastPlace(indices.shape, place))])};
    from.insert(from.end(), at.begin() + static_cast<int64_t>(place.size()), at.end());
    return from;
  });
}

// Where the output's element lies on the input's axis.
double SourceOf(const std::string& mode, double at, double scale, int64_t size,
                int64_t target) {
  if (mode == "asymmetric") return at / scale;
  if (mode == "align_corners")
    return target == 1
               ? 0.0
               : at * static_cast<double>(size - 1) / static_cast<double>(target - 1);
  return (at + 0.5) / scale - 0.5;
}

Array Resize(const NodeCall& call) {
  const Array& x = call.Input(0);
  const size_t rank = x.shape.size();
  const Array* scales = call.OptionalInput(2);
  const std::string mode = call.Text("coordinate_transformation_mode", "half_pixel");
  const bool nearest = call.Text("mode", "nearest") == "nearest";
  Shape shape(rank);
  std::vector<double> scale(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (scales != nullptr) {
      scale[i] = scales->values[i];
      shape[i] = static_cast<int64_t>(static_cast<double>(x.shape[i]) * scale[i]);
    } else {
      shape[i] = static_cast<int64_t>(call.Input(3).values[i]);
      // float, as tensors of scales are
      scale[i] = static_cast<float>(shape[i]) / static_cast<float>(x.shape[i]);
    }
  }
  Array y = EmptyArray(x.dtype, shape);
  auto to = y.values.begin();
  ForEachIndex(shape, [&](const std::vector<int64_t>& at) {
    std::vector<int64_t> low(rank);
    std::vector<double> above(rank, 0.0);
    for (size_t i = 0; i < rank; ++i) {
      const double source = shape[i] == x.shape[i]
                                ? static_cast<double>(at[i])
                                : SourceOf(mode, static_cast<double>(at[i]), scale[i],
                                           x.shape[i], shape[i]);
      // Beyond the border lies the border's element.
      const double inside = std::clamp(source, 0.0, static_cast<double>(x.shape[i] - 1));
      low[i] = static_cast<int64_t>(std::floor(inside));
      if (!nearest) above[i] = inside - static_cast<double>(low[i]);
    }
    double sum = 0;
    for (size_t corner = 0; corner < size_t{1} << rank; ++corner) {
      double weight = 1;
      std::vector<int64_t> place = low;
      for (size_t i = 0; i < rank; ++i) {
        const bool high = (corner >> i & 1u) != 0;
        weight *= high ? above[i] : 1 - above[i];
        if (high) place[i] = std::min(place[i] + 1, x.shape[i] - 1);
      }
      if (weight != 0)
        sum += weight * x.values[static_cast<size_t>(BroadcastPlace(x.shape, place))];
    }
    *to++ = sum;
  });
  return y;
}

}  // namespace

void AddMovementNodes(NodeDefinitions& nodes) {
  nodes["Reshape"] = Reshape;
  nodes["Unsqueeze"] = Unsqueeze;
  nodes["Squeeze"] = Squeeze;
  nodes["Transpose"] = Transpose;
  nodes["Slice"] = Slice;
  nodes["Pad"] = Pad;
  nodes["Concat"] = Concat;
  nodes["DepthToSpace"] = DepthToSpace;
  nodes["Gather"] = Gather;
  nodes["Resize"] = Resize;
}

}  // namespace qconform
