#include "reference/ops/gather.h"

#include <cstring>
#include <numeric>

#include "reference/ops/elements.h"

namespace qconform {

AxisSources IdentitySources(const Shape& shape) {
  AxisSources sources;
  for (int64_t size : shape) {
    sources.emplace_back(static_cast<size_t>(size));
    std::iota(sources.back().begin(), sources.back().end(), 0);
  }
  return sources;
}

namespace {

// A stretch of the last axis that is copied as one piece, or filled.
struct Run {
  int64_t target;
  int64_t source;  // -1: fill
  int64_t length;
};

std::vector<Run> Runs(const std::vector<int64_t>& sources) {
  std::vector<Run> runs;
  for (int64_t i = 0; i < static_cast<int64_t>(sources.size()); ++i) {
    const int64_t source = sources[static_cast<size_t>(i)];
    if (!runs.empty()) {
      Run& last = runs.back();
      const int64_t next = last.source < 0 ? -1 : last.source + last.length;
      if (source == next) {
        ++last.length;
        continue;
      }
    }
    runs.push_back({i, source, 1});
  }
  return runs;
}

}  // namespace

Tensor GatherAxes(const Tensor& tensor, const AxisSources& sources, double fill) {
  const size_t rank = sources.size();
  if (rank == 0) return tensor;
  Shape shape;
  for (const auto& axis : sources) shape.push_back(static_cast<int64_t>(axis.size()));
  Tensor result(tensor.dtype(), shape);
  if (tensor.quantization()) result.set_quantization(*tensor.quantization());
  if (result.numel() == 0) return result;
  const size_t item = ItemSize(tensor.dtype());
  std::vector<std::byte> filler(item * static_cast<size_t>(shape.back()), std::byte{0});
  if (fill != 0.0) {
    const Tensor values =
        Cast(Tensor::FromVector<double>(
                 DType::kFloat64, {shape.back()},
                 std::vector<double>(static_cast<size_t>(shape.back()), fill)),
             tensor.dtype());
    std::memcpy(filler.data(), values.bytes(), filler.size());
  }
  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * tensor.shape()[i];
  const std::vector<Run> runs = Runs(sources.back());
  const int64_t rows = result.numel() / shape.back();
#pragma omp parallel for if (result.numel() >= (1 << 15))
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row;
    int64_t base = 0;
    bool filled = false;
    for (size_t axis = rank - 1; axis-- > 0;) {
      const int64_t source = sources[axis][static_cast<size_t>(rest % shape[axis])];
      rest /= shape[axis];
      filled = filled || source < 0;
      base += source * strides[axis];
    }
    std::byte* to = result.bytes() + static_cast<size_t>(row * shape.back()) * item;
    for (const Run& run : runs) {
      const std::byte* from =
          filled || run.source < 0
              ? filler.data()
              : tensor.bytes() + static_cast<size_t>(base + run.source) * item;
      std::memcpy(to + static_cast<size_t>(run.target) * item, from,
                  static_cast<size_t>(run.length) * item);
    }
  }
  return result;
}

Tensor Pad(const Tensor& tensor, const std::vector<int64_t>& pads,
           const std::string& mode, double value, const Call& call) {
  if (pads.size() % 2 != 0 || pads.size() / 2 > static_cast<size_t>(tensor.rank())) {
    call.Fail(std::to_string(pads.size()) + " pad amounts for rank " +
                  std::to_string(tensor.rank()),
              "two for each padded axis");
  }
  AxisSources sources = IdentitySources(tensor.shape());
  for (size_t i = 0; i < pads.size() / 2; ++i) {
    const size_t axis = static_cast<size_t>(tensor.rank()) - 1 - i;
    const int64_t size = tensor.shape()[axis];
    const int64_t before = pads[2 * i];
    const int64_t length = before + size + pads[2 * i + 1];
    if (length < 0) call.Fail("padding leaves a negative size");
    if (mode == "reflect" && (before >= size || pads[2 * i + 1] >= size)) {
      call.Fail("padding is not smaller than the axis of " + std::to_string(size));
    }
    if (mode == "circular" && (before > size || pads[2 * i + 1] > size)) {
      call.Fail("padding is larger than the axis of " + std::to_string(size));
    }
    if (mode == "replicate" && size == 0) call.Fail("an empty axis cannot be repeated");
    sources[axis].resize(static_cast<size_t>(length));
    for (int64_t j = 0; j < length; ++j) {
      int64_t source = j - before;
      const bool inside = source >= 0 && source < size;
      if (inside) {
      } else if (mode == "constant") {
        source = -1;
      } else if (mode == "reflect") {
        source = source < 0 ? -source : 2 * (size - 1) - source;
      } else if (mode == "replicate") {
        source = source < 0 ? 0 : size - 1;
      } else if (mode == "circular") {
        source = source < 0 ? source + size : source - size;
      } else {
        call.Fail("pad mode '" + mode + "'", "constant, reflect, replicate or circular");
      }
      sources[axis][static_cast<size_t>(j)] = source;
    }
  }
  return GatherAxes(tensor, sources, value);
}

}  // namespace qconform
