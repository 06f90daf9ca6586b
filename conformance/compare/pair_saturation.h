// The trap of 8-bit multiply-add instructions: two neighbouring products are added in
// 16 bits and saturate.
#ifndef QCONFORM_CONFORMANCE_COMPARE_PAIR_SATURATION_H_
#define QCONFORM_CONFORMANCE_COMPARE_PAIR_SATURATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/compare/hypotheses.h"
#include "conformance/compare/window.h"

namespace qconform {

// What saturation takes away from the accumulator of a window: 0 if no pair overflows.
// Pairs are neighbouring channels or neighbouring kernel positions, of plain codes or
// of codes less the zero point.
struct PairOrder {
  bool across_channels;
  bool centred;
};
int64_t SaturationLoss(const Window& window, int32_t zero_point, PairOrder order);

// If, in one order, every wrong element (of up to 64) has lost something, in the
// direction in which it is wrong.
std::optional<Cause> FindPairSaturation(const OperatorCall& call,
                                        const std::vector<Bytes>& got,
                                        const std::vector<Bytes>& want);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_PAIR_SATURATION_H_
