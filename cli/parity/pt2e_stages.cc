#include "cli/parity/pt2e_stages.h"

#include <set>

#include "cli/parity/error_bound.h"
#include "cli/parity/failure.h"
#include "cli/parity/fx_stages.h"
#include "cli/parity/json_difference.h"
#include "cli/parity/pt2e_annotations.h"
#include "cli/parity/pt2e_quantizer.h"
#include "cli/parity/pt2e_record.h"
#include "cli/parity/pt2e_replay.h"
#include "cli/parity/pt2e_sources.h"
#include "cli/parity/pt2e_training.h"
#include "cli/parity/record_json.h"
#include "reference/pt2e/convert_pt2e.h"
#include "reference/pt2e/exported_mode.h"
#include "reference/pt2e/insert_program_observers.h"
#include "reference/pt2e/qat_batch_norm.h"

namespace qconform::parity {
namespace {

constexpr size_t kTrainSteps = 2;

// Quantize and dequantize nodes, as the records count them.
ordered_json CountsOf(const Graph& graph) {
  int quantize = 0;
  int dequantize = 0;
  int choose = 0;
  for (const Node& node : graph.nodes()) {
    const std::string& target = node.target();
    quantize += target.starts_with("quantized_decomposed.quantize_");
    dequantize += target.starts_with("quantized_decomposed.dequantize_");
    choose += target.starts_with("quantized_decomposed.choose_qparams");
  }
  return {{"quantize", quantize},
          {"dequantize", dequantize},
          {"choose_qparams", choose},
          {"total_q_dq", quantize + dequantize}};
}

// A program returns a tuple; what torch.export makes of it a single value where the model
// did.
void ReturnTheOnlyOutput(Graph& graph) {
  Node* output = graph.OutputNode();
  const Sequence* values = output->args().at(0).As<Sequence>();
  if (values != nullptr && values->items.size() == 1) {
    output->set_args({Argument(values->items[0])});
  }
}

class Comparison {
 public:
  Comparison(const ordered_json& want, const std::string& where)
      : want_(want),
        where_(where),
        record_(Pt2eRecordFromJson(want, where)),
        report_(record_.name) {}

  RecordReport Run() {
    NameUnknownStages();
    if (want_.contains("error")) {
      CompareError();
      return std::move(report_);
    }
    PreparedProgram prepared;
    const auto error = FailureOf([&] { prepared = Prepare(); });
    if (error) {
      report_.Add("annotations", Difference{"", *error, "ok"});
      return std::move(report_);
    }
    auto annotated =
        FirstDifference(annotated_graph_, want_.at("annotated_graph"), "annotated_graph");
    if (!annotated) {
      annotated =
          FirstDifference(AnnotationsToRecord(prepared.program, prepared.annotations),
                          want_.at("annotations"), "annotations");
    }
    report_.Add("annotations", annotated);
    report_.Add("groups",
                FirstDifference(GroupsToRecord(prepared.groups), want_.at("groups")));
    CompareCalibrated(std::move(prepared));
    return std::move(report_);
  }

 private:
  void NameUnknownStages() {
    static const std::set<std::string> known = {"name",
                                                "kind",
                                                "export_strict",
                                                "note",
                                                "seed",
                                                "quantizer",
                                                "warnings",
                                                "calibration_inputs",
                                                "test_input",
                                                "float",
                                                "result",
                                                "error",
                                                "annotated_graph",
                                                "attrs",
                                                "annotations",
                                                "groups",
                                                "prepared",
                                                "converted",
                                                "converted_nofold"};
    for (const auto& [key, value] : want_.items()) {
      if (known.count(key) == 0) report_.NotCompared(key, "unknown stage");
    }
    if (want_.contains("warnings") && !want_.at("warnings").empty()) {
      report_.NotCompared("warnings",
                          "records do not hold the settings that were refused");
    }
  }

  // By the kind alone.
  void CompareError() {
    const std::string kind = want_.at("error").at("type").get<std::string>();
    if (QuantizerOfRecord(want_.at("quantizer"), where_) == nullptr) {
      report_.NotCompared("error",
                          "the quantizer is its author's, and the record ends in it");
      return;
    }
    const auto error = FailureOf([&] { Prepare(); });
    if (error && error->starts_with(kind + ":")) {
      report_.Add("error", std::nullopt);
    } else {
      report_.Add("error", Difference{"error", error.value_or("no error"), kind});
    }
  }

  // With the quantizer that the record names; where its author wrote one, what it did is
  // repeated.
  PreparedProgram Prepare() {
    const auto quantizer = QuantizerOfRecord(want_.at("quantizer"), where_);
    if (quantizer == nullptr) return Replay();
    ExportedProgram program = ProgramFromRecord(want_, where_);
    AddSourceMetadata(program);
    WatchedQuantizer watched(*quantizer);
    PreparedProgram prepared = record_.is_qat
                                   ? PrepareQatPt2e(std::move(program), watched)
                                   : PreparePt2e(std::move(program), watched);
    annotated_graph_ = watched.annotated_graph();
    return prepared;
  }

  // Annotations of a model with batch norms in training are those after the rewrite.
  PreparedProgram Replay() {
    ReplayQuantizer replay(want_, where_);
    WatchedQuantizer quantizer(replay);
    ExportedProgram program = ProgramFromRecord(want_, where_);
    PreparedProgram prepared;
    if (!record_.is_qat) {
      prepared = PreparePt2e(std::move(program), quantizer);
      annotated_graph_ = quantizer.annotated_graph();
      return prepared;
    }
    prepared.is_qat = true;
    prepared.program = std::move(program);
    ScaleWeightsOfBatchNorms(prepared.program, prepared.annotations, Mode::kTorch);
    annotated_graph_ = GraphToRecord(prepared.program.module.graph);
    replay.Annotate(prepared.program, prepared.annotations);
    prepared.groups = SharingGroups(prepared.program, prepared.annotations);
    InsertProgramObservers(prepared.program, prepared.annotations,
                           MakeGroupObservers(prepared.groups, true, Mode::kTorch));
    return prepared;
  }

  void CompareCalibrated(PreparedProgram prepared) {
    const ordered_json& want = want_.at("prepared");
    // The comparisons of the other dialect look at graph and modules alone.
    Prepared view;
    view.module = std::move(prepared.program.module);
    ObserverBounds bounds;
    TrainedErrors trained;
    Calibrate(view, bounds, trained);
    prepared.program.module = std::move(view.module);
    if (record_.is_qat) MoveToEvaluation(prepared.program);
    auto difference = FirstDifference(GraphToRecord(prepared.program.module.graph),
                                      want.at("graph"), "graph");
    view.module = std::move(prepared.program.module);
    if (!difference) {
      difference = CompareObservers(view, want.at("observers"), bounds, report_);
    }
    if (!difference && record_.is_qat) {
      difference = CompareTrained(view, want, bounds, trained);
    } else if (!difference) {
      TakeRecordedQparams(view, want.at("observers"));
    }
    const bool equal = !difference;
    report_.Add("prepared", std::move(difference));
    if (!equal) return;
    prepared.program.module = std::move(view.module);
    CompareConversion("converted", std::move(prepared));
    CompareConversion("converted_nofold", PrepareAgain());
  }

  // What training left; from there on as in the record. Records then ran the test input
  // once more before they folded, observers and all.
  std::optional<Difference> CompareTrained(Prepared& view, const ordered_json& want,
                                           ObserverBounds& bounds,
                                           TrainedErrors& trained) {
    if (auto difference = TakeTrainedAttributes(view.module, want, trained, report_)) {
      return difference;
    }
    TakeTrainedRanges(view, want.at("observers"), bounds);
    BoundedValues values(view.module, Registry::BuiltIn());
    values.set_unbounded_sink(
        [&](const std::string& operation) { report_.WithoutBound(operation); });
    Node* returned = view.module.graph.OutputNode();
    const std::vector<Argument> tuple = returned->args();
    ReturnTheOnlyOutput(view.module.graph);
    const auto output = values.Run(record_.test_input);
    returned->set_args(tuple);
    return CompareValue("output", output->value, output->error, want.at("output"),
                        report_);
  }

  void Calibrate(Prepared& view, ObserverBounds& bounds, TrainedErrors& trained) {
    const size_t batches = record_.is_qat
                               ? std::min(kTrainSteps, record_.calibration_inputs.size())
                               : record_.calibration_inputs.size();
    for (size_t batch = 0; batch < batches; ++batch) {
      BoundedValues values(view.module, Registry::BuiltIn(), &trained);
      values.set_observer_sink([&](const Module& observer, double error) {
        ObserverBound& bound = bounds[&observer];
        bound.value = std::max(bound.value, error);
      });
      values.set_unbounded_sink(
          [&](const std::string& operation) { report_.WithoutBound(operation); });
      values.Run(record_.calibration_inputs[batch]);
    }
  }

  // Converting takes a program over.
  PreparedProgram PrepareAgain() {
    PreparedProgram prepared = Prepare();
    if (record_.is_qat) MoveToEvaluation(prepared.program);
    Prepared view;
    view.module = std::move(prepared.program.module);
    const ordered_json& want = want_.at("prepared");
    TakeRecordedQparams(view, want.at("observers"));
    if (record_.is_qat) TakeAttributes(view.module, want.at("attrs"));
    prepared.program.module = std::move(view.module);
    return prepared;
  }

  void CompareConversion(const std::string& stage, PreparedProgram prepared) {
    const bool fold = stage == "converted";
    ConvertedProgram converted;
    const auto error =
        FailureOf([&] { converted = ConvertPt2e(std::move(prepared), {fold}); });
    if (error) {
      report_.Add(stage, Difference{"", *error, "ok"});
      return;
    }
    GraphModule& module = converted.program.module;
    const ordered_json& want = want_.at(stage);
    auto difference =
        FirstDifference(CountsOf(module.graph), want.at("counts"), "counts");
    if (!difference) {
      difference =
          FirstDifference(GraphToRecord(module.graph), want.at("graph"), "graph");
    }
    if (!difference && fold) {
      difference = FirstDifference(AttributesToRecord(module), want.at("attrs"), "attrs");
    }
    if (!difference && fold) {
      ReturnTheOnlyOutput(module.graph);
      difference = CompareRun(record_.test_input, module, want, report_);
    }
    report_.Add(stage, std::move(difference));
  }

  const ordered_json& want_;
  const std::string where_;
  Pt2eRecord record_;
  RecordReport report_;
  ordered_json annotated_graph_;
};

}  // namespace

RecordReport ComparePt2eRecord(const ordered_json& want, const std::string& where) {
  return Comparison(want, where).Run();
}

}  // namespace qconform::parity
