#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/page_parts.h"
#include "reports/sections.h"

namespace qconform {
namespace {

constexpr size_t kBytes = 400'000;
constexpr size_t kMostNodes = 100;  // of one model

std::string MetricText(const MetricSummary& metric) {
  const bool is_count = metric.unit.empty() && metric.value == std::floor(metric.value);
  return is_count ? fmt::format("{:.0f}", metric.value)
                  : fmt::format("{:.2f} {}", metric.value, metric.unit);
}

const MetricSummary* FindMetric(const QuantizationSummary& model, const std::string& of,
                                const std::string& name) {
  for (const MetricSummary& metric : model.metrics) {
    if (metric.of == of && metric.name == name) return &metric;
  }
  return nullptr;
}

// Float beside int8; then what is measured otherwise, one line a kind.
Markup Metrics(const QuantizationSummary& model) {
  if (model.metrics.empty()) {
    return Element("p", "class=\"note\"", "Its accuracy was not measured.");
  }
  Table table({{"Accuracy"}, {"float", true}, {"int8", true}});
  std::vector<std::pair<std::string, std::string>> others;
  for (const MetricSummary& metric : model.metrics) {
    const MetricSummary* int8 = FindMetric(model, "int8", metric.name);
    if (metric.of == "float") {
      table.AddRow({Text(metric.name), Text(MetricText(metric)),
                    Text(int8 == nullptr ? "–" : MetricText(*int8))});
    } else if (metric.of != "int8" ||
               FindMetric(model, "float", metric.name) == nullptr) {
      const std::string text = metric.name + " " + MetricText(metric);
      const auto same =
          std::find_if(others.begin(), others.end(),
                       [&](const auto& other) { return other.first == metric.of; });
      if (same == others.end()) {
        others.emplace_back(metric.of, text);
      } else {
        same->second += " · " + text;
      }
    }
  }
  Markup lines;
  for (const auto& [of, text] : others) lines += Element("p", "", of + ": " + text);
  return (table.empty() ? Markup() : table.Render("compact")) + lines;
}

Markup FloatNodes(const QuantizationSummary& model) {
  if (model.left_in_float.empty()) {
    return Element("p", "", "No node was left in float.");
  }
  Table table({{"Left in float"}, {"Target"}, {"Refused by"}, {"Why"}});
  const size_t count = model.left_in_float.size();
  for (size_t i = 0; i < std::min(kMostNodes, count); ++i) {
    const FloatNodeSummary& node = model.left_in_float[i];
    table.AddRow({Code(node.node), Code(node.target),
                  Text(node.constraint.empty() ? "–" : node.constraint),
                  Text(node.reason.empty() ? "no reason given" : node.reason)});
  }
  return table.Render() +
         AndMore(static_cast<int64_t>(count) - static_cast<int64_t>(kMostNodes), "nodes");
}

// Nothing without lines.
Markup NotedLines(const char* note, const std::vector<std::string>& lines) {
  if (lines.empty()) return Markup();
  Markup items;
  const size_t count = std::min(kMostNodes, lines.size());
  for (size_t i = 0; i < count; ++i) items += Element("li", "", lines[i]);
  return Element("p", "class=\"note\"", note) + Element("ul", "", items);
}

Markup ModelBlock(const QuantizationSummary& model) {
  const auto left = static_cast<int64_t>(model.left_in_float.size());
  const auto amount = [](int64_t value) { return static_cast<double>(value); };
  const Markup bar =
      Bar({{amount(model.quantized), "pass", Count(model.quantized) + " quantized"},
           {amount(model.fused), "scheme", Count(model.fused) + " fused"},
           {amount(left), "float", Count(left) + " left in float"}},
          amount(model.nodes));
  const Markup nodes = Text(Count(model.nodes, "node") + ": ") +
                       Word(Count(model.quantized) + " quantized", "pass") + Text(" · ") +
                       Word(Count(model.fused) + " fused into another", "scheme") +
                       Text(" · ") +
                       Word(Count(left) + " left in float", left > 0 ? "float" : "skip") +
                       Text(" · " + Count(model.matched) + " matched by a pattern");
  const std::string program = fmt::format(
      "Lowered to {}, {} and {}.", Count(model.operators, "integer operator"),
      Count(model.conversions, "conversion"), Count(model.float_islands, "float island"));
  const std::string title = model.model + " for " + model.config +
                            (model.mode.empty() ? "" : " (mode " + model.mode + ")");
  const Markup golden = model.golden.empty()
                            ? Text("No golden was written.")
                            : Text("Golden ") + Code(model.golden) + Text(" ") +
                                  Digest(model.golden_digest);
  return Element(
      "article", "",
      Element("h3", "", title) + bar + Element("p", "", nodes) +
          Element("p", "", Text(program + " ") + golden) + Metrics(model) +
          FloatNodes(model) +
          NotedLines("Settings that took effect on no node:", model.unused_settings) +
          NotedLines("Where torch does not do what it declares:",
                     model.mode_differences) +
          NotedLines("The same, by the calibration data:", model.data_differences));
}

}  // namespace

Markup ModelsSection(const ReportInput& input) {
  if (input.models.empty()) return Markup();
  Markup blocks;
  Budget budget(kBytes);
  int64_t left_out = 0;
  for (const QuantizationSummary& model : input.models) {
    left_out += budget.Append(blocks, ModelBlock(model)) ? 0 : 1;
  }
  return Section("models", "Quantized models", blocks + AndMore(left_out, "models"));
}

}  // namespace qconform
