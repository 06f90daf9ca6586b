// The comparison of graphs lowered to the native engines.
#include <fmt/format.h>

#include "cli/parity/fx_stages.h"
#include "cli/parity/native_record.h"
#include "cli/parity/record_json.h"
#include "reference/ir/error.h"
#include "reference/native/lower_to_native.h"

namespace qconform::parity {
namespace {

// "RuntimeError: text" -> "RuntimeError".
std::string KindOf(const std::string& text) { return text.substr(0, text.find(':')); }

std::optional<Difference> CompareStructure(const GraphModule& lowered,
                                           const ordered_json& want) {
  if (auto difference =
          FirstDifference(GraphToRecord(lowered.graph), want.at("graph"), "graph")) {
    return difference;
  }
  const ordered_json modules =
      want.contains("modules") ? want.at("modules") : ordered_json::object();
  if (auto difference = FirstDifference(NativeModulesToRecord(lowered, modules),
                                        NormalizedModules(modules), "modules")) {
    return difference;
  }
  return FirstDifference(
      NativeAttributesToRecord(lowered),
      want.contains("attrs") ? want.at("attrs") : ordered_json::object(), "attrs");
}

std::optional<Difference> CompareEngine(const Prepared& prepared,
                                        const ConvertOptions& options,
                                        const ordered_json& want,
                                        const ordered_json& structure) {
  GraphModule lowered;
  try {
    lowered = ConvertToNative(prepared, options);
  } catch (const PipelineError& error) {
    const std::string got = error.kind() + ": " + error.what();
    if (!want.contains("error")) return Difference{"error", got, "no error"};
    const std::string kind = KindOf(want.at("error").get<std::string>());
    if (error.kind() == kind) return std::nullopt;
    return Difference{"error", got, want.at("error").get<std::string>()};
  } catch (const InputError& error) {
    return Difference{"error", error.what(), "no error of ours"};
  }
  if (want.contains("error")) {
    return Difference{"error", "no error", want.at("error").get<std::string>()};
  }
  return CompareStructure(lowered, structure);
}

}  // namespace

void CompareLowered(const Prepared& prepared, const ConvertOptions& options,
                    const ordered_json& want, RecordReport& report) {
  const ordered_json* first = nullptr;
  for (const auto& [engine, lowered] : want.items()) {
    if (!lowered.is_object()) continue;
    if (first == nullptr && lowered.contains("graph")) first = &lowered;
    // Records keep a graph that equals the first engine's only once.
    const ordered_json& structure =
        lowered.contains("graph") || first == nullptr ? lowered : *first;
    ConvertOptions engine_options = options;
    engine_options.is_decomposed = false;
    engine_options.engine = engine;
    auto difference = CompareEngine(prepared, engine_options, lowered, structure);
    if (difference) difference->where = engine + ": " + difference->where;
    report.Add("lowered", std::move(difference));
  }
}

}  // namespace qconform::parity
