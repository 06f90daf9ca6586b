#include "conformance/host/run_memory.h"

#include <cstring>

namespace qconform {
namespace {

constexpr std::byte kInputFill{0x3C};

std::vector<int64_t> StridesIn(const qc_tensor& tensor) {
  return {tensor.stride, tensor.stride + tensor.rank};
}

}  // namespace

void SetProblem(FormatRun& run, RunProblem problem, const char* phase,
                const std::string& detail) {
  if (run.problem != RunProblem::kNone) return;
  run.problem = problem;
  run.phase = phase;
  run.detail = detail;
}

bool KeepProblem(const FormatRun& other, FormatRun& run) {
  if (other.problem != RunProblem::kNone)
    SetProblem(run, other.problem, other.phase.c_str(), other.detail);
  return run.problem != RunProblem::kNone;
}

RunMemory::RunMemory(const OperatorCall& call, AbiView& view, const qc_plan_info& info,
                     Placement placement, std::byte output_fill, bool in_place)
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
    const bool written = in_place && i == 0;
    GuardedBuffer& buffer =
        Add(tensor, source, placement, written ? output_fill : kInputFill, "input", i);
    Scatter(source.data, source.shape, StridesIn(tensor), AbiItemSize(source.dtype),
            buffer.data());
    if (written) continue;
    buffer.MakeReadOnly();
    tensor.data = buffer.data();
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (in_place && i == 0) {
      view.output(0).data = view.input(0).data;
    } else {
      Add(view.output(i), call.outputs[i], placement, output_fill, "output", i);
    }
  }
  const size_t alignment = info.workspace_alignment == 0 ? 64 : info.workspace_alignment;
  labels_.push_back("the workspace");
  buffers_.push_back(std::make_unique<GuardedBuffer>(
      info.workspace_bytes, alignment, placement, output_fill, labels_.back()));
  workspace_ = buffers_.back()->data();
}

void RunMemory::CheckStrays(FormatRun& run) const {
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

void RunMemory::RefillOutputs(std::byte output_fill) {
  output_fill_ = output_fill;
  for (size_t i = 0; i < call_.outputs.size(); ++i) {
    const qc_tensor& tensor = view_.output(i);
    const CallTensor& output = call_.outputs[i];
    std::memset(tensor.data, static_cast<int>(output_fill),
                ExtentOf(output.shape, StridesIn(tensor), AbiItemSize(output.dtype)));
  }
}

DenseOutputs RunMemory::Outputs(FormatRun& run) {
  DenseOutputs outputs;
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
                   "writes between the elements of output " + std::to_string(i));
      }
    }
    outputs.push_back(std::move(dense));
  }
  return outputs;
}

GuardedBuffer& RunMemory::Add(qc_tensor& tensor, const CallTensor& source,
                              Placement placement, std::byte fill, const char* word,
                              size_t index) {
  const size_t item = AbiItemSize(source.dtype);
  labels_.push_back(std::string(word) + " " + std::to_string(index));
  buffers_.push_back(
      std::make_unique<GuardedBuffer>(ExtentOf(source.shape, StridesIn(tensor), item),
                                      item, placement, fill, labels_.back()));
  tensor.data = buffers_.back()->data();
  return *buffers_.back();
}

}  // namespace qconform
