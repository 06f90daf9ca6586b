#include "conformance/verdict/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/cases/build_call.h"
#include "conformance/cases/declared_row.h"
#include "conformance/verdict/judge.h"

namespace qconform {
namespace {

// Small operators, one of which nearly every backend has, without their data.
constexpr const char* kProbes[] = {
    "doctor/linear.u8s8u8.per_tensor.bias_f32/m1.k8.n8.zx3.zy5/",
    "doctor/linear.u8s8u8.per_channel.bias_f32/m1.k8.n8.zx3.zy5/",
    "doctor/conv2d.u8s8u8.per_channel.bias_f32/n1.c8.i4x4.o8.k3x3.p1x1.zx3.zy5/",
    "doctor/conv2d.u8s8u8.per_tensor.bias_f32/n1.c8.i4x4.o8.k3x3.p1x1.zx3.zy5/",
    "doctor/linear.s8s8s8.per_tensor.bias_f32/m1.k8.n8.zx3.zy5/",
    "doctor/conv2d.s8s8s8.per_channel.bias_f32/n1.c8.i4x4.o8.k3x3.p1x1.zx3.zy5/",
};

enum class Data { kZeros, kOnes, kRamp };
constexpr std::array<const char*, 3> kDataNames = {"zeros", "ones", "ramp"};

ConformanceCase ProbeCase(const std::string& what, Data data) {
  ConformanceCase probe = BuildCase(RowFromId(what + "uniform"));
  probe.fill = kDataNames[static_cast<size_t>(data)];
  probe.id = what + probe.fill;
  CallTensor& x = *probe.call.inputs[0];
  for (size_t i = 0; i < x.data.size(); ++i) {
    const int64_t zero = x.zero_point[0];
    const int64_t code = data == Data::kRamp
                             ? BoundsOf(x).min + static_cast<int64_t>(i % 256)
                             : zero + (data == Data::kOnes ? 1 : 0);
    x.data[i] = static_cast<std::byte>(code & 0xFF);
  }
  auto want = ReferenceOutputs(probe.call, probe.call.scheme);
  if (want) probe.want = std::move(*want);
  return probe;
}

// "m1.k8.n8" of "doctor/linear.../m1.k8.n8.zx3.zy5/".
std::string ShapeOf(const std::string& what) {
  const size_t begin = what.rfind('/', what.size() - 2) + 1;
  return what.substr(begin, what.find(".zx", begin) - begin);
}

DoctorCheck Declares(const Subject& subject) {
  if (subject.config == nullptr) {
    return {"declares", "no config: nothing is declared, so every refusal is skipped",
            CheckResult::kWarn};
  }
  const auto rows = RowNames(*subject.config);
  const auto strange = RowsWithoutOperator(*subject.config);
  std::string text = fmt::format("{} rows in config", rows.size());
  if (strange.empty()) return {"declares", text};
  text += fmt::format(", {} without any operator that implements it", strange.size());
  std::string numbers;
  for (size_t i = 0; i < rows.size(); ++i)
    if (std::find(strange.begin(), strange.end(), rows[i]) != strange.end())
      numbers += fmt::format("{}{}", numbers.empty() ? "rows " : ", ", i + 1);
  return {"declares", text, CheckResult::kWarn, numbers};
}

// The checks that every run feeds; the first failure of each is kept.
struct RunChecks {
  DoctorCheck runs{"runs", ""};
  DoctorCheck twice{"twice", "same bits on a second call"};
  DoctorCheck threads{"threads", "same bits from two threads at once"};
  DoctorCheck aligned{"aligned", "same bits in memory aligned to its elements only"};
  DoctorCheck bounds{"bounds", "touches nothing beside its tensors and workspace"};
  DoctorCheck quiet{"quiet", "prints nothing"};
  bool all_got_through = true;

  static void Fail(DoctorCheck& check, const CaseRecord& record,
                   const std::string& text) {
    if (check.result == CheckResult::kFail) return;
    check.result = CheckResult::kFail;
    check.text = text;
    check.repro = record.id;
  }

  // Whether the call was made in every way: its numbers may be wrong.
  static bool GotThrough(const CaseRecord& record) {
    return !IsFailed(record) || record.verdict == Verdict::kMistrusted ||
           record.wrong_elements > 0 || record.cause == "prints";
  }

  void Add(const CaseRecord& record) {
    all_got_through = all_got_through && GotThrough(record);
    const std::string what = record.details.empty() ? record.cause : record.details[0];
    if (record.verdict == Verdict::kOutOfBounds) {
      Fail(bounds, record, what);
    } else if (record.cause == "not repeatable") {
      Fail(twice, record, what);
    } else if (record.cause == "two threads") {
      Fail(threads, record, what);
    } else if (record.cause == "misaligned") {
      Fail(aligned, record, what);
    } else if (record.cause == "prints") {
      Fail(quiet, record, what);
    } else if (IsFailed(record) && record.verdict != Verdict::kMistrusted) {
      std::string verdict(VerdictName(record.verdict));
      if (!record.signal.empty()) verdict += "(" + record.signal + ")";
      Fail(runs, record, fmt::format("{} on {}: {}", verdict, record.fill, what));
    }
  }

  std::vector<DoctorCheck> OfMemory() const {
    std::vector<DoctorCheck> checks = {twice, threads, aligned, bounds, quiet};
    for (DoctorCheck& check : checks) {
      if (all_got_through || check.result != CheckResult::kOk) continue;
      check.result = CheckResult::kNotRun;
      check.text = "the calls end before it";
    }
    return checks;
  }
};

}  // namespace

std::optional<CaseSource> DoctorCase(const std::string& id) {
  const size_t cut = id.rfind('/') + 1;
  const std::string what = id.substr(0, cut);
  for (size_t data = 0; data < kDataNames.size(); ++data) {
    if (!id.starts_with("doctor/") || id.substr(cut) != kDataNames[data]) continue;
    return CaseSource{id, what, [what, data](const Subject& subject) {
                        return RunOperatorCase(ProbeCase(what, static_cast<Data>(data)),
                                               subject);
                      }};
  }
  return std::nullopt;
}

std::vector<DoctorCheck> Examine(const Subject& subject) {
  std::vector<DoctorCheck> checks = {Declares(subject)};
  std::string refusal;
  for (const char* id : kProbes) {
    RunChecks run;
    bool refused = false;
    for (const Data data : {Data::kZeros, Data::kOnes, Data::kRamp}) {
      const CaseRecord record = RunOperatorCase(ProbeCase(id, data), subject);
      refused = record.verdict == Verdict::kRefused && record.row.empty();
      if (refused) {
        if (refusal.empty()) refusal = record.reason;
        break;
      }
      run.Add(record);
      if (record.verdict == Verdict::kRefused) break;
    }
    if (refused) continue;
    if (run.runs.text.empty()) {
      const SuiteRow row = RowFromId(std::string(id) + "uniform");
      run.runs.text = fmt::format("{} {}*{}->{} {} on zeros, ones, ramp",
                                  row.operator_name, AbiDTypeName(row.x),
                                  AbiDTypeName(row.w), AbiDTypeName(row.y), ShapeOf(id));
    }
    checks.push_back(run.runs);
    if (subject.worker.SharesMemory()) {
      for (const DoctorCheck& check : run.OfMemory()) checks.push_back(check);
    }
    return checks;
  }
  checks.push_back(
      {"runs", "none of the small operators tried: " + refusal, CheckResult::kWarn});
  return checks;
}

}  // namespace qconform
