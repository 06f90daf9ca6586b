#include "conformance/probe/scheme_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/probe/scheme_question.h"

namespace qconform {
namespace {

// Questions that are tried out on the schemes that are left; hardly any is asked. Enough
// to tell every known scheme from all others, which probe_test.cc holds them to.
constexpr uint64_t kTriedOut = 4000;
// Asked of what is left, numbered behind those.
constexpr uint64_t kConfirming = 30;
constexpr uint64_t kRecipes = 10;
constexpr size_t kMostAsked = 16;  // accumulators of one splitting question
constexpr int kMostRefusals = 20;  // one after the other

class Search {
 public:
  Search(const std::vector<ProbeForm>& forms, int64_t exact_up_to,
         const std::vector<Scheme>& schemes, Questioner& questioner)
      : forms_(forms), exact_up_to_(exact_up_to), questioner_(questioner) {
    finding_.alive = schemes;
  }

  SchemeFinding Take(const std::vector<Scheme>& schemes) {
    for (uint64_t i = 0; i < kTriedOut && finding_.alive.size() > 1 && !GaveUp(); ++i) {
      const ProbeForm& form = FormOf(i);
      ProbeQuestion question = SchemeQuestion(form, i, exact_up_to_);
      question.accumulators = Splitting(form, question);
      if (!question.accumulators.empty()) Ask(form, question);
    }
    for (uint64_t i = kTriedOut; i < kTriedOut + kConfirming && !GaveUp(); ++i)
      Ask(FormOf(i), SchemeQuestion(FormOf(i), i, exact_up_to_));
    if (finding_.alive.empty() || finding_.answers == 0) FindClosest(schemes);
    return std::move(finding_);
  }

 private:
  bool GaveUp() const { return refusals_ >= kMostRefusals || questioner_.exhausted(); }

  // Every recipe of question comes with and without a bias before the form changes.
  const ProbeForm& FormOf(uint64_t number) const {
    return forms_[number / kRecipes % forms_.size()];
  }

  // The accumulators on which those that are left disagree.
  std::vector<int32_t> Splitting(const ProbeForm& form,
                                 const ProbeQuestion& question) const {
    std::vector<bool> differs(question.accumulators.size(), false);
    std::vector<int32_t> first;
    for (const Scheme& scheme : finding_.alive) {
      const std::vector<int32_t> codes = ExpectedCodes(scheme, form, question);
      if (first.empty()) first = codes;
      for (size_t i = 0; i < codes.size(); ++i)
        if (codes[i] != first[i]) differs[i] = true;
    }
    std::vector<int32_t> splitting;
    for (size_t i = 0; i < differs.size() && splitting.size() < kMostAsked; ++i)
      if (differs[i]) splitting.push_back(question.accumulators[i]);
    return splitting;
  }

  void Ask(const ProbeForm& form, const ProbeQuestion& question) {
    if (question.accumulators.empty()) return;
    const auto codes = questioner_.Codes(CallOf(form, question));
    if (!codes) {
      ++refusals_;
      return;
    }
    refusals_ = 0;
    std::erase_if(finding_.alive, [&](const Scheme& scheme) {
      return ExpectedCodes(scheme, form, question) != *codes;
    });
    finding_.answers += static_cast<int64_t>(codes->size());
    finding_.answered.push_back({form, question, *codes});
  }

  void FindClosest(const std::vector<Scheme>& schemes) {
    finding_.alive.clear();
    for (const Scheme& scheme : schemes) {
      int64_t agreeing = 0;
      for (const AnsweredQuestion& each : finding_.answered) {
        const std::vector<int32_t> codes =
            ExpectedCodes(scheme, each.form, each.question);
        for (size_t i = 0; i < codes.size(); ++i) agreeing += codes[i] == each.codes[i];
      }
      if (agreeing > finding_.agreeing) {
        finding_.agreeing = agreeing;
        finding_.closest = scheme;
      }
    }
  }

  const std::vector<ProbeForm>& forms_;
  int64_t exact_up_to_;
  Questioner& questioner_;
  SchemeFinding finding_;
  int refusals_ = 0;
};

}  // namespace

std::string SchemeFinding::FirstDisagreement(const Scheme& scheme) const {
  for (const AnsweredQuestion& each : answered) {
    const std::vector<int32_t> codes = ExpectedCodes(scheme, each.form, each.question);
    for (size_t i = 0; i < codes.size(); ++i)
      if (codes[i] != each.codes[i])
        return fmt::format("{} -> {}, not {}", each.question.Text(i), each.codes[i],
                           codes[i]);
  }
  return "";
}

SchemeFinding FindScheme(const std::vector<ProbeForm>& forms, int64_t exact_up_to,
                         const std::vector<Scheme>& schemes, Questioner& questioner) {
  return Search(forms, exact_up_to, schemes, questioner).Take(schemes);
}

}  // namespace qconform
