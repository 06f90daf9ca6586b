#include "bench/model/model_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bench/compare/ratio_interval.h"
#include "bench/peak.h"
#include "bench/turn.h"
#include "conformance/host/fold_clamps.h"
#include "conformance/host/planned_program.h"
#include "conformance/host/program_runner.h"
#include "reference/onnx/export_program.h"

namespace qconform::bench {
namespace {

std::vector<const Tensor*> Pointers(const std::vector<Tensor>& tensors) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
  return pointers;
}

bool SameBytes(const Tensor& a, const Tensor& b) {
  return a.byte_size() == b.byte_size() &&
         std::memcmp(a.bytes(), b.bytes(), a.byte_size()) == 0;
}

// The first value that is not the definition's, in words; empty if there is none.
std::string FirstDifference(const BenchModel& model, const Program& program,
                            PlannedProgram& planned,
                            const std::vector<Tensor>& expected) {
  std::string difference;
  planned.Run(Pointers(model.inputs), [&](size_t step) {
    if (!difference.empty()) return;
    for (const int index : OutputsOf(program.steps[step])) {
      const Tensor value = planned.Value(index);
      const Tensor& want = expected[static_cast<size_t>(index)];
      if (SameBytes(value, want)) continue;
      int64_t wrong = 0;
      for (int64_t i = 0; i < value.numel(); ++i)
        wrong += value.ValueAt(i) != want.ValueAt(i) ? 1 : 0;
      difference =
          fmt::format("{} of {} elements of {} differ from the definition", wrong,
                      value.numel(), program.values[static_cast<size_t>(index)].name);
      return;
    }
  });
  return difference;
}

// What one code of an output is worth: the scale of what it was dequantized from, or 1 of
// codes; 0 of real values.
double UnitOf(const Program& program, int output) {
  const ProgramValue& value = program.values[static_cast<size_t>(output)];
  if (value.quantization) return 1;
  for (const ProgramStep& step : program.steps) {
    const auto* op = std::get_if<ProgramOperator>(&step);
    if (op == nullptr || op->kind != QC_DEQUANTIZE || op->outputs[0] != output) continue;
    const auto& from = program.values[static_cast<size_t>(op->inputs[0])].quantization;
    return from && from->axis < 0 ? from->scale[0] : 0;
  }
  return 0;
}

void CountWrong(const BenchModel& model, const std::vector<Tensor>& outputs,
                const std::vector<Tensor>& expected, ModelSubject& subject) {
  for (size_t o = 0; o < outputs.size(); ++o) {
    const int index = model.program.outputs[o];
    const Tensor& want = expected[static_cast<size_t>(index)];
    const double unit = UnitOf(model.program, index);
    for (int64_t i = 0; i < want.numel(); ++i) {
      const double difference = std::abs(outputs[o].ValueAt(i) - want.ValueAt(i));
      if (difference == 0) continue;
      ++subject.wrong;
      subject.furthest = std::max(subject.furthest, difference);
      const int64_t codes = unit > 0 ? std::llround(difference / unit) : 0;
      subject.far += codes > 1 ? 1 : 0;
      subject.furthest_code = std::max(subject.furthest_code, codes);
    }
  }
}

std::string KindOf(const Program& program, const ProgramStep& step,
                   const std::string& name) {
  const auto* op = std::get_if<ProgramOperator>(&step);
  if (op == nullptr || op->kind != QC_CONV) return name;
  const Shape& weight = program.values[static_cast<size_t>(op->inputs[1])].shape;
  std::string window;
  for (size_t d = 2; d < weight.size(); ++d)
    window += (window.empty() ? "" : "x") + std::to_string(weight[d]);
  const bool depthwise = op->attributes.groups > 1 && weight[1] == 1;
  return (depthwise ? "depthwise " : name + " ") + window;
}

// Medians over some runs, apart from the timed ones: the clock is asked at every step.
std::vector<KindTime> TimeKinds(const BenchModel& model, const Program& program,
                                PlannedProgram& planned) {
  constexpr int kRuns = 7;
  const size_t steps = program.steps.size();
  std::vector<std::vector<double>> seconds(steps);
  const std::vector<const Tensor*> inputs = Pointers(model.inputs);
  for (int run = 0; run < kRuns; ++run) {
    auto start = std::chrono::steady_clock::now();
    planned.Run(inputs, [&](size_t step) {
      const auto stop = std::chrono::steady_clock::now();
      seconds[step].push_back(std::chrono::duration<double>(stop - start).count());
      start = std::chrono::steady_clock::now();
    });
  }
  std::map<std::string, KindTime> kinds;
  for (size_t s = 0; s < steps; ++s) {
    if (planned.OwnerOf(s) == StepOwner::kView) continue;
    const std::string name = KindOf(program, program.steps[s], planned.StepName(s));
    KindTime& kind = kinds[name];
    kind.kind = name;
    kind.steps += 1;
    kind.seconds += Median(seconds[s]);
    kind.reference = kind.reference || planned.OwnerOf(s) != StepOwner::kBackend;
  }
  std::vector<KindTime> sorted;
  for (const auto& [name, kind] : kinds) sorted.push_back(kind);
  std::sort(sorted.begin(), sorted.end(),
            [](const KindTime& a, const KindTime& b) { return a.seconds > b.seconds; });
  return sorted;
}

std::unique_ptr<PeerModel> OpenPeer(const BenchModel& model, const OpenPeerModel& open,
                                    int threads, bool exact,
                                    const std::vector<Tensor>& expected,
                                    ModelSubject& peer) {
  peer.name = exact ? "onnxruntime_exact" : "onnxruntime";
  // It chooses its instructions itself.
  const char* forced = std::getenv("QCONFORM_ISA");
  const std::vector<std::string> paths = PeakPaths();
  if (forced != nullptr && *forced != '\0' && (paths.empty() || forced != paths.back())) {
    peer.refusal = fmt::format("onnxruntime cannot be held to {}", forced);
    return nullptr;
  }
  try {
    const OnnxExport onnx = ExportProgram(model.program, model.name, OnnxForm::kQdq);
    auto session = open(onnx.model, threads, exact);
    peer.version = session->version();
    session->Run(Pointers(model.inputs));
    CountWrong(model, session->outputs(), expected, peer);
    return session;
  } catch (const std::runtime_error& error) {
    peer.refusal = error.what();
    return nullptr;
  }
}

void TimeInTurns(const std::vector<std::pair<ModelSubject*, std::function<void()>>>& runs,
                 int rounds) {
  std::vector<Turn> turns;
  for (const auto& [subject, run] : runs) turns.emplace_back(run);
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < turns.size(); ++i) {
      const size_t turn = (i + static_cast<size_t>(round)) % turns.size();
      runs[turn].first->seconds.push_back(turns[turn].Take());
    }
  }
}

}  // namespace

ModelRow CompareModel(const BenchModel& model, const qc_backend& backend, int threads,
                      int rounds, const OpenPeerModel& open_peer) {
  ModelRow row;
  row.model = model.name;
  row.threads = threads;
  row.own.name = backend.name;
  row.own.version = backend.version;
  const Program folded =
      FoldClamps(model.program, [&](const Program& program, const ProgramOperator& step) {
        return BackendAccepts(backend, program, step);
      });
  row.folded = static_cast<int>(model.program.steps.size() - folded.steps.size());
  PlannedProgram planned(folded, backend, threads);
  row.path = planned.path();
  row.backend_steps = planned.Count(StepOwner::kBackend);
  row.reference_steps =
      planned.Count(StepOwner::kDefinition) + planned.Count(StepOwner::kInterpreter);
  row.views = planned.Count(StepOwner::kView);
  row.planned_bytes = planned.storage().planned_bytes();
  row.separate_bytes = planned.storage().separate_bytes();
  const std::vector<Tensor> expected =
      ReferenceProgramValues(model.program, model.inputs, planned.schemes());
  for (const int index : model.program.outputs)
    row.outputs += expected[static_cast<size_t>(index)].numel();
  row.own.refusal = FirstDifference(model, folded, planned, expected);
  const std::vector<std::string> paths = PeakPaths();
  const bool saturates = !paths.empty() && paths.back() != "avx512vnni";
  row.peers.resize(saturates ? 2 : 1);

  const std::vector<const Tensor*> inputs = Pointers(model.inputs);
  std::vector<std::pair<ModelSubject*, std::function<void()>>> runs;
  if (row.own.timed()) runs.emplace_back(&row.own, [&] { planned.Run(inputs); });
  std::vector<std::unique_ptr<PeerModel>> sessions;
  for (size_t i = 0; i < row.peers.size(); ++i) {
    sessions.push_back(
        OpenPeer(model, open_peer, threads, i == 1, expected, row.peers[i]));
    PeerModel* const session = sessions.back().get();
    if (session != nullptr)
      runs.emplace_back(&row.peers[i], [session, &inputs] { session->Run(inputs); });
  }
  TimeInTurns(runs, rounds);
  if (!row.own.timed()) return row;
  // What was right once must still be right after the timing.
  CountWrong(model, planned.Outputs(), expected, row.own);
  if (row.own.wrong > 0)
    row.own.refusal = fmt::format("{} outputs changed in the timed runs", row.own.wrong);
  row.kinds = TimeKinds(model, folded, planned);
  return row;
}

}  // namespace qconform::bench
