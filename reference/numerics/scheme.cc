#include "reference/numerics/scheme.h"

#include <array>
#include <utility>
#include <vector>

namespace qconform {
namespace {

template <typename Value, size_t kCount>
using Words = std::array<std::pair<std::string_view, Value>, kCount>;

constexpr Words<Scheme::Multiplier, 3> kMultipliers = {
    {{"f32", Scheme::Multiplier::kF32},
     {"q31", Scheme::Multiplier::kQ31},
     {"real", Scheme::Multiplier::kReal}}};
constexpr Words<Scheme::Steps, 2> kSteps = {
    {{"one", Scheme::Steps::kOne}, {"two", Scheme::Steps::kTwo}}};
constexpr Words<Scheme::Ties, 3> kTies = {{{"even", Scheme::Ties::kEven},
                                           {"away", Scheme::Ties::kAway},
                                           {"up", Scheme::Ties::kUp}}};
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
  // Fixed point rounds integers: there is no float bias to add, and rounding to even
  // or a zero point inside is nobody's rule.
  const bool fixed_point = scheme.multiplier == Scheme::Multiplier::kQ31;
  const bool two = scheme.steps == Scheme::Steps::kTwo;
  if (two && !fixed_point) return std::nullopt;
  if (fixed_point &&
      (scheme.ties != Scheme::Ties::kUp || scheme.bias != Scheme::Bias::kS32 ||
       scheme.zero_point != Scheme::ZeroPoint::kAfter)) {
    return std::nullopt;
  }
  return scheme;
}

std::string SchemeName(const Scheme& scheme) {
  if (scheme.copy) return kCopySchemeName;
  return Word(kMultipliers, scheme.multiplier) + "/" + Word(kSteps, scheme.steps) + "/" +
         Word(kTies, scheme.ties) + "/" + Word(kBiases, scheme.bias) + "/" +
         Word(kZeroPoints, scheme.zero_point);
}

}  // namespace qconform
