#include "conformance/compare/rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qconform {
namespace {

struct Rule {
  const char* text;
  double (*code)(double value, int32_t zero_point);
};

double Truncate(double value, int32_t zero) { return std::trunc(value) + zero; }

// Rules that are no scheme of the reference; those are tried before.
constexpr Rule kRules[] = {
    {"rounds ties down",
     [](double value, int32_t zero) { return std::ceil(value - 0.5) + zero; }},
    {"truncates instead of rounding", Truncate},
    {"rounds down instead of to nearest",
     [](double value, int32_t zero) { return std::floor(value) + zero; }},
};

// In steps of the output. A float32 product is off by a few units in the last place, a
// fixed-point sum by what the rounding of its multipliers costs: a value that is as close
// as this to a half may be rounded to either side.
constexpr double kTieBand = 0x1p-10;

// Wrong codes, and those that are the other neighbour of a value close to a half.
struct TieCount {
  int64_t wrong = 0;
  int64_t at_tie = 0;
  double farthest = 0;  // from the half, of those

  void Add(double value, double code) {
    ++wrong;
    const double distance = std::abs(code - value) - 0.5;
    if (distance > kTieBand) return;
    ++at_tie;
    farthest = std::max(farthest, distance);
  }
};

}  // namespace

std::optional<Cause> FindRounding(const OperatorCall& call, const std::string& scheme,
                                  const std::vector<Bytes>& got,
                                  const std::vector<Bytes>& want) {
  const CallTensor& y = call.outputs[0];
  if (call.outputs.size() != 1 || y.scale.size() != 1 || AbiItemSize(y.dtype) != 1)
    return std::nullopt;
  OperatorCall real_call = call;
  real_call.outputs[0].dtype = QC_F32;
  real_call.outputs[0].scale.clear();
  real_call.outputs[0].zero_point.clear();
  const auto real = ReferenceOutputs(real_call, scheme);
  if (!real) return std::nullopt;
  const int32_t zero = y.zero_point.empty() ? 0 : y.zero_point[0];
  CodeBounds bounds = BoundsOf(y);
  if (call.attributes.activation == QC_ACTIVATION_RELU)
    bounds.min = std::max<int64_t>(bounds.min, zero);
  const auto count = NumElements(y.shape);
  std::vector<double> values;
  TieCount ties;
  for (int64_t i = 0; i < count; ++i) {
    const double value =
        ElementAt(real_call.outputs[0], (*real)[0], i) / double{y.scale[0]};
    values.push_back(value);
    const auto at = static_cast<size_t>(i);
    if (got[0][at] != want[0][at]) ties.Add(value, ElementAt(y, got[0], i) - zero);
  }
  for (const Rule& rule : kRules) {
    bool explains = true;
    for (int64_t i = 0; i < count && explains; ++i) {
      const double code =
          std::clamp(rule.code(values[static_cast<size_t>(i)], zero),
                     static_cast<double>(bounds.min), static_cast<double>(bounds.max));
      explains = code == ElementAt(y, got[0], i);
    }
    if (explains) return Cause{"rounding", rule.text};
  }
  const bool all = ties.at_tie == ties.wrong;
  return Cause{"rounding",
               fmt::format("every wrong code is off by one{} ({} of {} within 2^-10 of "
                           "one, {:.1e} at most)",
                           all ? ", at a tie" : ", not all at a tie", ties.at_tie,
                           ties.wrong, ties.farthest)};
}

}  // namespace qconform
