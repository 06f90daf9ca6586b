#include "conformance/host/made_plan.h"

#include <cstdlib>
#include <cstring>

#include "conformance/host/code_element.h"
#include "conformance/host/code_path.h"

namespace qconform {
namespace {

constexpr std::byte kConstantFill{0x3C};

}  // namespace

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
    for (size_t at = 0; other && IsCode(source.dtype) && at < source.data.size(); ++at)
      data[at] ^= std::byte{1};
    buffers_.back()->MakeReadOnly();
    view.input(i).data = data;
  }
}

void PlacedConstants::TakeBack() {
  for (const auto& buffer : buffers_) buffer->TakeBack();
}

MadePlan::MadePlan(const qc_backend& table, AbiView& view, int32_t threads,
                   FormatRun& run)
    : table_(table) {
  const std::vector<const qc_tensor*> constants = view.constants();
  const qc_status status = Watched(run, "plan", [&] {
    return table.plan(table.context, &view.descriptor(), constants.data(), threads,
                      &plan_, info_.get());
  });
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
  const char* forced = std::getenv("QCONFORM_ISA");
  const std::string objection =
      PathObjection(TextOf(info_->path), forced == nullptr ? "" : forced);
  if (!objection.empty()) SetProblem(run, RunProblem::kPath, "plan", objection);
}

MadePlan::~MadePlan() {
  if (made_) table_.destroy(plan_);
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
