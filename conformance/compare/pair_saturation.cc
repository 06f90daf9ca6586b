#include "conformance/compare/pair_saturation.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/compare/exact.h"

namespace qconform {
namespace {

constexpr size_t kSample = 64;
constexpr PairOrder kOrders[] = {
    {true, false}, {true, true}, {false, false}, {false, true}};

}  // namespace

int64_t SaturationLoss(const Window& window, int32_t zero_point, PairOrder order) {
  const auto count = static_cast<int64_t>(window.products.size());
  const int64_t taps = window.channels == 0 ? 0 : count / window.channels;
  const auto product = [&](int64_t i) -> int64_t {
    // Kernel positions innermost: the transposed order of the list.
    const int64_t at = order.across_channels ? i : i % taps * window.channels + i / taps;
    const WindowProduct& p = window.products[static_cast<size_t>(at)];
    return int64_t{p.x - (order.centred ? zero_point : 0)} * p.w;
  };
  int64_t loss = 0;
  for (int64_t i = 0; i + 1 < count; i += 2) {
    const int64_t sum = product(i) + product(i + 1);
    loss += std::clamp<int64_t>(sum, -32768, 32767) - sum;
  }
  return loss;
}

std::optional<Cause> FindPairSaturation(const OperatorCall& call,
                                        const std::vector<Bytes>& got,
                                        const std::vector<Bytes>& want) {
  if (!HasWindows(call) || call.outputs.size() != 1) return std::nullopt;
  const CallTensor& x = *call.inputs[0];
  const CallTensor& y = call.outputs[0];
  const int32_t zero = x.zero_point.empty() ? 0 : x.zero_point[0];
  std::vector<int64_t> wrong;
  const size_t item = AbiItemSize(y.dtype);
  for (int64_t i = 0; i < NumElements(y.shape) && wrong.size() < kSample; ++i) {
    const size_t at = static_cast<size_t>(i) * item;
    if (!std::equal(&got[0][at], &got[0][at] + item, &want[0][at])) wrong.push_back(i);
  }
  for (const PairOrder& order : kOrders) {
    const bool explains = std::all_of(wrong.begin(), wrong.end(), [&](int64_t index) {
      const int64_t loss = SaturationLoss(WindowOf(call, index), zero, order);
      const double error = ElementAt(y, got[0], index) - ElementAt(y, want[0], index);
      return (loss < 0 && error < 0) || (loss > 0 && error > 0);
    });
    if (!explains) continue;
    return Cause{"pair saturation",
                 fmt::format("{}*{} pair sum leaves 16 bits in every wrong element ({})",
                             AbiDTypeName(x.dtype), AbiDTypeName(call.inputs[1]->dtype),
                             order.across_channels ? "pairs of channels"
                                                   : "pairs of kernel positions")};
  }
  return std::nullopt;
}

}  // namespace qconform
