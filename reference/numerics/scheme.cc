#include "reference/numerics/scheme.h"

#include <algorithm>
#include <array>
#include <utility>

namespace qconform {
namespace {

template <typename Value, size_t kCount>
using Words = std::array<std::pair<std::string_view, Value>, kCount>;

constexpr Words<Scheme::Multiplier, 6> kMultipliers = {
    {{"f32", Scheme::Multiplier::kF32},
     {"f64", Scheme::Multiplier::kF64},
     {"q31", Scheme::Multiplier::kQ31},
     {"q15", Scheme::Multiplier::kQ15},
     {"real", Scheme::Multiplier::kReal},
     {"real_divide", Scheme::Multiplier::kRealDivide}}};
constexpr Words<Scheme::Steps, 2> kSteps = {
    {{"one", Scheme::Steps::kOne}, {"two", Scheme::Steps::kTwo}}};
constexpr Words<Scheme::Ties, 8> kTies = {{{"even", Scheme::Ties::kEven},
                                           {"away", Scheme::Ties::kAway},
                                           {"up", Scheme::Ties::kUp},
                                           {"down", Scheme::Ties::kDown},
                                           {"toward_zero", Scheme::Ties::kTowardZero},
                                           {"truncate", Scheme::Ties::kTruncate},
                                           {"floor", Scheme::Ties::kFloor},
                                           {"up_twice", Scheme::Ties::kUpTwice}}};
constexpr Words<Scheme::Bias, 2> kBiases = {
    {{"bias_f32", Scheme::Bias::kF32}, {"bias_s32", Scheme::Bias::kS32}}};
constexpr Words<Scheme::ZeroPoint, 2> kZeroPoints = {
    {{"zp_after", Scheme::ZeroPoint::kAfter}, {"zp_before", Scheme::ZeroPoint::kBefore}}};

template <typename Table, typename Value>
bool Read(const Table& table, std::string_view word, Value& value) {
  for (const auto& [text, meaning] : table) {
    if (text == word) {
      value = meaning;
      return true;
    }
  }
  return false;
}

template <typename Table, typename Value>
std::string Word(const Table& table, Value value) {
  for (const auto& [text, meaning] : table) {
    if (meaning == value) return std::string(text);
  }
  return "";
}

std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t slash = text.find('/');
    words.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return words;
    text.remove_prefix(slash + 1);
  }
}

// Which combinations somebody could mean. Fixed point rounds integers: there is no float
// bias to add, and a zero point inside would not be rounded. Where values are real, so is
// the bias.
bool HasDefinition(const Scheme& scheme) {
  const bool two = scheme.steps == Scheme::Steps::kTwo;
  const bool whole_bias = scheme.bias == Scheme::Bias::kS32;
  const bool after = scheme.zero_point == Scheme::ZeroPoint::kAfter;
  const bool up_twice = scheme.ties == Scheme::Ties::kUpTwice;
  switch (scheme.multiplier) {
    case Scheme::Multiplier::kF32:
      return !up_twice;
    case Scheme::Multiplier::kF64:
      return !two && !up_twice;
    case Scheme::Multiplier::kQ31:
      return whole_bias && after &&
             (two ? up_twice || scheme.ties == Scheme::Ties::kUp : !up_twice);
    case Scheme::Multiplier::kQ15:
      return whole_bias && after && !two && !up_twice;
    case Scheme::Multiplier::kReal:
    case Scheme::Multiplier::kRealDivide:
      return !two && !whole_bias && !up_twice;
  }
  return false;
}

// What most runtimes do.
bool IsUsual(const Scheme& scheme) {
  const bool by_ties = scheme.ties == Scheme::Ties::kEven ||
                       scheme.ties == Scheme::Ties::kAway ||
                       scheme.ties == Scheme::Ties::kUp;
  switch (scheme.multiplier) {
    case Scheme::Multiplier::kF32:
      return by_ties && scheme.steps == Scheme::Steps::kOne;
    case Scheme::Multiplier::kQ31:
      return scheme.ties == Scheme::Ties::kUp;
    case Scheme::Multiplier::kReal:
      return by_ties;
    default:
      return false;
  }
}

std::vector<Scheme> EveryScheme() {
  std::vector<Scheme> schemes;
  for (const auto& [multiplier_word, multiplier] : kMultipliers)
    for (const auto& [steps_word, steps] : kSteps)
      for (const auto& [zero_point_word, zero_point] : kZeroPoints)
        for (const auto& [ties_word, ties] : kTies)
          for (const auto& [bias_word, bias] : kBiases) {
            const Scheme scheme{false, multiplier, steps, ties, bias, zero_point};
            if (HasDefinition(scheme)) schemes.push_back(scheme);
          }
  std::stable_partition(schemes.begin(), schemes.end(), IsUsual);
  return schemes;
}

}  // namespace

std::optional<Scheme> ParseScheme(std::string_view text) {
  Scheme scheme;
  if (text == kCopySchemeName) {
    scheme.copy = true;
    return scheme;
  }
  const std::vector<std::string_view> words = Split(text);
  if (words.size() != 5 || !Read(kMultipliers, words[0], scheme.multiplier) ||
      !Read(kSteps, words[1], scheme.steps) || !Read(kTies, words[2], scheme.ties) ||
      !Read(kBiases, words[3], scheme.bias) ||
      !Read(kZeroPoints, words[4], scheme.zero_point)) {
    return std::nullopt;
  }
  if (!HasDefinition(scheme)) return std::nullopt;
  return scheme;
}

std::string SchemeName(const Scheme& scheme) {
  if (scheme.copy) return kCopySchemeName;
  return Word(kMultipliers, scheme.multiplier) + "/" + Word(kSteps, scheme.steps) + "/" +
         Word(kTies, scheme.ties) + "/" + Word(kBiases, scheme.bias) + "/" +
         Word(kZeroPoints, scheme.zero_point);
}

bool IsRealScheme(const Scheme& scheme) {
  return !scheme.copy && (scheme.multiplier == Scheme::Multiplier::kReal ||
                          scheme.multiplier == Scheme::Multiplier::kRealDivide);
}

const std::vector<Scheme>& KnownSchemes() {
  static const auto* schemes = new std::vector<Scheme>(EveryScheme());
  return *schemes;
}

}  // namespace qconform
