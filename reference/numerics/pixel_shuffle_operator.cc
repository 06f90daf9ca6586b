// PIXEL_SHUFFLE: [.., C * r * r, H, W] -> [.., C, H * r, W * r]; PIXEL_UNSHUFFLE is its
// inverse. Every output element is one input element.
#include <utility>

#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

constexpr int64_t kLargestFactor = 32768;

// The tensor with many channels, and the one with many pixels.
std::pair<const qc_tensor*, const qc_tensor*> DeepAndWide(const ScalarCall& call) {
  const bool shuffle = call.kind == QC_PIXEL_SHUFFLE;
  return {shuffle ? &call.x() : &call.y(), shuffle ? &call.y() : &call.x()};
}

std::string Check(const ScalarCall& call) {
  std::string objection = CheckValues(call.x(), "the input");
  if (objection.empty()) objection = CheckValues(call.y(), "the output");
  if (objection.empty()) objection = CheckNoActivation(call);
  if (!objection.empty()) return objection;
  if (call.x().quantized_axis >= 0) return "codes per channel do not move";
  const auto [deep, wide] = DeepAndWide(call);
  const int64_t r = call.attributes.factor;
  if (deep->rank < 3 || wide->rank != deep->rank) {
    return "input and output are not [.., C, H, W]";
  }
  if (r < 1 || r > kLargestFactor) return "the factor is out of range";
  std::vector<int64_t> want = ShapeOf(*wide);
  int64_t* last = want.data() + want.size() - 3;
  if (last[1] % r != 0 || last[2] % r != 0) return "the pixels do not divide";
  last[0] *= r * r;
  last[1] /= r;
  last[2] /= r;
  return want == ShapeOf(*deep) ? ""
                                : "the output has another shape than the factor gives";
}

template <typename T>
std::vector<T> Moved(const ScalarCall& call, const std::vector<T>& values) {
  const auto [deep, wide] = DeepAndWide(call);
  const int64_t r = call.attributes.factor;
  const int64_t height = deep->shape[deep->rank - 2];
  const int64_t width = deep->shape[deep->rank - 1];
  std::vector<T> moved(values.size());
  // Index of the wide tensor as (plane, h, i, w, j), of the deep one as (plane, i, j, h,
  // w).
  for (int64_t at = 0; at < static_cast<int64_t>(values.size()); ++at) {
    int64_t rest = at;
    const int64_t j = rest % r;
    rest /= r;
    const int64_t w = rest % width;
    rest /= width;
    const int64_t i = rest % r;
    rest /= r;
    const int64_t h = rest % height;
    const int64_t plane = rest / height;
    const int64_t from = (((plane * r + i) * r + j) * height + h) * width + w;
    if (call.kind == QC_PIXEL_SHUFFLE) {
      moved[static_cast<size_t>(at)] = values[static_cast<size_t>(from)];
    } else {
      moved[static_cast<size_t>(from)] = values[static_cast<size_t>(at)];
    }
  }
  return moved;
}

void Run(const ScalarCall& call) {
  if (call.scheme.copy && IsQuantized(call.x())) {
    WriteIntegers(call.y(), Moved(call, ReadIntegers(call.x())));
  } else {
    WriteReal(call.y(), Moved(call, ReadReal(call.x())), call.scheme);
  }
}

}  // namespace

const OperatorFamily& PixelShuffleFamily() {
  static constexpr OperatorFamily kFamily{Check, CopyOrReal, Run};
  return kFamily;
}

}  // namespace qconform
