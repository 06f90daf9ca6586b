// kill_table [SABOTEUR...]: each of these or every saboteur, the suites that kill it, by
// how many cases, and whether uniform data alone would have; then what each fill kills of
// the faults that stand for public cases, and how many of them by its data: the same case
// with uniform data passes. Last line: killed N of M, of how many if some were chosen.
// Exit code 1 unless all are killed by the smoke tier, with their own verdict and cause,
// what is sound passes everything, and every trap kills. kill_table --record FILE: every
// saboteur, and FILE becomes a KillRecord.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>
#include <iostream>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/cases/suite_cases.h"
#include "conformance/contract/answer_difference.h"
#include "conformance/contract/pipeline_cases.h"
#include "conformance/saboteurs/fill_tally.h"
#include "conformance/saboteurs/pipeline_fault.h"
#include "conformance/verdict/kill_record.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"

namespace {

using namespace qconform;

// How many cases of a suite killed.
using Killers = std::map<std::string, int>;

struct Tally {
  size_t killed = 0;
  size_t faults = 0;
  size_t unsound = 0;  // sound ones that do not pass
  size_t objections = 0;

  bool complete() const { return killed == faults && unsound == 0 && objections == 0; }

  void Line(const std::string& name, bool sound, const Killers& killers,
            const std::string& uniform, const std::string& number = "",
            const std::string& objection = "") {
    objections += objection.empty() ? 0 : 1;
    std::string text;
    int cases = 0;
    for (const auto& [suite, count] : killers) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", suite, count);
      cases += count;
    }
    const char* fate = sound ? (cases == 0 ? "sound" : "SOUND, BUT KILLED")
                             : (cases == 0 ? "SURVIVES" : "killed");
    std::cout << fmt::format("{:<32} {:<4} {:<8} {:>4}  {:<7}  {}\n", name, number, fate,
                             cases, cases == 0 ? "" : uniform, text);
    if (!objection.empty()) std::cout << "  expected otherwise: " << objection << "\n";
    std::cout << std::flush;
    if (sound) {
      unsound += cases == 0 ? 0 : 1;
    } else {
      ++faults;
      killed += cases == 0 ? 0 : 1;
    }
  }
};

KillRecord RecordOfSuites() {
  KillRecord record;
  record.tool = std::string("qconform ") + QCONFORM_VERSION;
  const std::string folder = std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites";
  for (const std::string& suite : SuiteNames(folder))
    record.suites[suite] = Sha256HexOfFile(SuiteFile(suite, folder));
  return record;
}

// Also if a golden or the contract had to help out.
std::string Objection(const KernelFault& fault, const SessionResult& result,
                      const Killers& killers, const KillRecord& suites) {
  const std::string objection = KillObjection(fault, result);
  if (!objection.empty() || fault.sound()) return objection;
  for (const auto& [suite, count] : killers)
    if (suites.suites.contains(suite)) return "";
  return "no suite's smoke tier kills it";
}

// On all saboteurs in turn, several at once and the next ones ahead of time.
class RunsAhead {
 public:
  explicit RunsAhead(std::vector<KernelFault> faults) : faults_(std::move(faults)) {
    KillCases();  // built by one thread
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
      Start();
  }
  const std::vector<KernelFault>& faults() const { return faults_; }
  SessionResult Next() {
    SessionResult result = running_.front().get();
    running_.pop_front();
    Start();
    return result;
  }

 private:
  void Start() {
    if (started_ == faults_.size()) return;
    running_.push_back(
        std::async(std::launch::async, RunSaboteur, faults_[started_++], Patience::kAll));
  }

  std::vector<KernelFault> faults_;
  size_t started_ = 0;
  std::deque<std::future<SessionResult>> running_;
};

void TallyKernels(const std::set<std::string>& chosen, Tally& tally, FillTally& fills,
                  KillRecord& record_of_kills) {
  std::vector<KernelFault> faults;
  for (const KernelFault& fault : KernelFaults())
    if (chosen.empty() || chosen.contains(fault.name)) faults.push_back(fault);
  RunsAhead runs(std::move(faults));
  for (const KernelFault& fault : runs.faults()) {
    Killers killers;
    bool by_uniform = false;
    const SessionResult result = runs.Next();
    for (const CaseRecord& record : result.records) {
      if (!IsFailed(record)) continue;
      ++killers[record.suite];
      by_uniform |= record.fill == "uniform";
    }
    if (!fault.sound()) {
      std::set<std::string>& suites = record_of_kills.killers[fault.name];
      for (const auto& [suite, count] : killers) suites.insert(suite);
    }
    if (!fault.number.empty()) {
      PlainRuns plain(fault);
      fills.Add(fault, result.records,
                [&plain](const std::string& id) { return plain.Pass(id); });
    }
    tally.Line(fault.name, fault.sound(), killers, by_uniform ? "yes" : "no",
               std::string(fault.number),
               Objection(fault, result, killers, record_of_kills));
  }
}

// No data are involved: a pipeline's answer is a graph.
void TallyPipelines(const std::set<std::string>& chosen, Tally& tally) {
  const JsonFile file = JsonFile::Read(std::string(QCONFORM_SOURCE_DIR) +
                                       "/conformance/contract/bounds.json");
  const auto config =
      std::make_shared<const BackendConfig>(BackendConfigFromJson(file.root(), file));
  const std::vector<ContractCase> cases = ExpandContract(*config);
  std::vector<PipelineAnswer> want;
  for (const ContractCase& c : cases)
    want.push_back(AnswerByReference(RequestOf(c, config, Mode::kTorch)));
  for (const PipelineFault& fault : PipelineFaults()) {
    const bool sound = std::string(fault.name) == "none";
    const std::string name = std::string("pipeline_") + fault.name;
    if (!chosen.empty() && !chosen.contains(name)) continue;
    const auto faulty = FaultyConfig(fault, *config);
    Killers killers;
    for (size_t i = 0; i < cases.size(); ++i) {
      PipelineRequest request = RequestOf(cases[i], config, Mode::kTorch);
      request.config = faulty;
      if (FindAnswerDifference(want[i], AnswerWithFault(fault, std::move(request))))
        ++killers["contract"];
    }
    tally.Line(name, sound, killers, "no data");
  }
}

std::set<std::string> AllNames() {
  std::set<std::string> names;
  for (const KernelFault& fault : KernelFaults()) names.insert(fault.name);
  for (const PipelineFault& fault : PipelineFaults())
    names.insert(std::string("pipeline_") + fault.name);
  return names;
}

// How many faults of public cases each fill would have killed alone, and how many of them
// no plain data would have in the same case.
bool PrintFills(const FillTally& fills) {
  std::cout << "\nfill               kills alone  by its data  such as\n";
  for (const auto& [fill, kills] : fills.kills()) {
    std::cout << fmt::format(
        "{:<18} {:>11}  {:>11}", fill, kills.all.size(),
        fill == "uniform" ? "-" : fmt::to_string(kills.by_data.size()));
    if (!kills.by_data.empty())
      std::cout << fmt::format("  {} in {}", kills.by_data.begin()->first,
                               kills.by_data.begin()->second);
    std::cout << "\n";
  }
  const std::vector<std::string> idle = fills.IdleTraps();
  for (const std::string& trap : idle)
    std::cout << fmt::format("{:<18} IDLE: it kills nothing\n", trap);
  std::cout << fmt::format("uniform data in their place kill the same: {}\n",
                           fmt::join(fills.ReplaceableTraps(), ", "));
  return idle.empty();
}

}  // namespace

int main(int count, char** words) {
  std::cout << fmt::format("{:<32} {:<4} {:<8} {:>4}  {:<7}  {}\n", "saboteur", "",
                           "fate", "cases", "uniform", "suites");
  const bool records = count == 3 && std::string(words[1]) == "--record";
  const std::set<std::string> chosen(words + (records ? 3 : 1), words + count);
  const std::set<std::string> all = AllNames();
  for (const std::string& name : chosen) {
    if (all.contains(name)) continue;
    std::cerr << "kill_table: '" << name
              << "' is no saboteur, expected names of faults.inc, or pipeline_ and a "
                 "name of pipeline_faults.inc\n";
    return 4;
  }
  Tally tally;
  KillRecord kills = RecordOfSuites();
  FillTally fills;
  TallyKernels(chosen, tally, fills, kills);
  TallyPipelines(chosen, tally);
  if (records) WriteFileAtomically(words[2], KillRecordJson(kills));
  const bool fills_kill = !chosen.empty() || PrintFills(fills);
  std::cout << "killed " << tally.killed << " of " << tally.faults;
  if (!chosen.empty())
    std::cout << ", " << chosen.size() << " of " << all.size() << " saboteurs chosen";
  std::cout << "\n";
  return tally.complete() && fills_kill ? 0 : 1;
}
