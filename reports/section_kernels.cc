#include <fmt/format.h>

#include <algorithm>

#include "reports/page_parts.h"
#include "reports/sections.h"

namespace qconform {
namespace {

constexpr size_t kBytes = 300'000;

// Sums over one pass through the network: each layer as often as it occurs there.
struct Whole {
  double seconds = 0;
  double macs = 0;
  double seconds_at_peak = 0;
  int64_t layers = 0;
  int64_t wrong = 0;
};

Whole Sum(const BenchmarkFile& benchmark) {
  Whole whole;
  for (const LayerTiming& layer : benchmark.layers) {
    if (!layer.error.empty()) {
      ++whole.wrong;
      continue;
    }
    ++whole.layers;
    whole.seconds += layer.seconds * layer.layer_count;
    whole.macs += layer.macs * layer.layer_count;
    if (layer.peak_gmac_per_second > 0) {
      whole.seconds_at_peak +=
          layer.macs * layer.layer_count / layer.peak_gmac_per_second * 1e-9;
    }
  }
  return whole;
}

Markup SummaryLine(const Whole& whole) {
  if (whole.layers == 0) {
    return Element("p", "class=\"loud\"", "No layer has a time that counts.");
  }
  std::string text = fmt::format("{} timed, each as often as the network has it: {}",
                                 Count(whole.layers, "layer"), Duration(whole.seconds));
  if (whole.macs > 0 && whole.seconds > 0) {
    text += fmt::format(", {} GMAC/s", Real(whole.macs / whole.seconds * 1e-9));
  }
  if (whole.seconds_at_peak > 0) {
    text += fmt::format(", {} of the peak", Share(whole.seconds_at_peak / whole.seconds));
  }
  Markup line = Element("p", "", text + ".");
  if (whole.wrong > 0) {
    line += Element("p", "class=\"loud\"",
                    Count(whole.wrong, "layer") +
                        " without a time: the output was wrong or the run failed.");
  }
  return line;
}

Markup ShareBar(const LayerTiming& layer) {
  if (!layer.share_of_peak) return Text("–");
  const double share = std::clamp(*layer.share_of_peak, 0.0, 1.0);
  const std::string text = Share(*layer.share_of_peak);
  return Element(
      "div", "class=\"share\"",
      Bar({{share, "speed", text + " of the peak"}}, 1) + Element("span", "", text));
}

Markup Layers(const BenchmarkFile& benchmark, Budget& budget) {
  Table table({{"Layer"},
               {"In the network", true},
               {"Time", true},
               {"GMAC/s", true},
               {"Share of the peak"},
               {"Path that ran"}});
  int64_t left_out = 0;
  for (const LayerTiming& layer : benchmark.layers) {
    bool fits = false;
    if (layer.error.empty()) {
      fits = table.AddRow(
          {Text(layer.layer), Text(fmt::format("{:g} ×", layer.layer_count)),
           Text(Duration(layer.seconds)), Text(Real(layer.gmac_per_second)),
           ShareBar(layer), Text(layer.path.empty() ? "not said" : layer.path)},
          "", &budget);
    } else {
      fits = table.AddRow({Text(layer.layer), Text("–"), Text("none"), Text("–"),
                           Text(layer.error), Text("–")},
                          "bad", &budget);
    }
    left_out += fits ? 0 : 1;
  }
  return table.Render() + AndMore(left_out, "layers");
}

Markup FileBlock(const BenchmarkFile& benchmark, Budget& budget) {
  Markup facts;
  if (!benchmark.peaks.empty()) {
    std::string peaks;
    for (const auto& [path, value] : benchmark.peaks) {
      peaks +=
          fmt::format("{}{}: {} GMAC/s", peaks.empty() ? "" : "; ", path, Real(value));
    }
    facts += Element("li", "", "int8 peak measured beside the run: " + peaks);
  } else {
    facts += Element("li", "class=\"loud\"", "No peak was measured beside this run.");
  }
  std::string machine;
  for (const auto& [key, value] : benchmark.machine) {
    machine += (machine.empty() ? "" : " · ") + key + " " + value;
  }
  facts += Element("li", "",
                   machine.empty() ? "The file does not name its machine." : machine);
  std::string made = benchmark.file;
  if (!benchmark.backend_file.empty()) made += " · " + benchmark.backend_file;
  if (!benchmark.date.empty()) made += " · " + benchmark.date;
  facts += Element("li", "", made);
  return Element("h3", "", benchmark.backend + " on " + benchmark.suite) +
         SummaryLine(Sum(benchmark)) + Layers(benchmark, budget) +
         Element("ul", "class=\"plain\"", facts);
}

}  // namespace

Markup KernelsSection(const ReportInput& input) {
  Markup blocks;
  Budget budget(kBytes);
  for (const BenchmarkFile& benchmark : input.benchmarks) {
    blocks += FileBlock(benchmark, budget);
  }
  if (blocks.empty()) return Markup();
  return Section(
      "kernels", "Kernels",
      Element("p", "class=\"note\"",
              "Time is the median; the share is that of the shortest run in the "
              "peak of the path that ran. Every output was checked in the same "
              "process; a wrong one has no speed.") +
          blocks);
}

}  // namespace qconform
