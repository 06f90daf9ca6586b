#include "conformance/host/made_plan.h"

#include <cstdlib>
#include <cstring>

#include "conformance/host/code_element.h"
#include "conformance/host/code_path.h"

namespace qconform {
namespace {

constexpr std::byte kConstantFill{0x3C};

bool IsPowerOfTwoOrZero(uint32_t value) { return (value & (value - 1)) == 0; }

}  // namespace

void ChangeEach(const CallTensor& source, std::byte* data) {
  const size_t size = source.data.size();
  const CodeBounds bounds = BoundsOf(source);
  if (IsCode(source.dtype)) {
    const CodeBounds all = AllCodes(source.dtype);
    const bool any_code = bounds.min == all.min && bounds.max == all.max;
    for (size_t at = 0; at < size; ++at) {
      const int32_t code = CodeAt(source, static_cast<int64_t>(at)) ^ 1;
      if (any_code || (code >= bounds.min && code <= bounds.max))
        data[at] ^= std::byte{1};
    }
  } else if (source.dtype == QC_F32) {
    for (size_t at = 0; at + sizeof(float) <= size; at += sizeof(float)) {
      uint32_t bits = 0;
      std::memcpy(&bits, data + at, sizeof bits);
      constexpr uint32_t kExponent = 0x7F800000, kHighest = 0x00400000;
      const uint32_t exponent = bits & kExponent;
      if (exponent != 0 && exponent != kExponent) bits ^= kHighest;
      std::memcpy(data + at, &bits, sizeof bits);
    }
  } else if (source.dtype == QC_S32 && !source.scale.empty()) {
    // Little-endian, and no index.
    for (size_t at = 0; at < size; at += sizeof(int32_t)) data[at] ^= std::byte{1};
  }
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

PlacedConstants::PlacedConstants(const OperatorCall& call, AbiView& view,
                                 Placement placement, bool other) {
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i] || !call.inputs[i]->constant) continue;
    const CallTensor& source = *call.inputs[i];
    buffers_.push_back(std::make_unique<GuardedBuffer>(
        source.data.size(), AbiItemSize(source.dtype), placement, kConstantFill,
        "constant " + std::to_string(i)));
    std::byte* data = buffers_.back()->data();
    if (!source.data.empty()) std::memcpy(data, source.data.data(), source.data.size());
    if (other) ChangeEach(source, data);
    buffers_.back()->MakeReadOnly();
    view.input(i).data = buffers_.back()->data();
  }
}

void PlacedConstants::TakeBack() {
  for (const auto& buffer : buffers_) buffer->TakeBack();
}

MadePlan::MadePlan(const qc_backend& table, AbiView& view, int32_t threads,
                   FormatRun& run)
    : table_(table), lent_(view) {
  const qc_status status = Watched(run, "plan", [&] {
    return table.plan(table.context, &lent_.descriptor(), lent_.constants(), threads,
                      &plan_, info_.get());
  });
  lent_.TakeBack("plan");
  made_ = status == QC_OK;
  if (run.path.empty()) {
    run.path = TextOf(info_->path);
    run.threads = threads;
    run.workspace_bytes = info_->workspace_bytes;
  }
  if (!made_) {
    SetProblem(run, RunProblem::kStatus, "plan",
               "plan answers " + StatusText(status) + ": " + TextOf(info_->reason));
    return;
  }
  if (info_.IsOverrun())
    SetProblem(run, RunProblem::kBounds, "plan", "writes past the end of qc_plan_info");
  if (info_->path[0] == '\0')
    SetProblem(run, RunProblem::kPath, "plan", "plan names no path, expected one");
  if (!IsPowerOfTwoOrZero(info_->workspace_alignment)) {
    SetProblem(run, RunProblem::kInvalidAnswer, "plan",
               "plan asks for a workspace aligned to " +
                   std::to_string(info_->workspace_alignment) +
                   " bytes, expected a power of two or 0");
  }
  const char* forced = std::getenv("QCONFORM_ISA");
  const std::string objection =
      PathObjection(TextOf(info_->path), forced == nullptr ? "" : forced);
  if (!objection.empty()) SetProblem(run, RunProblem::kPath, "plan", objection);
}

MadePlan::~MadePlan() {
  if (made_) table_.destroy(plan_);
}

bool MadePlan::Run(AbiView& view, RunMemory& memory, FormatRun& run, RunProblem on_status,
                   const std::string& when) {
  const AbiView::Tensors described = view.tensors();
  const qc_status status = Watched(run, "run", [&] {
    return table_.run(plan_, memory.inputs().data(), view.outputs().data(),
                      memory.workspace());
  });
  if (status != QC_OK) {
    SetProblem(run, on_status, "run", "run answers " + StatusText(status) + when);
    return false;
  }
  memory.CheckStrays(run);
  if (const std::string changed = view.Restore(described); !changed.empty())
    SetProblem(run, RunProblem::kBounds, "run", "changes the description of " + changed);
  return true;
}

void MadePlan::Destroy(FormatRun& run) {
  if (!made_) return;
  made_ = false;
  Watched(run, "destroy", [this] {
    table_.destroy(plan_);
    return QC_OK;
  });
}

}  // namespace qconform
