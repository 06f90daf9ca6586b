#include "cli/parity/fx_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/parity/author_classes.h"
#include "cli/parity/corpus_extension.h"
#include "cli/parity/failure.h"
#include "cli/parity/inner_observers.h"
#include "cli/parity/observer_state.h"
#include "cli/parity/record_json.h"
#include "cli/parity/trained_modules.h"
#include "reference/native/quantizable_conversion.h"
#include "reference/observe/used_modules.h"

namespace qconform::parity {
namespace {

// A record that ended with an error must make us end with one of the same kind.
Difference UnexpectedError(const std::string& got) { return {"", got, "no error"}; }

std::optional<Difference> CompareErrors(const std::optional<std::string>& got,
                                        const ordered_json& want) {
  const std::string kind = ErrorKind(want);
  if (got && got->starts_with(kind + ":")) return std::nullopt;
  return Difference{"error", got.value_or("no error"), kind};
}

}  // namespace

std::optional<Difference> CompareFailure(const std::optional<std::string>& failure,
                                         const ordered_json& want) {
  const std::string wanted = want.value("run_error", "");
  if (!failure && wanted.empty()) return std::nullopt;
  if (!failure) return Difference{"calibration", "ok", wanted};
  if (wanted.empty()) return Difference{"calibration", *failure, "ok"};
  const std::string kind = ErrorKind(*failure);
  const bool has_kind = kind.ends_with("Error") || kind == "Exception";
  if (has_kind && kind != ErrorKind(wanted)) {
    return Difference{"calibration", *failure, wanted};
  }
  return std::nullopt;
}

namespace {

// Everything that a record may hold; another member is a stage that nothing compares.
void NameUnknownStages(const ordered_json& record, RecordReport& report) {
  static const std::set<std::string> known = {"name",           "kind",
                                              "note",           "seed",
                                              "result",         "error",
                                              "run_error",      "backend_config",
                                              "float",          "qconfig_mapping",
                                              "qconfigs",       "convert_qconfig_mapping",
                                              "test_input",     "prepare_custom_config",
                                              "matches",        "convert_custom_config",
                                              "node_qconfig",   "calibration_inputs",
                                              "fusion_matches", "test_input_quantized",
                                              "fused",          "observed_node_names",
                                              "warnings",       "nested_matches",
                                              "prepared",       "reference",
                                              "decomposed",     "lowered"};
  for (const auto& [key, value] : record.items()) {
    if (known.count(key) == 0) report.NotCompared(key, "unknown stage");
  }
}

// Whether a record says anything about a stage. A graph is never empty.
bool Holds(const ordered_json& record, const std::string& stage) {
  static const std::set<std::string> graphs = {"fused", "prepared", "reference",
                                               "decomposed", "lowered"};
  if (!record.contains(stage) || record.at(stage).is_null()) return false;
  return graphs.count(stage) == 0 || !record.at(stage).empty();
}

// The stages that were not compared: of an error's record those that it holds.
void NameStagesLeft(const ordered_json& record, RecordReport& report) {
  std::set<std::string> compared;
  for (const auto& [stage, equal] : report.stages()) compared.insert(stage);
  const bool has_error = record.contains("error");
  const std::string why = has_error                   ? "the record ends with an error"
                          : Holds(record, "prepared") ? "it needs the record's values"
                                                      : "it needs the stage prepared";
  for (const char* stage :
       {"fusion_matches", "fused", "matches", "node_qconfig", "observed_node_names",
        "warnings", "nested_matches", "prepared", "reference", "decomposed", "lowered"}) {
    if (compared.count(stage) > 0) continue;
    if (Holds(record, stage)) {
      // What follows a difference needs no words.
      if (!report.first()) report.NotCompared(stage, why);
    } else if (!has_error && std::string(stage) != "nested_matches") {
      report.Missing(stage);
    }
  }
}

void CompareStages(FxRecord& record, const ordered_json& want, RecordReport& report) {
  const bool wants_error = want.contains("error");
  std::optional<std::string> error;

  const bool has_fused = Holds(want, "fused");
  if (want.contains("fusion_matches") || has_fused) {
    FuseResult fused;
    error = FailureOf([&] {
      fused = FuseWithMatches(record.float_module, record.is_qat, *record.backend_config);
    });
    if (error) {
      report.Add("fusion_matches", UnexpectedError(*error));
      return;
    }
    if (want.contains("fusion_matches")) {
      report.Add("fusion_matches", FirstDifference(FusionMatchesToRecord(fused.matches),
                                                   want.at("fusion_matches")));
    }
    if (has_fused) {
      auto difference = FirstDifference(GraphToRecord(fused.module.graph),
                                        want.at("fused").at("graph"), "graph");
      if (!difference) {
        difference = FirstDifference(ModulesToRecord(fused.module, true),
                                     want.at("fused").at("modules"), "modules");
      }
      report.Add("fused", difference);
    }
  }

  Prepared prepared;
  PrepareOptions options;
  options.is_qat = record.is_qat;
  options.custom_config = record.custom_config;
  options.trace = TraceCorpusModule;
  error = FailureOf([&] {
    prepared =
        PrepareFx(record.float_module, record.mapping, record.backend_config, options);
  });
  if (wants_error && !Holds(want, "prepared")) {
    report.Add("error", CompareErrors(error, want.at("error")));
    return;
  }
  if (error) {
    report.Add("matches", UnexpectedError(*error));
    return;
  }
  if (want.contains("matches")) report.Add("matches", CompareMatches(prepared, want));
  if (want.contains("node_qconfig")) {
    report.Add("node_qconfig", CompareNodeQConfigs(prepared, want));
  }
  if (want.contains("observed_node_names")) {
    report.Add("observed_node_names", CompareObservedNames(prepared, want));
  }
  if (want.contains("warnings")) {
    report.Add("warnings", CompareWarnings(prepared, want.at("warnings")));
  }
  if (want.contains("nested_matches")) {
    report.Add("nested_matches",
               CompareNestedMatches(prepared, want.at("nested_matches")));
  }

  if (!Holds(want, "prepared")) return;
  const ordered_json& prepared_want = want.at("prepared");
  ObserverBounds bounds;
  TrainedErrors trained;
  auto difference = FirstDifference(GraphToRecord(prepared.module.graph),
                                    prepared_want.at("graph"), "graph");
  if (!difference && record.values_known) {
    // A QAT record may have failed on the test input alone, which comes later.
    const auto failure = CalibrateWithBounds(record, prepared, bounds, report, &trained);
    if (failure || !record.is_qat) difference = CompareFailure(failure, want);
    if (!difference) {
      difference =
          CompareTrainedModules(prepared, prepared_want.at("modules"), trained, report);
    }
    if (!difference) {
      difference =
          CompareObservers(prepared, prepared_want.at("observers"), bounds, report);
    }
  }
  // The graphs are those of torch's observations, so that they can be compared exactly.
  const auto has_graph = [&want](const char* stage) {
    return want.contains(stage) && want.at(stage).contains("graph");
  };
  std::optional<Difference> trained_state;
  if (!difference && record.is_qat && record.values_known) {
    const bool has_reference = has_graph("reference");
    trained_state = TakeTrainedState(
        prepared, prepared_want.at("modules"),
        has_reference ? want.at("reference") : ordered_json::object(), trained, report);
    if (!trained_state) {
      TakeTrainedRanges(prepared, prepared_want.at("observers"), bounds);
      difference = CompareEvaluated(record, prepared, prepared_want, bounds,
                                    has_reference ? nullptr : &trained, report);
    }
  }
  const bool prepared_equal = !difference;
  report.Add("prepared", std::move(difference));
  if (!record.values_known && record.is_qat) return;
  if (prepared_equal && record.is_qat && has_graph("reference")) {
    auto state = std::move(trained_state);
    if (!state)
      state = TakeEvaluatedQparams(prepared, want.at("reference"), bounds, report);
    if (state) {
      report.Add("reference", std::move(state));
      return;
    }
  } else if (prepared_equal) {
    TakeRecordedQparams(prepared, prepared_want.at("observers"));
    const char* stage = has_graph("reference") ? "reference" : "decomposed";
    if (has_graph(stage)) {
      auto state = TakeStandaloneQparams(prepared.module, want.at(stage), bounds, report);
      if (!state)
        state = TakeInnerQparams(prepared.module, want.at(stage), bounds, report);
      if (state) {
        report.Add(stage, std::move(state));
        return;
      }
    }
  }

  // A model whose training failed has met the test input in training, too.
  SetTraining(*prepared.module.root, false);
  for (const char* stage : {"reference", "decomposed"}) {
    if (!Holds(want, stage)) continue;
    ConvertOptions convert_options;
    convert_options.is_decomposed = std::string(stage) == "decomposed";
    convert_options.qconfig_mapping = record.convert_mapping;
    convert_options.custom_config = record.convert_custom_config;
    AddQuantizableConversions(convert_options);
    std::optional<Difference> result;
    if (want.at(stage).contains("error")) {
      error = FailureOf([&] { ConvertToReference(prepared, convert_options); });
      report.Add(stage, CompareErrors(error, want.at(stage).at("error")));
      continue;
    }
    error = FailureOf([&] {
      const GraphModule converted = ConvertToReference(prepared, convert_options);
      result = CompareConverted(record, converted, want.at(stage), false, report);
    });
    report.Add(stage, error ? UnexpectedError(*error) : std::move(result));
  }
  if (Holds(want, "lowered")) {
    ConvertOptions convert_options;
    convert_options.qconfig_mapping = record.convert_mapping;
    convert_options.custom_config = record.convert_custom_config;
    CompareLowered(record, prepared, convert_options, want.at("lowered"), report);
  }
  if (wants_error) report.Add("error", CompareErrors(error, want.at("error")));
}

}  // namespace

RecordReport CompareFxRecord(const ordered_json& want, const std::string& where) {
  FxRecord record = FxRecordFromJson(want, where);
  RecordReport report(record.name);
  NameUnknownStages(want, report);
  if (const auto why = WhyValuesAreUnknown(record, want.at("float"))) {
    record.values_known = false;
    report.LeaveValuesOut(*why);
  }
  CompareStages(record, want, report);
  NameStagesLeft(want, report);
  return report;
}

}  // namespace qconform::parity
