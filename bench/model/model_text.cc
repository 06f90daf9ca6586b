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

std::string RatioText(const ModelSubject& own, const ModelSubject& peer) {
  if (!own.timed() || !peer.timed()) return "-";
  const RatioInterval ratio = IntervalOfRatio(own.seconds, peer.seconds, 0.05);
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", Milliseconds(peer) / Milliseconds(own),
                     ratio.low, ratio.high);
}

std::string ErrorText(const ModelSubject& peer, int64_t outputs) {
  if (!peer.timed()) return peer.refusal;
  if (peer.wrong == 0) return fmt::format("none of {}", outputs);
  if (peer.furthest_code == 0)
    return fmt::format("{} of {}, at most by {:.2g}", peer.wrong, outputs, peer.furthest);
  return fmt::format("{} of {}, {} by more than one code, at most by {}", peer.wrong,
                     outputs, peer.far, peer.furthest_code);
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
      "ms: the median of a run. ratio: the peer's over ours, median by median, and its "
      "95 % "
      "interval; above 1 we are faster.\n"
      "wrong: the peer's outputs that are not those of the definitions.\n\n"
      "{:<14} {:>7} {:>9}  {:<18} {:>9}  {:<21} {}\n",
      "model", "threads", "ours ms", "peer", "peer ms", "ratio", "wrong");
}

std::string ModelTableLines(const ModelRow& row) {
  std::string text;
  for (const ModelSubject& peer : row.peers) {
    text += fmt::format("{:<14} {:>7} {:>9}  {:<18} {:>9}  {:<21} {}\n", row.model,
                        row.threads, TimeText(row.own), peer.name, TimeText(peer),
                        RatioText(row.own, peer), ErrorText(peer, row.outputs));
  }
  if (!row.own.timed()) text += fmt::format("  FAILED   {}\n", row.own.refusal);
  if (!row.kinds.empty()) text += fmt::format("  time     {}\n", KindsText(row));
  text += fmt::format(
      "  steps    {} by the backend on {}, {} by the reference, {} folded, {} views; "
      "activations "
      "{:.1f} "
      "MB planned, {:.1f} MB apart\n",
      row.backend_steps, row.path, row.reference_steps, row.folded, row.views,
      static_cast<double>(row.planned_bytes) * 1e-6,
      static_cast<double>(row.separate_bytes) * 1e-6);
  return text;
}

}  // namespace qconform::bench
