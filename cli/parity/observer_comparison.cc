// What observers saw, held against the record.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/parity/error_bound.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/record_json.h"
#include "cli/parity/scale_error.h"
#include "cli/parity/zero_point_error.h"
#include "reference/formats/tensor_json.h"

namespace qconform::parity {
namespace {

double ValueOf(const ordered_json& tensor, int64_t index = 0) {
  return TensorFromJson(tensor, "observers").ValueAt(index);
}

// Compares the statistics of one instance within `bound`, everything else exactly.
class InstanceComparison {
 public:
  InstanceComparison(const ordered_json& got, const ordered_json& want, double bound,
                     const std::string& where, RecordReport& report)
      : got_(got), want_(want), bound_(bound), where_(where), report_(report) {}

  std::optional<Difference> Run() {
    if (auto difference = CompareHistogramSum()) return difference;
    auto exact = FirstDifference(got_, want_, where_);
    if (!exact || bound_ == 0) return exact;
    // What depends on observed values apart from the rest.
    ordered_json got = got_;
    ordered_json want = want_;
    for (const char* key : {"min_val", "max_val", "search", "qparams", "observer",
                            "scale_buf", "zero_point_buf"}) {
      got.erase(key);
      want.erase(key);
    }
    if (auto difference = FirstDifference(got, want, where_)) return difference;
    if (want_.contains("observer")) {
      if (auto difference = InstanceComparison(got_.at("observer"), want_.at("observer"),
                                               bound_, where_ + ".observer", report_)
                                .Run()) {
        return difference;
      }
    }
    if (std::isinf(bound_)) {
      report_.NotBounded(where_);
      return std::nullopt;
    }
    for (const char* key : {"min_val", "max_val"}) {
      if (!want_.contains(key)) continue;
      if (auto difference = CompareWithin(key, bound_)) return difference;
    }
    if (auto difference = CompareSearch()) return difference;
    if (auto difference = CompareQparams()) return difference;
    if (!want_.contains("scale_buf")) return std::nullopt;
    // What the last forward quantized with, of the same range.
    for (ordered_json* record : {&got_, &want_}) {
      (*record)["qparams"] = {{"scale", record->at("scale_buf")},
                              {"zero_point", record->at("zero_point_buf")}};
    }
    return CompareQparams();
  }

 private:
  std::optional<Difference> CompareWithin(const std::string& key, double bound) {
    const Tensor got = TensorFromJson(got_.at(key), where_);
    const Tensor want = TensorFromJson(want_.at(key), where_);
    if (got.shape() != want.shape()) {
      return Difference{where_ + "." + key, ShapeText(got.shape()),
                        ShapeText(want.shape())};
    }
    double furthest = 0;
    for (int64_t i = 0; i < got.numel(); ++i) {
      if (std::isnan(got.ValueAt(i)) && std::isnan(want.ValueAt(i))) continue;
      const double distance = std::fabs(got.ValueAt(i) - want.ValueAt(i));
      if (distance <= bound) {
        furthest = std::max(furthest, distance);
        continue;
      }
      return Difference{where_ + "." + key,
                        fmt::format("{} (bound {})", got.ValueAt(i), bound),
                        fmt::format("{}", want.ValueAt(i))};
    }
    if (furthest > 0) {
      report_.Note(
          fmt::format("{}.{}: {} apart, bound {}", where_, key, furthest, bound));
    }
    return std::nullopt;
  }

  // torch sums the bins in float32, we in double: gamma(bins) of the sum apart.
  std::optional<Difference> CompareHistogramSum() {
    if (!want_.contains("hist_sum") || !got_.contains("hist_sum")) return std::nullopt;
    const double got = got_.at("hist_sum").get<double>();
    const double want = want_.at("hist_sum").get<double>();
    const double bound = Gamma(want_.at("bins").get<double>()) * want;
    if (IsApart(got, want, bound)) {
      return Difference{where_ + ".hist_sum", fmt::format("{} (bound {})", got, bound),
                        fmt::format("{}", want)};
    }
    got_["hist_sum"] = want_.at("hist_sum");
    return std::nullopt;
  }

  // A value that crosses into the next bin moves the clipped range by one bin.
  double BinWidth() const {
    const double width = ValueOf(want_.at("max_val")) - ValueOf(want_.at("min_val"));
    return width / want_.at("bins").get<double>();
  }

  std::optional<Difference> CompareSearch() {
    if (!want_.contains("search")) return std::nullopt;
    range_bound_ = bound_ + BinWidth();
    for (size_t i = 0; i < 2; ++i) {
      const double got = got_.at("search")[i].get<double>();
      const double want = want_.at("search")[i].get<double>();
      if (!IsApart(got, want, range_bound_)) continue;
      return Difference{where_ + ".search",
                        fmt::format("{} (bound {}: one bin)", got, range_bound_),
                        fmt::format("{}", want)};
    }
    return std::nullopt;
  }

  std::optional<Difference> CompareQparams() {
    if (!want_.contains("qparams") || !want_.at("qparams").contains("scale")) {
      return std::nullopt;
    }
    const ordered_json& settings =
        want_.contains("observer") ? want_.at("observer") : want_;
    if (range_bound_ == 0) range_bound_ = bound_;
    const double steps =
        settings.at("quant_max").get<double>() - settings.at("quant_min").get<double>();
    const bool is_symmetric =
        settings.at("qscheme").get<std::string>().ends_with("_symmetric");
    const Tensor got_scale = TensorFromJson(got_.at("qparams").at("scale"), where_);
    const Tensor want_scale = TensorFromJson(want_.at("qparams").at("scale"), where_);
    const Tensor got_zero = TensorFromJson(got_.at("qparams").at("zero_point"), where_);
    const Tensor want_zero = TensorFromJson(want_.at("qparams").at("zero_point"), where_);
    if (got_scale.shape() != want_scale.shape() ||
        got_scale.dtype() != want_scale.dtype() ||
        got_zero.shape() != want_zero.shape() || got_zero.dtype() != want_zero.dtype()) {
      return Difference{where_ + ".qparams", ShortText(got_.at("qparams")),
                        ShortText(want_.at("qparams"))};
    }
    // Float qparams are those of weights, which nothing computes.
    if (want_zero.dtype() == DType::kFloat32) {
      return FirstDifference(got_.at("qparams"), want_.at("qparams"), where_);
    }
    for (int64_t i = 0; i < want_scale.numel(); ++i) {
      const double scale = want_scale.ValueAt(i);
      const double scale_bound = ScaleError(range_bound_, steps, scale);
      if (IsApart(got_scale.ValueAt(i), scale, scale_bound)) {
        return Difference{where_ + ".qparams.scale",
                          fmt::format("{} (bound {})", got_scale.ValueAt(i), scale_bound),
                          fmt::format("{}", scale)};
      }
      const std::string low = settings.contains("search") ? "search" : "min_val";
      const double min = low == "search" ? settings.at(low)[0].get<double>()
                                         : ValueOf(settings.at(low), i);
      const ZeroPointTie tie =
          is_symmetric ? ZeroPointTie()
                       : TieOf(std::min(min, 0.0), scale, range_bound_, scale_bound);
      if (auto difference =
              CompareZeroPoint(where_ + ".qparams.zero_point", got_zero.IntegerAt(i),
                               want_zero.IntegerAt(i), tie, report_)) {
        return difference;
      }
    }
    return std::nullopt;
  }

  ordered_json got_;
  ordered_json want_;
  const double bound_;
  double range_bound_ = 0;
  const std::string where_;
  RecordReport& report_;
};

}  // namespace

std::optional<Difference> CompareObservers(const Prepared& prepared,
                                           const ordered_json& want,
                                           const ObserverBounds& bounds,
                                           RecordReport& report) {
  ordered_json got = ObserversToRecord(prepared);
  ordered_json expected = want;
  if (auto difference =
          FirstDifference(got.at("nodes"), expected.at("nodes"), "observers.nodes")) {
    return difference;
  }
  for (auto& [name, instance] : expected.at("instances").items()) {
    if (!got.at("instances").contains(name)) {
      return Difference{"observers." + name, "absent", "present"};
    }
    // Of an error only the kind counts.
    if (instance.contains("qparams") && instance.at("qparams").contains("error")) {
      instance["qparams"]["error"] = ErrorKind(instance.at("qparams").at("error"));
    }
    double bound = 0;
    for (const ordered_json& node : expected.at("nodes")) {
      if (node.at("instance") != name) continue;
      const auto module =
          prepared.module.FindModule(node.at("target").get<std::string>());
      const auto found = bounds.find(module.get());
      if (found != bounds.end()) bound = std::max(bound, found->second.value);
    }
    if (auto difference = InstanceComparison(got.at("instances").at(name), instance,
                                             bound, "observers." + name, report)
                              .Run()) {
      return difference;
    }
  }
  return std::nullopt;
}

}  // namespace qconform::parity
