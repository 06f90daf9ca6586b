// The stages of the pipeline for one record, each held against what torch left there.
#ifndef QCONFORM_CLI_PARITY_FX_STAGES_H_
#define QCONFORM_CLI_PARITY_FX_STAGES_H_

#include "cli/parity/fx_record.h"
#include "cli/parity/json_difference.h"
#include "cli/parity/part.h"
#include "cli/parity/train_bound.h"
#include "reference/convert/convert.h"
#include "reference/observe/prepare.h"

namespace qconform::parity {

// Compares the stages of a full record; `want` is the record. An error of the pipeline
// is compared with the record's error by its kind.
RecordReport CompareFxRecord(const ordered_json& want, const std::string& where);

// Single stages, also for the light records of fx_matrix.
std::optional<Difference> CompareMatches(const Prepared& prepared,
                                         const ordered_json& want);
std::optional<Difference> CompareNodeQConfigs(const Prepared& prepared,
                                              const ordered_json& want);
std::optional<Difference> CompareObservedNames(const Prepared& prepared,
                                               const ordered_json& want);

// The constraints that torch warned of, as kinds and as often, against those that refused
// a qconfig. The text behind a kind holds Python's addresses and is cut in the records.
std::optional<Difference> CompareWarnings(const Prepared& prepared,
                                          const ordered_json& want);

// Matches and qconfigs of the standalone modules, in graph order.
std::optional<Difference> CompareNestedMatches(const Prepared& prepared,
                                               const ordered_json& want);
// Graph, modules and observers. `bounds` by observer module: how far its statistics may
// lie from torch's. Places that agree only inside their bound become notes.
struct ObserverBound {
  double value = 0;  // of a single observed value
};
using ObserverBounds = std::unordered_map<const Module*, ObserverBound>;
std::optional<Difference> CompareObservers(const Prepared& prepared,
                                           const ordered_json& want,
                                           const ObserverBounds& bounds,
                                           RecordReport& report);

// A calibration that fails must fail in the record, too ("run_error"), with an error of
// the same kind where ours has one.
std::optional<Difference> CompareFailure(const std::optional<std::string>& failure,
                                         const ordered_json& want);

// The observers with the parameters that the record holds: what follows is then exact.
void TakeRecordedQparams(Prepared& prepared, const ordered_json& observers);

// Graph, modules, attributes, codes and output of a converted graph. With `light` the
// modules are those of fx_matrix records.
std::optional<Difference> CompareConverted(const FxRecord& record,
                                           const GraphModule& converted,
                                           const ordered_json& want, bool light,
                                           RecordReport& report);

// The codes of the quantize nodes and the output of a converted graph. After each
// quantize node the record's codes are what the graph goes on with, so that one node's
// deviation does not hide another's.
std::optional<Difference> CompareRun(const std::vector<Value>& test_input,
                                     GraphModule& module, const ordered_json& want,
                                     RecordReport& report);

// The graphs that torch lowered to its native engines, by engine: structure, weights and
// refusals.
void CompareLowered(const FxRecord& record, const Prepared& prepared,
                    const ConvertOptions& options, const ordered_json& want,
                    RecordReport& report);

// Whether a value lies within `error` of a recorded one; places inside it become notes.
std::optional<Difference> CompareValue(const std::string& where, const Value& got,
                                       const Value& error, const ordered_json& want,
                                       RecordReport& report);

// The fake-quantizers with the ranges that the record holds, known exactly from then on.
void TakeTrainedRanges(Prepared& prepared, const ordered_json& observers,
                       ObserverBounds& bounds);

// QAT records ran the test input once more before they converted; its observers went on
// averaging. Repeats that and holds the output, fake-quantized as the model is, against
// the prepared stage's record `want` within its bound. `trained` is what the state of
// modules is known up to, nullptr if exactly.
std::optional<Difference> CompareEvaluated(const FxRecord& record, Prepared& prepared,
                                           const ordered_json& want,
                                           ObserverBounds& bounds, TrainedErrors* trained,
                                           RecordReport& report);

// Holds the parameters after that forward against those of the reference graph within
// their bounds, and takes the recorded ones.
std::optional<Difference> TakeEvaluatedQparams(Prepared& prepared,
                                               const ordered_json& reference,
                                               ObserverBounds& bounds,
                                               RecordReport& report);

// The records hold no observers of standalone modules, only the parameters that they
// gave: held and taken in the same way. (`converted` is the record of the graph around.)
std::optional<Difference> TakeStandaloneQparams(GraphModule& module,
                                                const ordered_json& converted,
                                                ObserverBounds& bounds,
                                                RecordReport& report);

// Runs all calibration batches, two training steps for QAT.
// `trained` receives what the state of modules in training is known up to.
// Returns what a forward failed with; the observers before have seen its values.
std::optional<std::string> CalibrateWithBounds(const FxRecord& record, Prepared& prepared,
                                               ObserverBounds& bounds,
                                               RecordReport& report,
                                               TrainedErrors* trained = nullptr);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_FX_STAGES_H_
