// Which of the known schemes a black box follows, by elimination.
#ifndef QCONFORM_CONFORMANCE_PROBE_SCHEME_SEARCH_H_
#define QCONFORM_CONFORMANCE_PROBE_SCHEME_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/probe/chosen_accumulators.h"
#include "conformance/probe/questioner.h"
#include "reference/numerics/scheme.h"

namespace qconform {

struct AnsweredQuestion {
  ProbeForm form;
  ProbeQuestion question;
  std::vector<int32_t> codes;
};

struct SchemeFinding {
  std::vector<Scheme> alive;  // that give every code; those of several are alike
  std::vector<AnsweredQuestion> answered;
  int64_t answers = 0;  // codes
  // Where none is alive: the one that gives the most codes.
  std::optional<Scheme> closest;
  int64_t agreeing = 0;

  // An answer that the scheme does not give: "acc=5 at 0.5 -> 3, not 2"; "" if it gives
  // all of them.
  std::string FirstDisagreement(const Scheme& scheme) const;
};

// Asks only what splits the schemes that are left; then some questions more, which a rule
// outside of the list would not survive. The forms take turns: where all codes are
// positive, rules that differ below zero do not.
SchemeFinding FindScheme(const std::vector<ProbeForm>& forms, int64_t exact_up_to,
                         const std::vector<Scheme>& schemes, Questioner& questioner);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_SCHEME_SEARCH_H_
