#include "conformance/probe/scheme_question.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "conformance/compare/reference_outputs.h"
#include "datasets/fills.h"
#include "reference/numerics/requantize.h"

namespace qconform {
namespace {

constexpr size_t kMostAccumulators = 64;
// Of large accumulators, each of which takes thousands of terms.
constexpr size_t kMostLarge = 8;
constexpr int64_t kUsualLimit = 1 << 20;
constexpr int64_t kLargeLimit = 1 << 26;
constexpr int kSteps = 45;  // codes on each side of the zero point

class Draft {
 public:
  Draft(const ProbeForm& form, uint64_t number, int64_t exact_up_to)
      : form_(form),
        number_(number),
        limit_(std::min(exact_up_to, kUsualLimit)),
        exact_up_to_(exact_up_to),
        stream_("probe", std::to_string(number)) {}

  ProbeQuestion Take() {
    const CodeBounds bounds = form_.bounds();
    const int64_t room = bounds.max - bounds.min - 2 * (kSteps + 5);
    question_.zero_point = static_cast<int32_t>(bounds.min + kSteps + 5 +
                                                Below(static_cast<uint64_t>(room)));
    const uint64_t recipe = number_ % 5;
    const bool with_bias = number_ / 5 % 2 == 1;
    if (with_bias) ChooseBias(recipe == 4);
    switch (recipe) {
      case 0:
        PowersOfTwo();
        break;
      case 1:
        Arbitrary();
        break;
      case 2:
        AtAHalf(limit_);
        break;
      case 3:
        SmallQuotient();
        break;
      default:
        Large();
    }
    // In units of the accumulator until the scales are known.
    if (with_bias && form_.bias == ProbeForm::Bias::kF32)
      question_.bias = static_cast<float>(bias_ * double{question_.input_scale} *
                                          double{question_.weight_scale});
    if (with_bias && form_.bias == ProbeForm::Bias::kS32)
      question_.bias_code = static_cast<int32_t>(bias_);
    return std::move(question_);
  }

 private:
  uint64_t Below(uint64_t bound) { return stream_.At(next_++) % bound; }
  double Between(double low, double high) {
    return low + (high - low) * stream_.UniformAt(next_++);
  }

  void ChooseBias(bool large) {
    const bool whole = form_.bias == ProbeForm::Bias::kS32;
    const auto most =
        static_cast<double>(large ? std::min(exact_up_to_, kLargeLimit) : 40);
    bias_ = std::rint(Between(-most, most));
    // Next to an integer: rounding down minds, and a zero point added before forgets it.
    if (!whole && !large && form_.bias == ProbeForm::Bias::kF32 && Below(8) == 0) {
      bias_ = Below(2) == 0 ? 0x1p-60 : -0x1p-60;
      return;
    }
    constexpr double kFractions[] = {0.25, 0.5, 0.75, 0.4, 0.1, 0.9};
    if (!whole) bias_ += kFractions[Below(6)];
    if (form_.bias == ProbeForm::Bias::kNone) bias_ = 0;
  }

  // An accumulator, the bias taken off.
  void Add(double accumulator, size_t most = kMostAccumulators) {
    const double alone = std::rint(accumulator - bias_);
    const double limit = static_cast<double>(
        most == kMostLarge ? std::min(exact_up_to_, kLargeLimit) : limit_);
    if (std::abs(alone) > limit || question_.accumulators.size() >= most) return;
    const auto code = static_cast<int32_t>(alone);
    if (seen_.insert(code).second) question_.accumulators.push_back(code);
  }

  // Those next to halves, nearest to zero first.
  void AddHalves(size_t most = kMostAccumulators) {
    const double multiplier = question_.multiplier();
    Add(0, most);
    for (int step = 0; step < kSteps; ++step)
      for (const int sign : {1, -1}) Add(sign * (step + 0.5) / multiplier, most);
  }

  // Where rules without ties jump.
  void AddIntegers() {
    for (int step = 1; step < 12; ++step)
      for (const int sign : {1, -1}) Add(sign * step / question_.multiplier());
  }

  void PowersOfTwo() {
    const auto bits = static_cast<int>(1 + Below(8));
    question_.input_scale = std::ldexp(1.0f, -static_cast<int>(Below(8)));
    question_.weight_scale = std::ldexp(1.0f, -static_cast<int>(Below(8)));
    question_.output_scale =
        std::ldexp(question_.input_scale * question_.weight_scale, bits);
    AddHalves();
    for (int i = 1; i < 10; ++i)
      for (const int sign : {1, -1}) Add(sign * i);
  }

  void ArbitraryScales(double multiplier) {
    question_.input_scale = static_cast<float>(Between(0.001, 0.1));
    question_.weight_scale = static_cast<float>(Between(0.001, 0.1));
    question_.output_scale = static_cast<float>(
        double{question_.input_scale} * double{question_.weight_scale} / multiplier);
  }

  void Arbitrary() {
    ArbitraryScales(std::exp2(Between(-14, -1)));
    AddIntegers();
    AddHalves();
  }

  void AtAHalf(int64_t limit, size_t most = kMostAccumulators) {
    const double largest = std::exp2(Between(3, std::log2(static_cast<double>(limit))));
    const double accumulator = std::rint(Between(largest / 2, largest));
    const double step = static_cast<double>(Below(kSteps)) + 0.5;
    ArbitraryScales(step / accumulator);
    float& scale = question_.output_scale;
    for (uint64_t ulps = Below(3); ulps > 0; --ulps) scale = std::nextafter(scale, 1.0f);
    Add(accumulator, most);
    Add(-accumulator, most);
    AddHalves(most);
  }

  // p/q: floating point and fixed point err in different directions.
  void SmallQuotient() {
    const auto p = static_cast<int>(1 + Below(15));
    const auto q = static_cast<int>(p + 1 + Below(40));
    question_.input_scale = std::ldexp(static_cast<float>(p), -8);
    question_.weight_scale = 0.0625f;
    question_.output_scale = std::ldexp(static_cast<float>(q), -12);
    AddIntegers();
    AddHalves();
  }

  void Large() { AtAHalf(std::min(exact_up_to_, kLargeLimit), kMostLarge); }

  const ProbeForm& form_;
  uint64_t number_;
  int64_t limit_;
  int64_t exact_up_to_;
  FillStream stream_;
  uint64_t next_ = 0;
  double bias_ = 0;
  std::set<int32_t> seen_;
  ProbeQuestion question_;
};

}  // namespace

ProbeQuestion SchemeQuestion(const ProbeForm& form, uint64_t number,
                             int64_t exact_up_to) {
  return Draft(form, number, exact_up_to).Take();
}

std::vector<int32_t> ExpectedCodes(const Scheme& scheme, const ProbeForm& form,
                                   const ProbeQuestion& question) {
  std::vector<int32_t> codes;
  const CodeBounds bounds = form.bounds();
  if (IsRealScheme(scheme)) {
    const auto outputs = ReferenceOutputs(CallOf(form, question), SchemeName(scheme));
    if (!outputs)
      throw std::logic_error("no definition of linear under " + SchemeName(scheme));
    for (const std::byte byte : (*outputs)[0])
      codes.push_back(form.y == QC_S8 ? static_cast<int32_t>(static_cast<int8_t>(byte))
                                      : static_cast<int32_t>(byte));
    return codes;
  }
  const ChannelRequantizer requantizer(
      scheme, question.input_scale, question.weight_scale, question.output_scale,
      question.zero_point, question.bias, question.bias_code);
  for (const int32_t accumulator : question.accumulators)
    codes.push_back(static_cast<int32_t>(
        std::clamp<int64_t>(requantizer.Code(accumulator), bounds.min, bounds.max)));
  return codes;
}

}  // namespace qconform
