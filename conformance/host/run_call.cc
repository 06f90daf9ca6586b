#include "conformance/host/run_call.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "conformance/host/abi_view.h"
#include "conformance/host/guarded_buffer.h"

namespace qconform {
namespace {

// What outputs hold before each of the two runs: never the same byte.
constexpr std::byte kOutputFill[2] = {std::byte{0xA5}, std::byte{0x5A}};
constexpr std::byte kInputFill{0x3C};

using Buffers = std::vector<std::unique_ptr<GuardedBuffer>>;

template <size_t N>
std::string TextOf(const char (&text)[N]) {
  return {text, strnlen(text, N)};
}

std::string StatusText(qc_status status) {
  switch (status) {
    case QC_OK:
      return "QC_OK";
    case QC_UNSUPPORTED:
      return "QC_UNSUPPORTED";
    case QC_INVALID:
      return "QC_INVALID";
    case QC_OUT_OF_MEMORY:
      return "QC_OUT_OF_MEMORY";
    case QC_INTERNAL:
      return "QC_INTERNAL";
  }
  return "status " + std::to_string(static_cast<int>(status));
}

std::vector<int64_t> StridesIn(const qc_tensor& tensor) {
  return {tensor.stride, tensor.stride + tensor.rank};
}

void SetProblem(FormatRun& run, RunProblem problem, const char* phase,
                const std::string& detail) {
  if (run.problem != RunProblem::kNone) return;
  run.problem = problem;
  run.phase = phase;
  run.detail = detail;
}

// The memory of one run: inputs that are no constants, outputs, workspace.
class RunMemory {
 public:
  RunMemory(const OperatorCall& call, AbiView& view, const qc_plan_info& info,
            Placement placement, std::byte output_fill)
      : call_(call), view_(view), output_fill_(output_fill) {
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      inputs_.push_back(view.inputs()[i]);
      if (!call.inputs[i]) continue;
      if (call.inputs[i]->constant) {
        inputs_.back() = nullptr;
        continue;
      }
      qc_tensor& tensor = view.input(i);
      const CallTensor& source = *call.inputs[i];
      GuardedBuffer& buffer = Add(tensor, source, placement, kInputFill, "input", i);
      Scatter(source.data, source.shape, StridesIn(tensor), AbiItemSize(source.dtype),
              buffer.data());
      buffer.MakeReadOnly();
    }
    for (size_t i = 0; i < call.outputs.size(); ++i)
      Add(view.output(i), call.outputs[i], placement, output_fill, "output", i);
    const size_t alignment =
        info.workspace_alignment == 0 ? 64 : info.workspace_alignment;
    labels_.push_back("the workspace");
    buffers_.push_back(std::make_unique<GuardedBuffer>(
        info.workspace_bytes, alignment, placement, output_fill, labels_.back()));
    workspace_ = buffers_.back()->data();
  }

  const std::vector<const qc_tensor*>& inputs() const { return inputs_; }
  std::byte* workspace() { return workspace_; }

  void CheckStrays(FormatRun& run) const {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      auto stray = buffers_[i]->FindStray();
      if (!stray) continue;
      SetProblem(
          run, RunProblem::kBounds, "run",
          "writes " +
              std::string(stray->before ? "before the start of " : "past the end of ") +
              labels_[i] + ", at " + (stray->before ? "" : "+") +
              std::to_string(stray->distance) + " B");
    }
  }

  // The dense outputs. Gaps between rows must still hold the fill.
  std::vector<std::vector<std::byte>> Outputs(FormatRun& run) {
    std::vector<std::vector<std::byte>> outputs;
    for (size_t i = 0; i < call_.outputs.size(); ++i) {
      const CallTensor& output = call_.outputs[i];
      const qc_tensor& tensor = view_.output(i);
      const size_t item = AbiItemSize(output.dtype);
      const auto* memory = static_cast<const std::byte*>(tensor.data);
      std::vector<std::byte> dense(output.byte_size());
      Gather(memory, output.shape, StridesIn(tensor), item, dense);
      const size_t extent = ExtentOf(output.shape, StridesIn(tensor), item);
      if (extent != dense.size()) {
        std::vector<std::byte> clean(extent, output_fill_);
        Scatter(dense, output.shape, StridesIn(tensor), item, clean.data());
        if (std::memcmp(clean.data(), memory, extent) != 0) {
          SetProblem(run, RunProblem::kBounds, "run",
                     "writes between the rows of output " + std::to_string(i));
        }
      }
      outputs.push_back(std::move(dense));
    }
    return outputs;
  }

 private:
  GuardedBuffer& Add(qc_tensor& tensor, const CallTensor& source, Placement placement,
                     std::byte fill, const char* word, size_t index) {
    const size_t item = AbiItemSize(source.dtype);
    labels_.push_back(std::string(word) + " " + std::to_string(index));
    buffers_.push_back(
        std::make_unique<GuardedBuffer>(ExtentOf(source.shape, StridesIn(tensor), item),
                                        item, placement, fill, labels_.back()));
    tensor.data = buffers_.back()->data();
    return *buffers_.back();
  }

  const OperatorCall& call_;
  AbiView& view_;
  std::byte output_fill_;
  Buffers buffers_;
  std::vector<std::string> labels_;
  std::vector<const qc_tensor*> inputs_;
  std::byte* workspace_ = nullptr;
};

// Explains how two runs of the same call differ, if they do.
void CompareRuns(const OperatorCall& call,
                 const std::vector<std::vector<std::byte>>& first,
                 const std::vector<std::vector<std::byte>>& second, FormatRun& run) {
  for (size_t i = 0; i < first.size(); ++i) {
    const size_t item = AbiItemSize(call.outputs[i].dtype);
    size_t differing = 0;
    size_t unwritten = 0;
    size_t where = 0;
    for (size_t at = 0; at < first[i].size(); at += item) {
      if (std::memcmp(&first[i][at], &second[i][at], item) == 0) continue;
      if (differing++ == 0) where = at / item;
      bool untouched = true;
      for (size_t b = 0; b < item; ++b)
        untouched &=
            first[i][at + b] == kOutputFill[0] && second[i][at + b] == kOutputFill[1];
      unwritten += untouched ? 1 : 0;
    }
    if (differing == 0) continue;
    const std::string place = " element" + std::string(differing == 1 ? "" : "s") +
                              " of output " + std::to_string(i) + ", the first at " +
                              std::to_string(where);
    if (unwritten == differing) {
      SetProblem(run, RunProblem::kUnwritten, "run",
                 "leaves " + std::to_string(unwritten) + place + ", unwritten");
    } else {
      SetProblem(
          run, RunProblem::kRepeat, "run",
          "a second call gives other bits in " + std::to_string(differing) + place);
    }
  }
}

FormatRun RunInFormat(const qc_backend& table, const CallRequest& request,
                      MemoryFormat format, const PhaseSink& phase) {
  const OperatorCall& call = request.call;
  const int turns = request.mode == CallMode::kJudge ? 2 : 1;
  FormatRun run;
  run.format = format;
  AbiView view(call, format);
  Buffers constants;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i] || !call.inputs[i]->constant) continue;
    const CallTensor& source = *call.inputs[i];
    constants.push_back(std::make_unique<GuardedBuffer>(
        source.data.size(), AbiItemSize(source.dtype), Placement::kFlushToEnd, kInputFill,
        "constant " + std::to_string(i)));
    if (!source.data.empty())
      std::memcpy(constants.back()->data(), source.data.data(), source.data.size());
    constants.back()->MakeReadOnly();
    view.input(i).data = constants.back()->data();
  }
  qc_plan* plan = nullptr;
  qc_plan_info info;
  std::memset(&info, 0, sizeof info);
  info.size = sizeof info;
  phase("plan");
  const qc_status planned =
      table.plan(table.context, &view.descriptor(), view.constants().data(),
                 request.threads, &plan, &info);
  run.path = TextOf(info.path);
  run.workspace_bytes = info.workspace_bytes;
  if (planned != QC_OK) {
    SetProblem(run, RunProblem::kStatus, "plan",
               "plan answers " + StatusText(planned) + ": " + TextOf(info.reason));
    return run;
  }
  for (const auto& constant : constants) constant->TakeBack();
  std::vector<std::vector<std::byte>> second;
  for (int turn = 0; turn < turns && run.problem == RunProblem::kNone; ++turn) {
    const Placement placement =
        turn == 0 ? Placement::kFlushToEnd : Placement::kFlushToStart;
    RunMemory memory(call, view, info, placement, kOutputFill[turn]);
    phase("run");
    const qc_status status = table.run(plan, memory.inputs().data(),
                                       view.outputs().data(), memory.workspace());
    if (status != QC_OK) {
      SetProblem(run, RunProblem::kStatus, "run", "run answers " + StatusText(status));
      break;
    }
    memory.CheckStrays(run);
    (turn == 0 ? run.outputs : second) = memory.Outputs(run);
    if (turn == 1) CompareRuns(call, run.outputs, second, run);
  }
  phase("destroy");
  table.destroy(plan);
  return run;
}

}  // namespace

CallReply RunCall(const qc_backend& table, const CallRequest& request,
                  const PhaseSink& phase) {
  const OperatorCall& call = request.call;
  CallReply reply;
  int rank = 0;
  for (const auto& input : call.inputs)
    if (input && !input->constant)
      rank = std::max(rank, static_cast<int>(input->shape.size()));
  qc_answer answer;
  std::vector<MemoryFormat> asked = {MemoryFormat::kContiguous};
  if (rank >= 3) asked.push_back(MemoryFormat::kChannelsLast);
  phase("query");
  for (MemoryFormat format : asked) {
    AbiView view(call, format);
    std::memset(&answer, 0, sizeof answer);
    answer.size = sizeof answer;
    reply.query_status = table.query(table.context, &view.descriptor(), &answer);
    if (reply.query_status == QC_OK && answer.supported != 0) break;
    // The first refusal is the one that a person should read.
    if (reply.reason.empty()) reply.reason = TextOf(answer.reason);
  }
  reply.supported = reply.query_status == QC_OK && answer.supported != 0;
  if (!reply.supported) return reply;
  reply.reason.clear();
  reply.scheme = TextOf(answer.scheme);
  reply.memory_formats = answer.memory_formats;
  reply.may_alias = answer.may_alias != 0;
  for (MemoryFormat format : AllowedFormats(answer.memory_formats, rank)) {
    reply.runs.push_back(RunInFormat(table, request, format, phase));
    if (reply.runs.back().problem != RunProblem::kNone) break;
    if (request.mode == CallMode::kOnce) break;
  }
  return reply;
}

}  // namespace qconform
