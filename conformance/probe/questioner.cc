#include "conformance/probe/questioner.h"

#include <fmt/format.h>

namespace qconform {
namespace {

// "" if the call was answered or refused.
std::string FailureOf(const CallOutcome& outcome) {
  switch (outcome.end) {
    case CallEnd::kCrashed:
      return fmt::format("CRASH({}) in {}", outcome.signal, outcome.phase);
    case CallEnd::kHung:
      return "HANG in " + outcome.phase;
    case CallEnd::kOutOfBounds:
      return fmt::format("OUT_OF_BOUNDS in {}: {}", outcome.phase, outcome.bounds);
    case CallEnd::kReplied:
      break;
  }
  for (const FormatRun& run : outcome.reply.runs)
    if (run.problem != RunProblem::kNone) return run.detail;
  return "";
}

// Other problems say nothing of the answer.
bool IsChange(RunProblem problem) {
  switch (problem) {
    case RunProblem::kUnwritten:
    case RunProblem::kRepeat:
    case RunProblem::kMisaligned:
    case RunProblem::kThreads:
    case RunProblem::kPlans:
    case RunProblem::kAnswer:
      return true;
    default:
      return false;
  }
}

// Memory formats must agree, too.
std::string ChangeOf(const CallReply& reply) {
  for (const FormatRun& run : reply.runs) {
    if (IsChange(run.problem)) return run.detail;
    if (run.outputs != reply.runs[0].outputs)
      return "other bits in another plan or format";
  }
  return "";
}

}  // namespace

std::optional<std::string> Questioner::Change(const OperatorCall& call) {
  if (!shares_memory()) {
    const auto first = Outputs(call);
    const auto second = Outputs(call);
    if (!first || !second) return std::nullopt;
    return *first == *second ? "" : "a second call gives other bits";
  }
  if (exhausted()) return std::nullopt;
  ++calls_;
  const CallOutcome outcome = target_.Call(call, CallMode::kJudge);
  if (outcome.end == CallEnd::kReplied && outcome.reply.supported) {
    if (std::string change = ChangeOf(outcome.reply); !change.empty()) return change;
  }
  const std::string failure = FailureOf(outcome);
  if (!failure.empty() && failure_.empty()) failure_ = failure;
  if (!failure.empty() || !outcome.reply.supported) return std::nullopt;
  return "";
}

std::optional<std::vector<std::vector<std::byte>>> Questioner::Outputs(
    const OperatorCall& call) {
  if (exhausted()) return std::nullopt;
  ++calls_;
  const CallOutcome outcome = target_.Call(call, CallMode::kOnce);
  if (const std::string failure = FailureOf(outcome); !failure.empty()) {
    if (failure_.empty()) failure_ = failure;
    return std::nullopt;
  }
  const CallReply& reply = outcome.reply;
  if (!reply.supported || reply.runs.empty()) {
    refusal_ = reply.reason.empty() ? "refused without a reason" : reply.reason;
    return std::nullopt;
  }
  if (!reply.scheme.empty()) declared_.insert(reply.scheme);
  for (const CallTensor& output : call.outputs) answers_ += NumElements(output.shape);
  return reply.runs[0].outputs;
}

std::optional<std::vector<int32_t>> Questioner::Codes(const OperatorCall& call) {
  const auto outputs = Outputs(call);
  if (!outputs) return std::nullopt;
  const bool is_signed = call.outputs[0].dtype == QC_S8;
  std::vector<int32_t> codes;
  for (const std::byte byte : (*outputs)[0])
    codes.push_back(is_signed ? static_cast<int32_t>(static_cast<int8_t>(byte))
                              : static_cast<int32_t>(byte));
  return codes;
}

}  // namespace qconform
