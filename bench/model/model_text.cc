#include "bench/model/model_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/compare/ratio_interval.h"

namespace qconform::bench {
namespace {

constexpr size_t kKindsShown = 5;

double Milliseconds(const ModelSubject& subject) { return 1e3 * Median(subject.seconds); }

std::string TimeText(const ModelSubject& subject) {
  return subject.timed() ? fmt::format("{:.3f}", Milliseconds(subject)) : "-";
}

std::string RatioText(const ModelRow& row) {
  if (!row.own.timed() || !row.peer.timed()) return "-";
  const RatioInterval ratio = IntervalOfRatio(row.own.seconds, row.peer.seconds, 0.05);
  return fmt::format("{:.2f} ({:.2f} to {:.2f})",
                     Milliseconds(row.peer) / Milliseconds(row.own), ratio.low,
                     ratio.high);
}

std::string ErrorText(const ModelRow& row) {
  if (!row.peer.timed()) return "";
  if (row.peer.wrong == 0) return fmt::format("none of {}", row.outputs);
  return fmt::format("{} of {}, {} by more than one code, at most by {}", row.peer.wrong,
                     row.outputs, row.peer.far, row.peer.furthest);
}

std::string KindsText(const ModelRow& row) {
  double all = 0;
  for (const KindTime& kind : row.kinds) all += kind.seconds;
  std::string text;
  for (size_t i = 0; i < std::min(kKindsShown, row.kinds.size()); ++i) {
    const KindTime& kind = row.kinds[i];
    text += fmt::format("{}{} x{} {:.1f} %{}", i == 0 ? "" : ", ", kind.kind, kind.steps,
                        100 * kind.seconds / all, kind.reference ? " (reference)" : "");
  }
  return text;
}

}  // namespace

std::string ModelTableHead() {
  return fmt::format(
      "ms: the median of a run. ratio: onnxruntime's over ours, median by median, and "
      "its "
      "95 % interval; above 1 we are faster.\n"
      "wrong: onnxruntime's outputs that are not those of the definitions, in codes.\n\n"
      "{:<16} {:>7} {:>10} {:>12}  {:<22} {}\n",
      "model", "threads", "ours ms", "onnxrt ms", "ratio", "wrong");
}

std::string ModelTableLines(const ModelRow& row) {
  std::string text =
      fmt::format("{:<16} {:>7} {:>10} {:>12}  {:<22} {}\n", row.model, row.threads,
                  TimeText(row.own), TimeText(row.peer), RatioText(row), ErrorText(row));
  if (!row.own.timed()) text += fmt::format("  FAILED   {}\n", row.own.refusal);
  if (!row.peer.timed()) text += fmt::format("  no peer  {}\n", row.peer.refusal);
  if (!row.kinds.empty()) text += fmt::format("  time     {}\n", KindsText(row));
  text += fmt::format(
      "  steps    {} by the backend on {}, {} by the reference, {} views; activations "
      "{:.1f} "
      "MB planned, {:.1f} MB apart\n",
      row.backend_steps, row.path, row.reference_steps, row.views,
      static_cast<double>(row.planned_bytes) * 1e-6,
      static_cast<double>(row.separate_bytes) * 1e-6);
  return text;
}

}  // namespace qconform::bench
