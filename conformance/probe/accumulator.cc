#include "conformance/probe/accumulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace qconform {
namespace {

constexpr int64_t kMin32 = std::numeric_limits<int32_t>::min();
constexpr int64_t kMax32 = std::numeric_limits<int32_t>::max();
constexpr int64_t kMin16 = std::numeric_limits<int16_t>::min();
constexpr int64_t kMax16 = std::numeric_limits<int16_t>::max();

int64_t ProductOf(const Product& product) {
  return int64_t{product.first} * product.second;
}

int64_t WrapAt(int bits, int64_t value) {
  const int spare = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << spare) >> spare;
}

using Terms = std::vector<int64_t>;

double Exact(const Terms& terms) {
  return static_cast<double>(std::accumulate(terms.begin(), terms.end(), int64_t{0}));
}

template <int kBits>
double Wraps(const Terms& terms) {
  return static_cast<double>(
      WrapAt(kBits, std::accumulate(terms.begin(), terms.end(), int64_t{0})));
}

template <int64_t kMin, int64_t kMax>
double SaturatesEachTime(const Terms& terms) {
  int64_t sum = 0;
  for (const int64_t term : terms) sum = std::clamp(sum + term, kMin, kMax);
  return static_cast<double>(sum);
}

template <int64_t kMin, int64_t kMax>
double SaturatesAtTheEnd(const Terms& terms) {
  return std::clamp(Exact(terms), static_cast<double>(kMin), static_cast<double>(kMax));
}

double InFloat32(const Terms& terms) {
  float sum = 0.0f;
  for (const int64_t term : terms) sum += static_cast<float>(term);
  return sum;
}

Terms Whole(const std::vector<Product>& products) {
  Terms terms;
  terms.reserve(products.size());
  for (const Product& product : products) terms.push_back(ProductOf(product));
  return terms;
}

// Neighbours are added in 16 bits.
template <int64_t (*kPair)(int64_t)>
Terms InPairs(const std::vector<Product>& products) {
  Terms terms;
  for (size_t i = 0; i < products.size(); i += 2) {
    const int64_t other = i + 1 < products.size() ? ProductOf(products[i + 1]) : 0;
    terms.push_back(kPair(ProductOf(products[i]) + other));
  }
  return terms;
}

int64_t SaturatePair(int64_t pair) { return std::clamp(pair, kMin16, kMax16); }
int64_t WrapPair(int64_t pair) { return WrapAt(16, pair); }

Terms WithoutLowestBitOfWeights(const std::vector<Product>& products) {
  Terms terms;
  for (const auto& [x, w] : products) terms.push_back(int64_t{x} * (w / 2 * 2));
  return terms;
}

Terms WithoutLowestBitOfProducts(const std::vector<Product>& products) {
  Terms terms;
  for (const Product& product : products) terms.push_back(ProductOf(product) >> 1 << 1);
  return terms;
}

// Codes of x and w whose product is as large as neighbours in 16 bits allow.
constexpr int64_t kSafeX = 127;
constexpr int64_t kSafeW = 64;

// Small products that change the sum by `amount`.
void Append(std::vector<Product>& products, int64_t amount) {
  while (amount != 0) {
    const int64_t sign = amount < 0 ? -1 : 1;
    const int64_t left = amount * sign;
    const int64_t w = left >= kSafeW ? kSafeW : 1;
    const int64_t x = std::min(left / w, kSafeX);
    products.emplace_back(static_cast<int16_t>(x), static_cast<int16_t>(w * sign));
    amount -= x * w * sign;
  }
}

void Repeat(std::vector<Product>& products, int64_t count, int32_t x, int32_t w) {
  products.insert(products.end(), static_cast<size_t>(count),
                  {static_cast<int16_t>(x), static_cast<int16_t>(w)});
}

int64_t SumOf(const std::vector<Product>& products) {
  return static_cast<int64_t>(Exact(Whole(products)));
}

// The largest pairs of one sign, and small products that leave a small sum.
AccumulatorWitness Pairs(const char* text, int32_t x, int32_t w) {
  AccumulatorWitness witness{text, {}, 1};
  Repeat(witness.products, 8, x, w);
  Append(witness.products, 20 - SumOf(witness.products));
  return witness;
}

// Terms of 2^13 with a sign: sums of them are exact in float32, and pairs in 16 bits.
constexpr int64_t kLargeTerm = 1 << 13;
void RepeatLarge(std::vector<Product>& products, const ProbeForm& form, int64_t count,
                 int32_t sign) {
  const int32_t x = form.x == QC_U8 ? 128 : -128;
  Repeat(products, count, x, x > 0 ? 64 * sign : -64 * sign);
}

// Ones between large terms that cancel, in every lane of vectors of up to 16 terms and in
// every block of up to 256.
AccumulatorWitness OnesBehindLargeTerms(const ProbeForm& form) {
  constexpr int64_t kBlock = 256;
  constexpr int64_t kBlocks = 256;
  AccumulatorWitness witness{"small terms behind large ones", {}, 1};
  RepeatLarge(witness.products, form, kBlocks * kBlock, 1);
  for (int i = 0; i < 64; ++i) {
    Repeat(witness.products, 1, 1, 1);
    Repeat(witness.products, kBlock - 1, 0, 0);
  }
  RepeatLarge(witness.products, form, kBlocks * kBlock, -1);
  return witness;
}

AccumulatorWitness Sum(const char* text, int64_t sum, int shift) {
  AccumulatorWitness witness{text, {}, shift};
  Append(witness.products, sum);
  return witness;
}

// Up to 3.2e9, and down again by `back`.
AccumulatorWitness Beyond32Bits(const char* text, const ProbeForm& form, int64_t back,
                                int shift) {
  AccumulatorWitness witness{text, {}, shift};
  RepeatLarge(witness.products, form, 3'200'000'000 / kLargeTerm, 1);
  RepeatLarge(witness.products, form, back / kLargeTerm, -1);
  return witness;
}

ProbeQuestion QuestionOf(const ProbeForm& form, const AccumulatorWitness& witness) {
  ProbeQuestion question;
  question.input_scale = std::ldexp(1.0f, -(witness.shift / 2));
  question.weight_scale = std::ldexp(1.0f, -(witness.shift - witness.shift / 2));
  question.zero_point = form.middle();
  return question;
}

// The rule's code: rounding it may take the neighbour.
bool Fits(const AccumulatorRule& rule, const AccumulatorWitness& witness,
          const ProbeForm& form, int32_t code) {
  const double real =
      std::ldexp(rule.Sum(witness.products), -witness.shift) + form.middle();
  const auto low = static_cast<double>(form.bounds().min);
  const auto high = static_cast<double>(form.bounds().max);
  return std::abs(std::clamp(real, low, high) - code) <= 1.0;
}

}  // namespace

const std::vector<AccumulatorRule>& AccumulatorRules() {
  static const auto* rules = [] {
    auto* built = new std::vector<AccumulatorRule>{
        {"s32, wraps", Whole, Wraps<32>, kMax32},
        {"s32, saturates at every addition", Whole, SaturatesEachTime<kMin32, kMax32>,
         kMax32},
        {"s32, saturates at the end", Whole, SaturatesAtTheEnd<kMin32, kMax32>, kMax32},
        {"wider than s32", Whole, Exact, kMax32},
        {"f32", Whole, InFloat32, 1 << 24},
        {"s16, saturates at every addition", Whole, SaturatesEachTime<kMin16, kMax16>,
         kMax16},
        {"s16, saturates at the end", Whole, SaturatesAtTheEnd<kMin16, kMax16>, kMax16},
        {"s16, wraps", Whole, Wraps<16>, kMax16},
        {"s24, wraps", Whole, Wraps<24>, (1 << 23) - 1},
    };
    const AccumulatorRule widths[] = {(*built)[0], (*built)[3]};
    for (const AccumulatorRule& width : widths) {
      built->push_back({width.text + ", of pairs that saturate to s16",
                        InPairs<SaturatePair>, width.sum, kMax32});
      built->push_back({width.text + ", of pairs that wrap at s16", InPairs<WrapPair>,
                        width.sum, kMax32});
      built->push_back({width.text + ", of weights without their lowest bit",
                        WithoutLowestBitOfWeights, width.sum, 0});
      built->push_back({width.text + ", of products without their lowest bit",
                        WithoutLowestBitOfProducts, width.sum, 0});
    }
    return built;
  }();
  return *rules;
}

std::vector<AccumulatorWitness> AccumulatorWitnesses(const ProbeForm& form) {
  const int32_t x = form.x == QC_U8 ? 255 : 127;
  std::vector<AccumulatorWitness> witnesses = {
      Sum("a small sum", 20, 1),
      Pairs("pairs beyond 16 bits", x, 127),
      Pairs("pairs below 16 bits", x, -128),
      {"pairs beyond 16 bits, not taken back", {}, 12},
      Sum("a sum beyond 16 bits", 40'000, 9),
      Sum("a sum beyond 24 bits", (1 << 23) + (1 << 22), 17),
      OnesBehindLargeTerms(form),
      Beyond32Bits("a sum beyond 32 bits", form, 0, 25),
      Beyond32Bits("a sum beyond 32 bits and back", form, 3'000'000'000, 22),
  };
  Repeat(witnesses[3].products, 8, x, 127);
  if (form.x == QC_S8)
    witnesses.push_back(Pairs("pairs of the lowest codes", -128, -128));
  AccumulatorWitness odd{"odd products", {}, 1};
  Repeat(odd.products, 41, 3, 3);
  Append(odd.products, 20 - SumOf(odd.products));
  AccumulatorWitness even{"even products of odd weights", {}, 1};
  Repeat(even.products, 40, 2, 3);
  Append(even.products, 20 - SumOf(even.products));
  witnesses.push_back(std::move(odd));
  witnesses.push_back(std::move(even));
  return witnesses;
}

AccumulatorFinding FindAccumulator(const ProbeForm& form, Questioner& questioner) {
  AccumulatorFinding finding;
  const std::vector<AccumulatorRule>& rules = AccumulatorRules();
  std::vector<int> agreeing(rules.size(), 0);
  std::vector<std::string> disagreement(rules.size());
  for (const AccumulatorWitness& witness : AccumulatorWitnesses(form)) {
    const auto codes =
        questioner.Codes(CallOf(form, QuestionOf(form, witness), witness.products));
    if (!codes) {
      finding.refused.push_back(witness.text);
      continue;
    }
    ++finding.asked;
    for (size_t i = 0; i < rules.size(); ++i) {
      if (Fits(rules[i], witness, form, (*codes)[0])) {
        ++agreeing[i];
      } else if (disagreement[i].empty()) {
        disagreement[i] = fmt::format("{} of {} terms gives {}", witness.text,
                                      witness.products.size(), (*codes)[0]);
      }
    }
  }
  const auto best = static_cast<size_t>(
      std::max_element(agreeing.begin(), agreeing.end()) - agreeing.begin());
  finding.agreeing = agreeing[best];
  if (finding.agreeing < finding.asked) {
    finding.closest = rules[best].text;
    finding.first_disagreement = disagreement[best];
    return finding;
  }
  finding.exact_up_to = rules[best].exact_up_to;
  for (size_t i = 0; i < rules.size() && finding.asked > 0; ++i) {
    if (agreeing[i] < finding.asked) continue;
    finding.rules.emplace_back(rules[i].text);
    finding.exact_up_to = std::min(finding.exact_up_to, rules[i].exact_up_to);
  }
  return finding;
}

}  // namespace qconform
