// A scheme in words, part by part.
#ifndef QCONFORM_CONFORMANCE_PROBE_SCHEME_WORDS_H_
#define QCONFORM_CONFORMANCE_PROBE_SCHEME_WORDS_H_

#include <string>
#include <vector>

#include "reference/numerics/scheme.h"

namespace qconform {

enum class SchemePart { kMultiplier, kTies, kBias, kZeroPoint };

// "multiplier", "ties", "bias", "zero point".
std::string PartName(SchemePart part);

// "q31, one rounding step", "half toward +inf", "added after rounding", ...
std::string PartText(const Scheme& scheme, SchemePart part);

// Known schemes that differ from this one in that part alone, the usual ones first.
std::vector<Scheme> Siblings(const Scheme& scheme, SchemePart part);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_SCHEME_WORDS_H_
