#include "conformance/host/ask_backend.h"

#include <algorithm>

#include "conformance/host/lent_call.h"
#include "conformance/host/watched_call.h"

namespace qconform {
namespace {

// Without a status the answer is not to be read.
qc_status AskTwice(const qc_backend& table, const OperatorCall& call, MemoryFormat format,
                   qc_answer& answer, FormatRun& problems) {
  qc_status status = QC_OK;
  const AbiView view(call, format);
  LentCall lent(view);
  for (int time = 0; time < 2; ++time) {
    GuardedAnswer<qc_answer> written;
    status = Watched(problems, "query", [&] {
      return table.query(table.context, &lent.descriptor(), written.get());
    });
    if (written.IsOverrun())
      SetProblem(problems, RunProblem::kBounds, "query",
                 "writes past the end of qc_answer");
    if (time == 0) answer = *written.get();
    const std::string difference = AnswerDifference(answer, *written.get());
    if (!difference.empty())
      SetProblem(problems, RunProblem::kAnswer, "query",
                 "query answers the same question otherwise: " + difference);
    if (status != QC_OK) break;
    if (const std::string objection = AnswerObjection(table, answer); !objection.empty())
      SetProblem(problems, RunProblem::kInvalidAnswer, "query",
                 "query answers with " + objection);
  }
  lent.TakeBack("query");
  return status;
}

}  // namespace

std::string AnswerDifference(const qc_answer& first, const qc_answer& second) {
  if (first.supported != second.supported)
    return second.supported != 0 ? "no, then yes" : "yes, then no";
  if (first.memory_formats != second.memory_formats) return "other memory formats";
  if (first.may_alias != second.may_alias) return "another word on aliasing";
  return TextOf(first.scheme) == TextOf(second.scheme) ? "" : "another scheme";
}

std::string AnswerObjection(const qc_backend& table, const qc_answer& answer) {
  if (answer.supported != 0 && answer.supported != 1)
    return "supported " + std::to_string(answer.supported) + ", expected 1 or 0";
  if (answer.supported == 0) return "";
  constexpr uint32_t kFormats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
  const uint32_t unknown = answer.memory_formats & ~kFormats;
  if (unknown != 0 && table.abi_minor <= QC_ABI_MINOR)
    return "bits " + std::to_string(unknown) +
           " in memory_formats, which the ABI does not have";
  if (answer.memory_formats == 0) return "yes and no memory format, expected one";
  return "";
}

int ActivationRank(const OperatorCall& call) {
  int rank = 0;
  for (const auto& input : call.inputs)
    if (input && !input->constant)
      rank = std::max(rank, static_cast<int>(input->shape.size()));
  return rank;
}

BackendAnswer AskBackend(const qc_backend& table, const OperatorCall& call,
                         FormatRun& problems) {
  BackendAnswer asked;
  std::vector<MemoryFormat> formats = {MemoryFormat::kContiguous};
  if (ActivationRank(call) >= 3) formats.push_back(MemoryFormat::kChannelsLast);
  for (const MemoryFormat format : formats) {
    asked.status = AskTwice(table, call, format, asked.answer, problems);
    asked.supported = asked.status == QC_OK && asked.answer.supported != 0;
    if (asked.supported) break;
    if (asked.reason.empty()) asked.reason = TextOf(asked.answer.reason);
  }
  return asked;
}

}  // namespace qconform
