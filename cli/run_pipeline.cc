#include "cli/run_pipeline.h"

#include <algorithm>
#include <iostream>

#include "cli/exit_code.h"
#include "cli/golden_folder.h"
#include "cli/print_ignored.h"
#include "cli/print_run.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/subject_config.h"
#include "conformance/contract/answer_difference.h"
#include "conformance/contract/pipeline_cases.h"
#include "conformance/host/call_target.h"
#include "conformance/verdict/junit.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/sha256.h"
#include "reference/formats/write_file.h"
#include "reference/golden/golden.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr char kPrefix[] = "pipeline:";

// A config's contract and who is asked.
struct PipelineContract {
  std::string origin;  // of the config
  std::string digest;
  std::shared_ptr<const BackendConfig> config;
  std::shared_ptr<PipelineSubject> subject;
  Mode mode = Mode::kTorch;
  NoCallTarget no_target;  // a pipeline is no shared object
  BackendIdentity identity;

  Subject AsSubject() { return {no_target, identity, config.get()}; }
};

PipelineContract OpenContract(const PipelineRunOptions& options) {
  if (options.config.empty()) {
    throw InputError("--backend " + (kPrefix + options.command),
                     "no config says what to ask", "--config with a file or a name");
  }
  const auto declared = ConfigOf(LoadedBackend(), options.config);
  PrintIgnored(declared->ignored);
  PipelineOptions limits;
  limits.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  PipelineContract contract;
  contract.origin = declared->origin;
  contract.digest = declared->digest;
  contract.config = std::make_shared<const BackendConfig>(declared->config);
  contract.subject =
      std::make_shared<PipelineSubject>(options.command, contract.config, limits);
  contract.mode = options.mode == "strict" ? Mode::kStrict : Mode::kTorch;
  contract.identity = IdentityOfCommand(options.command);
  return contract;
}

// What brings a case of this run back, but for its id.
std::string ReproCommand(const PipelineRunOptions& options) {
  std::string text = "qconform repro --backend '" + (kPrefix + options.command) +
                     "' --config " + options.config;
  if (options.mode != "torch") text += " --mode " + options.mode;
  return text;
}

bool IsObserver(const Module& module) {
  return module.type.starts_with("torch.ao.quantization.");
}

bool HasObservers(const GraphModule& graph) {
  return std::any_of(graph.graph.nodes().begin(), graph.graph.nodes().end(),
                     [&](const Node& node) {
                       if (node.op() != Op::kCallModule) return false;
                       const Module* called = graph.ModuleAt(node.target());
                       return called != nullptr && IsObserver(*called);
                     });
}

// Pipelines write down more or less of what an observer holds.
GraphModule WithBareObservers(const GraphModule& graph) {
  GraphModule copy = graph.Clone();
  for (const Node& node : copy.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> called = copy.FindModule(node.target());
    if (called == nullptr || !IsObserver(*called)) continue;
    called->attributes = {};
    called->parameters = {};
    called->buffers = {};
    called->children = {};
  }
  return copy;
}

}  // namespace

bool IsPipeline(const std::string& backend) { return backend.starts_with(kPrefix); }

std::string CommandOf(const std::string& backend) {
  return backend.substr(std::string(kPrefix).size());
}

void AddModeOption(CLI::App& verb, std::string& mode) {
  verb.add_option("--mode", mode, "What a pipeline is asked to do")
      ->check(CLI::IsMember({"torch", "strict"}))
      ->capture_default_str();
}

int RunPipeline(const PipelineRunOptions& options) {
  PipelineContract contract = OpenContract(options);
  std::vector<ContractCase> cases = ExpandContract(*contract.config);
  std::vector<std::string> ids;
  for (const ContractCase& c : cases) ids.push_back(c.id);
  const Filter filter(options.filter);
  std::erase_if(cases, [&](const ContractCase& c) {
    const bool named = options.cases.empty() ||
                       std::find(options.cases.begin(), options.cases.end(), c.id) !=
                           options.cases.end();
    return !named || !filter.Selects(c.id) || !options.shard.Holds(c.id);
  });
  if (cases.empty()) {
    std::cerr << "qconform: no contract case of " << contract.origin
              << " selected, expected at least one (exit code 5)\n";
    return kExitNothingSelected;
  }
  SessionOptions session;
  session.suite = ContractName(*contract.config) + "/contract";
  session.suite_digest = Sha256Hex(contract.digest + options.mode);
  session.config_digest = contract.digest;
  session.shard = options.shard;
  session.known = options.known;
  session.today = options.today;
  session.journal = options.journal;
  session.resume = options.resume;
  session.interrupted = options.interrupted;
  session.on_record = options.on_record;
  std::vector<CaseSource> sources =
      PipelineCases(cases, contract.subject, contract.config, contract.mode);
  if (options.known != nullptr) {
    for (CaseSource& stale : StaleEntries(*options.known, ids)) {
      if (options.shard.Holds(stale.id)) sources.push_back(std::move(stale));
    }
  }
  const SessionResult result = RunSession(sources, contract.AsSubject(), session);
  std::cout << "pipeline    " << contract.identity.name << "  sha256 "
            << contract.identity.sha256.substr(0, 12) << "  config " << contract.origin
            << "  mode " << options.mode << "\n";
  const std::string repro = ReproCommand(options);
  PrintRun(result, repro, options.journal, std::cout);
  if (!options.junit.empty())
    WriteFileAtomically(options.junit, JUnitOf(result.header, result.records, repro));
  return result.exit_code();
}

CaseRecord RunPipelineCase(const PipelineRunOptions& options, const std::string& id) {
  PipelineContract contract = OpenContract(options);
  std::vector<ContractCase> cases = ExpandContract(*contract.config);
  std::erase_if(cases, [&](const ContractCase& c) { return c.id != id; });
  if (cases.empty()) {
    throw InputError(id, "no such case in the contract of " + contract.origin,
                     "an id that qconform list --contract prints");
  }
  return PipelineCases(cases, contract.subject, contract.config, contract.mode)
      .front()
      .run(contract.AsSubject());
}

int RunGraphFile(const std::string& graph, const std::string& golden_folder) {
  const Golden golden = ReadGolden(GoldenFolder(golden_folder));
  const GraphModule mine = ReadGraphFile(graph);
  const bool is_prepared = HasObservers(mine);
  const std::string what = is_prepared ? "prepared" : "reference";
  const std::optional<GraphModule>& want =
      is_prepared ? golden.prepared : golden.reference;
  if (!want) {
    throw InputError(golden_folder, "its " + what + " graph's tensors were left out",
                     "a golden made again by qconform quantize");
  }
  const auto difference =
      is_prepared ? FindGraphDifference(WithBareObservers(*want), WithBareObservers(mine))
                  : FindGraphDifference(*want, mine);
  std::cout << graph << ": "
            << (difference ? "FAIL  " + *difference
                           : "PASS  the golden's " + what + " graph, up to names")
            << "\n"
            << (difference ? "0 passed, 1 failed" : "1 passed, 0 failed")
            << ", 0 skipped\n";
  return difference ? kExitCaseFailed : kExitAsExpected;
}

}  // namespace qconform
