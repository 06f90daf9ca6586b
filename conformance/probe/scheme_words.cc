#include "conformance/probe/scheme_words.h"

#include <algorithm>

namespace qconform {
namespace {

std::string MultiplierText(const Scheme& scheme) {
  const bool two = scheme.steps == Scheme::Steps::kTwo;
  switch (scheme.multiplier) {
    case Scheme::Multiplier::kF32:
      return two ? "f32, times sx*sw and then times 1/so" : "f32, once times (sx*sw)/so";
    case Scheme::Multiplier::kF64:
      return "f64, once times (sx*sw)/so";
    case Scheme::Multiplier::kQ31:
      return two ? "q31, two rounding steps" : "q31, one rounding step";
    case Scheme::Multiplier::kQ15:
      return "q15, one rounding step";
    case Scheme::Multiplier::kReal:
      return "none: f32 values, times 1/so";
    case Scheme::Multiplier::kRealDivide:
      return "none: f32 values, divided by so";
  }
  return "";
}

std::string TiesText(const Scheme& scheme) {
  switch (scheme.ties) {
    case Scheme::Ties::kEven:
      return "half to even";
    case Scheme::Ties::kAway:
      return "half away from zero";
    case Scheme::Ties::kUp:
      return scheme.steps == Scheme::Steps::kTwo &&
                     scheme.multiplier == Scheme::Multiplier::kQ31
                 ? "half toward +inf, of the shift away from zero"
                 : "half toward +inf";
    case Scheme::Ties::kDown:
      return "half toward -inf";
    case Scheme::Ties::kTowardZero:
      return "half toward zero";
    case Scheme::Ties::kTruncate:
      return "none: everything toward zero";
    case Scheme::Ties::kFloor:
      return "none: everything down";
    case Scheme::Ties::kUpTwice:
      return "half toward +inf, both times";
  }
  return "";
}

bool SamePart(const Scheme& a, const Scheme& b, SchemePart part) {
  switch (part) {
    case SchemePart::kMultiplier:
      return a.multiplier == b.multiplier && a.steps == b.steps;
    case SchemePart::kTies:
      return a.ties == b.ties;
    case SchemePart::kBias:
      return a.bias == b.bias;
    case SchemePart::kZeroPoint:
      return a.zero_point == b.zero_point;
  }
  return true;
}

}  // namespace

std::string PartName(SchemePart part) {
  switch (part) {
    case SchemePart::kMultiplier:
      return "multiplier";
    case SchemePart::kTies:
      return "ties";
    case SchemePart::kBias:
      return "bias";
    case SchemePart::kZeroPoint:
      return "zero point";
  }
  return "";
}

std::string PartText(const Scheme& scheme, SchemePart part) {
  switch (part) {
    case SchemePart::kMultiplier:
      return MultiplierText(scheme);
    case SchemePart::kTies:
      return TiesText(scheme);
    case SchemePart::kBias:
      if (IsRealScheme(scheme)) return "real, as all values";
      return scheme.bias == Scheme::Bias::kF32 ? "f32, not rounded"
                                               : "rounded to s32, then added";
    case SchemePart::kZeroPoint:
      return scheme.zero_point == Scheme::ZeroPoint::kAfter ? "added after rounding"
                                                            : "added before rounding";
  }
  return "";
}

std::vector<Scheme> Siblings(const Scheme& scheme, SchemePart part) {
  std::vector<Scheme> siblings;
  for (const Scheme& other : KnownSchemes()) {
    bool sibling = !SamePart(scheme, other, part);
    for (const SchemePart each : {SchemePart::kMultiplier, SchemePart::kTies,
                                  SchemePart::kBias, SchemePart::kZeroPoint})
      sibling = sibling && (each == part || SamePart(scheme, other, each));
    if (sibling) siblings.push_back(other);
  }
  // Those that have an accumulator too, or none either.
  std::stable_partition(siblings.begin(), siblings.end(), [&](const Scheme& other) {
    return IsRealScheme(other) == IsRealScheme(scheme);
  });
  return siblings;
}

}  // namespace qconform
