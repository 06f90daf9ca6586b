#include "cli/help.h"

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr char kConformance[] =
    R"(A run asks a backend for the outputs of cases and compares them with the reference.

Case ids
  x86/linear.u8s8u8.per_channel.relu/m1.k64.n17.zx3.zy5/pair_saturate
  suite, what, shape and fill. An id alone rebuilds its case: `qconform repro ID`. A
  fill is named after the trap that its data reach; /seed.7 behind it draws other data
  for the same trap, which --data-seed 7 does to every case of a run.

Verdicts
  PASS             equal to the bit under the operator's own scheme, or, where the
                   backend declares none, every element inside its error bound
  PASS_SCHEME      equal to the bit under the other scheme that the backend declares
  FAIL             wrong numbers, or a row of the config that was refused
  REFUSED          skipped where the config has no row for it
  FALLBACK         somebody else's code ran
  CRASH, HANG      a signal or an early exit; the time limit passed
  OUT_OF_BOUNDS    a byte was touched that no tensor and no workspace describes
  PATHS_DISAGREE   two code paths of the backend differ (run --isa all)
  MISTRUSTED       the data could not have shown a fault
  KNOWN            a listed failure (run --known); skipped
  UNEXPECTED_PASS  a listed failure that passes; fails
  EXPIRED          a listed failure past its day; fails
  Passed and skipped are never added up; a run that executes nothing fails.

Exit codes
  0 as expected, 1 a case failed or nothing ran, 2 interrupted, 3 our own error,
  4 wrong usage or bad file, 5 nothing selected, 6 backend unusable
  The last line, alone: N passed, N failed, N skipped.
)";

}  // namespace

std::string HelpText(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "conformance") return kConformance;
  const CLI::App* verb = &app;
  std::string before;  // what the usage line has in front of the verb
  for (const std::string& word : words) {
    const auto named =
        verb->get_subcommands([&](const CLI::App* one) { return one->check_name(word); });
    if (named.empty()) {
      throw InputError("help", "'" + word + "' is no verb",
                       "one that `qconform --help` lists, or conformance");
    }
    before += (before.empty() ? "" : " ") + verb->get_name();
    verb = named.front();
  }
  return verb->help(before);
}

std::string ParsedVerb(const CLI::App& app) {
  std::string text = app.get_name();
  for (const CLI::App* verb = &app; !verb->get_subcommands().empty();) {
    verb = verb->get_subcommands().back();
    text += " " + verb->get_name();
  }
  return text;
}

}  // namespace qconform
