#include "conformance/host/exec_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/compare_runs.h"
#include "conformance/host/exec_folder.h"
#include "conformance/host/find_command.h"
#include "reference/formats/sha256.h"

namespace qconform {

namespace fs = std::filesystem;

bool HoldsScheme(const OnnxModel& model) {
  return std::any_of(model.nodes.begin(), model.nodes.end(), [](const OnnxNode& node) {
    return node.op_type == "ConvInteger" || node.op_type == "MatMulInteger";
  });
}

ExecTarget::ExecTarget(std::string command, ExecOptions options)
    : options_(std::move(options)),
      scratch_("exec"),
      process_(command, options_.limits, scratch_.path()) {
  loaded_.name = std::move(command);
}

std::string ExecTarget::SchemeOf(const OperatorCall& call,
                                 const OnnxExport& exported) const {
  if (HoldsScheme(exported.model)) {
    const auto other = exported.schemes.find(OperatorName(call.kind, call.attributes));
    return other == exported.schemes.end() ? call.scheme : other->second;
  }
  const std::vector<std::string> known = ReferenceSchemes(call);
  const bool has = std::find(known.begin(), known.end(), options_.scheme) != known.end();
  return has ? options_.scheme : "";
}

const LoadedBackend& ExecTarget::Load() {
  CheckCommand("exec:" + loaded_.name, loaded_.name);
  return loaded_;
}

CallOutcome ExecTarget::Call(const OperatorCall& call, CallMode mode) {
  const auto begin = std::chrono::steady_clock::now();
  CallOutcome outcome = CallOnce(call);
  const bool sound = outcome.end == CallEnd::kReplied && outcome.reply.supported &&
                     outcome.reply.runs.at(0).problem == RunProblem::kNone;
  if (mode == CallMode::kJudge && sound &&
      repeated_.insert(OperatorName(call.kind, call.attributes)).second)
    CallAgain(call, outcome);
  outcome.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

void ExecTarget::CallAgain(const OperatorCall& call, CallOutcome& outcome) {
  CallOutcome again = CallOnce(call);
  if (again.end != CallEnd::kReplied) {
    outcome = std::move(again);
    return;
  }
  FormatRun& run = outcome.reply.runs[0];
  if (!again.reply.supported) {
    SetProblem(run, RunProblem::kRepeat, "run",
               "refuses a second call: " + again.reply.reason);
  } else if (!KeepProblem(again.reply.runs.at(0), run)) {
    CompareRuns(call, run.outputs, again.reply.runs[0].outputs, RunProblem::kRepeat,
                "a second call", run);
  }
}

CallOutcome ExecTarget::CallOnce(const OperatorCall& call) {
  CallOutcome outcome;
  OnnxExport exported;
  const fs::path folder = scratch_.path() / fmt::format("{:06}", calls_++);
  try {
    exported = ExportCall(call, options_.form);
    WriteExecFolder(folder, exported.model, ExecInputs(call));
  } catch (const InputError& error) {
    outcome.reply.not_asked = true;
    outcome.reply.reason = error.what();
    return outcome;
  }
  outcome.phase = "run";
  ExecOutcome answer = process_.Answer(folder);
  outcome.printed = std::move(answer.printed);
  outcome.signal = std::move(answer.signal);
  switch (answer.end) {
    case ExecEnd::kAnswered:
      outcome.reply.supported = true;
      outcome.reply.scheme = SchemeOf(call, exported);
      outcome.reply.runs.push_back(ReadExecOutputs(folder, call));
      break;
    case ExecEnd::kRefused:
      outcome.reply.reason = answer.reason;
      break;
    case ExecEnd::kCrashed:
      outcome.end = CallEnd::kCrashed;
      break;
    case ExecEnd::kHung:
      outcome.end = CallEnd::kHung;
      break;
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return outcome;
}

std::string DigestOfCommand(const std::string& command) {
  std::string bytes = command;
  std::istringstream words(command);
  std::string word;
  while (words >> word) {
    std::error_code missing;
    if (fs::is_regular_file(word, missing)) bytes += Sha256HexOfFile(word);
  }
  return Sha256Hex(bytes);
}

}  // namespace qconform
