// What a black box adds products up in.
#ifndef QCONFORM_CONFORMANCE_PROBE_ACCUMULATOR_H_
#define QCONFORM_CONFORMANCE_PROBE_ACCUMULATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/probe/chosen_accumulators.h"
#include "conformance/probe/questioner.h"

namespace qconform {

// A way of adding products up.
struct AccumulatorRule {
  std::string text;  // "s32, wraps", "s32, wraps, of pairs that saturate to s16"
  // What is added: the products, their pairs, what is left of them.
  std::vector<int64_t> (*terms)(const std::vector<Product>& products);
  double (*sum)(const std::vector<int64_t>& terms);  // may depend on their order
  int64_t exact_up_to;  // sums of small products are right up to this; 0: never

  double Sum(const std::vector<Product>& products) const { return sum(terms(products)); }
};

// The reference's own first.
const std::vector<AccumulatorRule>& AccumulatorRules();

// Products whose sum shows a rule. The code is rint(sum * 2^-shift) + zero point, give or
// take the rounding.
struct AccumulatorWitness {
  std::string text;  // "sums beyond 32 bits"
  std::vector<Product> products;
  int shift;
};

std::vector<AccumulatorWitness> AccumulatorWitnesses(const ProbeForm& form);

struct AccumulatorFinding {
  std::vector<std::string> rules;  // those that fit every answer
  std::string closest;             // where none does
  std::string first_disagreement;
  int agreeing = 0;  // of the closest or of those that fit
  int asked = 0;
  std::vector<std::string> refused;  // witnesses that the backend did not answer
  int64_t exact_up_to = 0;
};

AccumulatorFinding FindAccumulator(const ProbeForm& form, Questioner& questioner);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_ACCUMULATOR_H_
