#include "bench/peers/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>

#include "bench/expected_codes.h"
#include "bench/layer_call.h"
#include "bench/peak.h"
#include "bench/peers/copy_meter.h"
#include "bench/peers/signed_call.h"
#include "bench/planned_call.h"
#include "bench/suite.h"
#include "bench/turn.h"
#include "conformance/host/plugin.h"
#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

using Codes = std::vector<std::byte>;

struct Subject {
  std::unique_ptr<Plugin> plugin;
  bool peer = true;
  // By suite and layer: why its output is wrong with weights of 7 bits, or empty.
  std::map<std::string, std::string> narrow_verdict;
};

void CountWrong(const Codes& codes, const Codes& expected, bool is_signed,
                SubjectResult& result) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == expected[i]) continue;
    ++result.wrong;
    const int a = is_signed ? static_cast<int8_t>(codes[i]) : static_cast<int>(codes[i]);
    const int b =
        is_signed ? static_cast<int8_t>(expected[i]) : static_cast<int>(expected[i]);
    result.far += std::abs(a - b) > 1 ? 1 : 0;
  }
}

// A planned call, and where it is not the layer's own the one that it is of.
struct Planned {
  std::unique_ptr<OperatorCall> signed_call;
  std::unique_ptr<PlannedCall> call;
};

// Plans, runs once and compares. A peer that refuses u8 codes is given the same layer in
// s8 codes. Throws std::runtime_error where it does not run.
Planned PlanAndCheck(const Subject& subject, const OperatorCall& call,
                     const Codes& expected, int threads, SubjectResult& result) {
  Planned planned;
  const qc_backend& backend = subject.plugin->table();
  try {
    planned.call = std::make_unique<PlannedCall>(backend, call, threads);
  } catch (const std::runtime_error&) {
    if (!subject.peer || !HasSignedCall(call)) throw;
    planned.signed_call = std::make_unique<OperatorCall>(SignedCall(call));
    try {
      planned.call =
          std::make_unique<PlannedCall>(backend, *planned.signed_call, threads);
      result.is_signed = true;
    } catch (const std::runtime_error&) {
    }
    // What is against the layer itself says more.
    if (!planned.call) throw;
  }
  result.path = planned.call->path();
  if (planned.call->Run() != QC_OK) throw std::runtime_error("run failed");
  Codes codes = planned.call->Output();
  if (result.is_signed) ShiftCodes(codes);
  CountWrong(codes, expected, call.outputs[0].dtype == QC_S8, result);
  return planned;
}

// Whether wrong codes come of 16-bit sums only, which weights of 7 bits cannot overflow.
const std::string& NarrowVerdict(Subject& subject, const std::string& key,
                                 const Layer& layer) {
  const auto found = subject.narrow_verdict.find(key);
  if (found != subject.narrow_verdict.end()) return found->second;
  const OperatorCall call = MakeLayerCall(layer, {.batch = 1, .weight_bits = 7});
  SubjectResult result;
  std::string verdict;
  try {
    PlanAndCheck(subject, call, ExpectedCodes(call), 1, result);
    if (result.far > 0) {
      verdict = fmt::format("wrong with weights of 7 bits: {} of {} codes", result.far,
                            call.outputs[0].data.size());
    }
  } catch (const std::exception& error) {
    verdict = error.what();
  }
  return subject.narrow_verdict[key] = verdict;
}

int64_t BytesMoved(const OperatorCall& call) {
  size_t bytes = call.outputs[0].byte_size();
  for (const auto& input : call.inputs) bytes += input ? input->byte_size() : 0;
  return static_cast<int64_t>(bytes);
}

void RunOrThrow(PlannedCall& planned) {
  if (planned.Run() != QC_OK) throw std::runtime_error("a timed run failed");
}

// Rounds of one repetition each, in turn; each round begins with another subject.
void TimeInTurns(std::vector<Planned>& planned, int rounds, PeakMeter& meter,
                 ComparisonRow& row, int64_t bytes) {
  CopyMeter copy(bytes, row.threads);
  CopyMeter copy_of_one(bytes, 1);
  std::vector<Turn> turns;
  std::vector<std::vector<double>*> times;
  std::vector<double> copies;
  for (size_t i = 0; i < planned.size(); ++i) {
    if (!planned[i].call) continue;
    PlannedCall& call = *planned[i].call;
    turns.emplace_back([&call] { RunOrThrow(call); });
    times.push_back(&row.subjects[i].seconds);
  }
  // One thread may be the faster: then the other had to wait, for its turn or its cache.
  turns.emplace_back([&copy] { copy.Run(); });
  turns.emplace_back([&copy_of_one] { copy_of_one.Run(); });
  times.insert(times.end(), 2, &copies);
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < turns.size(); ++i) {
      const size_t turn = (i + static_cast<size_t>(round)) % turns.size();
      times[turn]->push_back(turns[turn].Take());
      meter.Sample();
    }
  }
  row.copy_seconds = *std::min_element(copies.begin(), copies.end());
  row.peak_seconds =
      static_cast<double>(row.layer.Macs() * row.batch) / (meter.best() * 1e9);
}

void CompareRow(std::vector<Subject>& subjects, const OperatorCall& call,
                const Codes& expected, int rounds, PeakMeter& meter, Comparison& result,
                ComparisonRow row) {
  const std::string key = row.suite + "/" + row.layer.name;
  std::vector<Planned> planned(subjects.size());
  row.codes = static_cast<int64_t>(expected.size());
  row.subjects.resize(subjects.size());
  for (size_t i = 0; i < subjects.size(); ++i) {
    SubjectResult& own = row.subjects[i];
    try {
      planned[i] = PlanAndCheck(subjects[i], call, expected, row.threads, own);
      if (!subjects[i].peer && own.wrong > 0) {
        own.refusal = fmt::format("{} of {} codes wrong", own.wrong, expected.size());
      }
      if (subjects[i].peer && own.far > 0) {
        own.refusal = row.layer.Multiplies()
                          ? NarrowVerdict(subjects[i], key, row.layer)
                          : fmt::format("{} of {} codes wrong", own.far, expected.size());
      }
    } catch (const std::exception& error) {
      own.refusal = error.what();
      own.declined = true;
      result.refused += subjects[i].peer ? 1 : 0;
    }
    if (!own.timed()) planned[i] = {};
  }
  if (!row.subjects[0].timed()) ++result.wrong;
  TimeInTurns(planned, rounds, meter, row, BytesMoved(call));
  // What was right once must still be right after the timing.
  if (planned[0].call) {
    SubjectResult after;
    CountWrong(planned[0].call->Output(), expected, call.outputs[0].dtype == QC_S8,
               after);
    if (after.wrong > 0) {
      row.subjects[0].refusal = fmt::format("{} codes changed", after.wrong);
      ++result.wrong;
    }
  }
  result.rows.push_back(std::move(row));
}

std::string ForcedPath() {
  const char* forced = std::getenv("QCONFORM_ISA");
  const std::vector<std::string> paths = PeakPaths();
  if (paths.empty()) throw InputError("bench", "no path on this CPU", "at least sse41");
  const std::string path =
      forced == nullptr || *forced == '\0' ? paths.back() : std::string(forced);
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) {
    throw InputError("QCONFORM_ISA", "'" + path + "'",
                     fmt::format("{}", fmt::join(paths, ", ")));
  }
  setenv("QCONFORM_ISA", path.c_str(), 1);
  return path;
}

}  // namespace

double SubjectResult::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

double SubjectResult::shortest() const {
  return *std::min_element(seconds.begin(), seconds.end());
}

double ComparisonRow::bound_seconds() const {
  return std::max(peak_seconds, copy_seconds);
}

std::string ClassOf(const Layer& layer) {
  switch (layer.kind) {
    case LayerKind::kConv:
      return layer.IsDepthwise() ? "depthwise" : "conv";
    case LayerKind::kLinear:
    case LayerKind::kMatmul:
      return "GEMM";
    case LayerKind::kMaxPool:
    case LayerKind::kAveragePool:
      return "pooling";
    case LayerKind::kSoftmax:
    case LayerKind::kLayerNorm:
      return "normalize";
    case LayerKind::kAdd:
    case LayerKind::kGelu:
      break;
  }
  return "elementwise";
}

Comparison Compare(const ComparisonOptions& options,
                   const std::function<void(const Comparison&)>& row_done) {
  Comparison result;
  result.path = ForcedPath();
  std::vector<Subject> subjects;
  std::vector<std::filesystem::path> files = options.peers;
  files.insert(files.begin(), options.backend);
  for (const std::filesystem::path& file : files) {
    Subject subject;
    subject.plugin = std::make_unique<Plugin>(file);
    subject.peer = !subjects.empty();
    result.names.emplace_back(subject.plugin->table().name);
    result.versions.emplace_back(subject.plugin->table().version);
    subjects.push_back(std::move(subject));
  }
  std::map<int, PeakMeter> meters;
  for (const int threads : options.threads) {
    if (threads < 1 || threads > 1024) {
      throw InputError("--thread-counts", std::to_string(threads), "1 to 1024");
    }
    meters.emplace(threads, PeakMeter(result.path, threads));
  }
  for (const std::string& suite : options.suites) {
    const std::vector<Layer> layers = ReadShapeTable(SuiteFile(suite));
    const std::string name = std::filesystem::path(suite).stem().string();
    for (const int64_t batch : options.batches) {
      if (batch < 1) throw InputError("--batches", std::to_string(batch), "at least 1");
      for (const Layer& layer : layers) {
        const OperatorCall call = MakeLayerCall(layer, {.batch = batch});
        const Codes expected = ExpectedCodes(call);
        for (const int threads : options.threads) {
          ComparisonRow row;
          row.suite = name;
          row.batch = batch;
          row.threads = threads;
          row.layer = layer;
          CompareRow(subjects, call, expected, options.rounds, meters.at(threads), result,
                     std::move(row));
          row_done(result);
        }
      }
    }
  }
  return result;
}

}  // namespace qconform::bench
