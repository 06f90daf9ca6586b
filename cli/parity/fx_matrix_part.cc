// One model under many backend configs and mappings: light records.
#include <algorithm>
#include <map>

#include "cli/parity/fx_stages.h"
#include "cli/parity/parts.h"
#include "cli/parity/record_files.h"
#include "cli/parity/record_json.h"
#include "reference/backends/backends.h"
#include "reference/ir/error.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform::parity {
namespace {

QConfigMapping Global(ObserverConstructor activation, ObserverConstructor weight) {
  QConfigMapping mapping;
  mapping.global =
      std::make_shared<QConfig>(QConfig{std::move(activation), std::move(weight)});
  return mapping;
}

// The mappings that the variants name.
QConfigMapping MappingOf(const std::string& name) {
  const std::string default_prefix = "default:";
  if (name.starts_with(default_prefix)) {
    return GetDefaultQConfigMapping(name.substr(default_prefix.size()));
  }
  if (name == "symqnnpack") return GetSymmetricQnnpackQConfigMapping();
  if (name == "global:MMPC") {
    return Global(
        {"MinMaxObserver", {{"dtype", DType::kQUInt8}}},
        {"PerChannelMinMaxObserver",
         {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_channel_symmetric"}}});
  }
  if (name == "global:QINT8") {
    return Global(
        {"MinMaxObserver", {{"dtype", DType::kQInt8}}},
        {"MinMaxObserver",
         {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_tensor_symmetric"}}});
  }
  const std::string global_prefix = "global:";
  if (name.starts_with(global_prefix)) {
    QConfigMapping mapping;
    mapping.global = NamedQConfig(name.substr(global_prefix.size()));
    if (mapping.global != nullptr) return mapping;
  }
  throw InputError("fx_matrix", "unknown mapping " + name);
}

ordered_json CalledClasses(const GraphModule& module) {
  ordered_json types = ordered_json::object();
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    types[node.target()] = module.FindModule(node.target())->type;
  }
  return types;
}

void CompareVariant(const FxRecord& record, const ordered_json& want, bool has_warnings,
                    RecordReport& report) {
  const std::string backend = want.at("backend_config").get<std::string>();
  const std::string label = backend + " " + want.at("mapping").get<std::string>();
  // A difference carries the variant's name.
  const auto add = [&](const std::string& stage, std::optional<Difference> difference) {
    if (difference) difference->where = label + ": " + difference->where;
    report.Add(stage, std::move(difference));
  };
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig(backend));
  FuseResult fused = FuseWithMatches(record.float_module, false, *config);
  const ordered_json none = ordered_json::object();
  add("fusion_matches",
      FirstDifference(
          FusionMatchesToRecord(fused.matches),
          want.contains("fusion_matches") ? want.at("fusion_matches") : none));
  auto difference =
      FirstDifference(GraphToRecord(fused.module.graph), want.at("fused_graph"), "graph");
  if (!difference) {
    difference = FirstDifference(CalledClasses(fused.module),
                                 want.at("fused_module_types"), "module_types");
  }
  add("fused", std::move(difference));

  Prepared prepared = PrepareFx(record.float_module,
                                MappingOf(want.at("mapping").get<std::string>()), config);
  add("matches", CompareMatches(prepared, want));
  add("node_qconfig", CompareNodeQConfigs(prepared, want));
  ordered_json names = {{"observed_node_names", want.contains("observed_node_names")
                                                    ? want.at("observed_node_names")
                                                    : ordered_json::array()}};
  add("observed_node_names", CompareObservedNames(prepared, names));
  if (has_warnings) {
    add("warnings",
        CompareWarnings(prepared, want.contains("warnings") ? want.at("warnings")
                                                            : ordered_json::array()));
  }
  difference = FirstDifference(GraphToRecord(prepared.module.graph),
                               want.at("prepared_graph"), "graph");
  if (!difference) {
    ObserverBounds bounds;
    const auto failure = CalibrateWithBounds(record, prepared, bounds, report);
    difference = CompareFailure(failure, want);
    if (!difference) {
      difference = CompareObservers(prepared, want.at("observers"), bounds, report);
    }
  }
  const bool prepared_equal = !difference;
  add("prepared", std::move(difference));
  if (prepared_equal) TakeRecordedQparams(prepared, want.at("observers"));
  // All variants were recorded with torch's default engine.
  const GraphModule converted = ConvertToReference(prepared);
  add("reference",
      CompareConverted(record, converted, want.at("reference"), true, report));
}

// A variant that torch refuses: we must refuse it with an error of the same kind.
std::optional<Difference> CompareRefusal(const PipelineError* error,
                                         const ordered_json& variant) {
  const std::string label = variant.at("backend_config").get<std::string>() + " " +
                            variant.at("mapping").get<std::string>();
  const std::string want = variant.contains("error")
                               ? variant.at("error").at("type").get<std::string>()
                               : "ok";
  if (error != nullptr && error->kind() == want) return std::nullopt;
  return Difference{label, error == nullptr ? "ok" : error->kind() + ": " + error->what(),
                    want};
}

RecordReport CompareMatrix(const ordered_json& json, const std::string& where) {
  const FxRecord record = FxRecordFromJson(json, where);
  RecordReport report(record.name);
  const ordered_json& variants = json.at("variants");
  // Variants without any do not say so; a record without any may not have looked.
  const bool has_warnings = std::any_of(
      variants.begin(), variants.end(),
      [](const ordered_json& variant) { return variant.contains("warnings"); });
  if (!has_warnings) report.Missing("warnings");
  for (const ordered_json& variant : variants) {
    try {
      if (variant.contains("error")) {
        PrepareFx(
            record.float_module, MappingOf(variant.at("mapping").get<std::string>()),
            std::make_shared<BackendConfig>(
                BuiltInBackendConfig(variant.at("backend_config").get<std::string>())));
        report.Add("error", CompareRefusal(nullptr, variant));
      } else {
        CompareVariant(record, variant, has_warnings, report);
      }
    } catch (const PipelineError& error) {
      report.Add("error", CompareRefusal(&error, variant));
    } catch (const InputError& error) {
      report.Add("error", Difference{variant.at("backend_config").get<std::string>() +
                                         " " + variant.at("mapping").get<std::string>(),
                                     error.what(), "ok"});
    }
  }
  return report;
}

}  // namespace

PartReport RunFxMatrixPart(const Files& files, const std::string& filter) {
  return CompareFiles("fx_matrix", files, filter, CompareMatrix);
}

}  // namespace qconform::parity
