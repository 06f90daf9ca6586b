#include "cli/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/subject.h"
#include "conformance/probe/probe_operator.h"
#include "conformance/probe/probe_requantize.h"
#include "reference/formats/json_text.h"

namespace qconform {
namespace {

void PrintLine(const std::string& name, const std::string& text,
               const std::string& evidence = "") {
  fmt::print("{:<14} {}{}\n", name, text,
             evidence.empty() ? "" : fmt::format("   ({})", evidence));
}

void PrintSchemes(const ProbeReport& report) {
  const std::string cost =
      fmt::format("{} probes in {} calls", report.answers, report.calls);
  if (report.schemes.size() == 1) {
    PrintLine("scheme", fmt::format("{}   {}, unique among {} known schemes",
                                    report.schemes[0], cost, report.known_schemes));
  } else if (!report.schemes.empty()) {
    PrintLine("scheme",
              fmt::format("{}   {}, cannot be told apart: {}",
                          fmt::join(report.schemes, " or "), cost, report.why_not_apart));
  } else if (report.answers == 0) {
    PrintLine("scheme", fmt::format("not probed: no accumulator is exact   {}", cost));
  } else if (report.closest.empty()) {
    PrintLine("scheme", fmt::format("no known scheme, none gives any code   {}", cost));
  } else {
    PrintLine("scheme", fmt::format("no known scheme   {}", cost));
    PrintLine("closest", fmt::format("{}, {} of {} codes", report.closest,
                                     report.agreeing, report.answers));
    PrintLine("disagrees", report.first_disagreement);
  }
  const bool undecided = report.schemes.size() > 1;
  if (undecided) {
    PrintLine("undecided",
              fmt::format("{} schemes give every code that was seen: declare "
                          "the one that was written, no answer tells",
                          report.schemes.size()));
  } else if (!report.schemes.empty()) {
    PrintLine("declare it:",
              fmt::format("{} = \"{}\"", report.subject, report.schemes[0]));
  }
  const char* verdict = !report.declares_what_it_does ? ": that is not what it does"
                        : undecided                   ? ": one of these"
                                                      : "";
  for (const std::string& declared : report.declared)
    PrintLine("declares", fmt::format("\"{}\"{}", declared, verdict));
}

ordered_json ToJson(const ProbeReport& report) {
  ordered_json lines = ordered_json::array();
  for (const ProbeLine& line : report.lines)
    lines.push_back({{"name", line.name},
                     {"text", line.text},
                     {"evidence", line.evidence},
                     {"known", line.known}});
  return {{"subject", report.subject},
          {"form", report.form},
          {"lines", lines},
          {"schemes", report.schemes},
          {"why_not_apart", report.why_not_apart},
          {"closest", report.closest},
          {"first_disagreement", report.first_disagreement},
          {"agreeing", report.agreeing},
          {"probes", report.answers},
          {"calls", report.calls},
          {"known_schemes", report.known_schemes},
          {"declared", report.declared},
          {"declares_what_it_does", report.declares_what_it_does},
          {"failure", report.failure}};
}

ProbeReport Ask(CallTarget& target, const std::string& op) {
  if (op == "requantize") return ProbeRequantize(target);
  if (op == "linear") return ProbeRequantize(target, QC_LINEAR);
  if (op == "conv2d") return ProbeRequantize(target, QC_CONV);
  return ProbeOperator(target, op);
}

void PrintReport(const ProbeReport& report, const std::string& op) {
  if (!report.form.empty()) PrintLine("asked", report.form);
  for (const ProbeLine& line : report.lines)
    PrintLine(line.name, line.text, line.evidence);
  if (!report.failure.empty()) PrintLine("fails", report.failure);
  if (!report.form.empty()) PrintSchemes(report);
  if (report.form.empty() && report.failure.empty())
    PrintLine("refused", fmt::format("no {} that probe knows is accepted: {}", op,
                                     report.first_disagreement));
}

int ExitCodeOf(const ProbeReport& report) {
  if (report.form.empty() && report.failure.empty()) return kExitNothingSelected;
  return report.is_conclusive() ? kExitAsExpected : kExitCaseFailed;
}

// Every operator that the backend takes, each with its own calls.
int ProbeAll(CallTarget& target, bool json) {
  std::vector<std::string> ops = {"requantize"};
  for (const std::string& name : ProbedOperators()) ops.push_back(name);
  ordered_json all = ordered_json::array();
  int exit_code = kExitNothingSelected;
  for (const std::string& op : ops) {
    const ProbeReport report = Ask(target, op);
    const int each = ExitCodeOf(report);
    if (each == kExitNothingSelected) continue;
    if (json) {
      all.push_back(ToJson(report));
    } else {
      fmt::print("{}== {}\n", exit_code == kExitNothingSelected ? "" : "\n", op);
      PrintReport(report, op);
    }
    exit_code = exit_code == kExitNothingSelected ? each : std::max(exit_code, each);
  }
  if (json) fmt::print("{}", JsonText(all));
  if (!json && exit_code == kExitNothingSelected)
    PrintLine("refused", "no operator that probe knows is accepted");
  return exit_code;
}

int Probe(const SubjectOptions& options, const std::string& op, bool json) {
  const auto opened = OpenSubject(options);
  if (op == "all") return ProbeAll(*opened->target, json);
  const ProbeReport report = Ask(*opened->target, op);
  if (json) {
    fmt::print("{}", JsonText(ToJson(report)));
  } else {
    PrintReport(report, op);
  }
  return ExitCodeOf(report);
}

}  // namespace

void AddProbeVerb(CLI::App& app, int& exit_code) {
  struct Arguments {
    SubjectOptions subject;
    std::string op = "requantize";
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("probe", "Which rounding does a backend use?");
  verb->add_option("backend,--backend", arguments->subject.backend,
                   "Shared object of the backend")
      ->required();
  verb->add_option("--op", arguments->op,
                   fmt::format("requantize (accumulators, through linear or conv2d), "
                               "linear, conv2d, all (that it takes), {}",
                               fmt::join(ProbedOperators(), ", ")))
      ->capture_default_str();
  verb->add_flag("--json", arguments->json, "JSON in place of lines");
  AddSubjectOptions(*verb, arguments->subject);
  verb->footer(
      "At most 1000 calls for an operator. Exit codes: 0 all has a name and is what the "
      "backend "
      "declares, "
      "1 no known\nscheme or another than it declares, 4 wrong usage, 5 the backend does "
      "not take the operator, 6 unusable.");
  verb->callback([arguments, &exit_code] {
    exit_code = Probe(arguments->subject, arguments->op, arguments->json);
  });
}

}  // namespace qconform
