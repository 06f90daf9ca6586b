#include "cli/run_pipeline.h"

#include <algorithm>
#include <iostream>

#include "cli/exit_code.h"
#include "cli/print_ignored.h"
#include "cli/print_run.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/subject_config.h"
#include "conformance/contract/answer_difference.h"
#include "conformance/contract/pipeline_cases.h"
#include "conformance/host/call_target.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/sha256.h"
#include "reference/golden/golden.h"
#include "reference/ir/error.h"

namespace qconform {

int RunPipeline(const PipelineRunOptions& options) {
  if (options.config.empty()) {
    throw InputError("--backend " + std::string(kPipelinePrefix) + options.command,
                     "no config says what to ask", "--config with a file or a name");
  }
  const auto declared = ConfigOf(LoadedBackend(), options.config);
  PrintIgnored(declared->ignored);
  const auto config = std::make_shared<const BackendConfig>(declared->config);
  std::vector<ContractCase> cases = ExpandContract(*config);
  const Filter filter(options.filter);
  std::erase_if(cases, [&](const ContractCase& c) {
    const bool named = options.cases.empty() ||
                       std::find(options.cases.begin(), options.cases.end(), c.id) !=
                           options.cases.end();
    return !named || !filter.Selects(c.id);
  });
  if (cases.empty()) {
    std::cerr << "qconform: no contract case of " << declared->origin
              << " selected, expected at least one (exit code 5)\n";
    return kExitNothingSelected;
  }
  PipelineOptions pipeline;
  pipeline.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  const auto subject =
      std::make_shared<PipelineSubject>(options.command, config, pipeline);
  const Mode mode = options.mode == "strict" ? Mode::kStrict : Mode::kTorch;
  // A pipeline is no shared object.
  NoCallTarget no_target;
  Subject identity{no_target, IdentityOfCommand(options.command), config.get()};
  SessionOptions session;
  session.suite = ContractName(*config) + "/contract";
  session.suite_digest = Sha256Hex(declared->digest + options.mode);
  session.config_digest = declared->digest;
  session.journal = options.journal;
  session.resume = options.resume;
  session.interrupted = options.interrupted;
  session.on_record = options.on_record;
  const SessionResult result =
      RunSession(PipelineCases(cases, subject, config, mode), identity, session);
  std::cout << "pipeline    " << identity.identity.name << "  sha256 "
            << identity.identity.sha256.substr(0, 12) << "  config " << declared->origin
            << "  mode " << options.mode << "\n";
  PrintRun(result,
           "qconform run --backend '" + std::string(kPipelinePrefix) + options.command +
               "' --config " + options.config,
           options.journal, std::cout);
  return result.exit_code();
}

int RunGraphFile(const std::string& graph, const std::string& golden_folder) {
  const Golden golden = ReadGolden(golden_folder);
  if (!golden.reference) {
    throw InputError(golden_folder, "its reference graph's tensors were left out",
                     "a golden made again by qconform quantize");
  }
  const auto difference = FindGraphDifference(*golden.reference, ReadGraphFile(graph));
  std::cout << graph << ": "
            << (difference ? "FAIL  " + *difference
                           : "PASS  the golden's graph, up to names")
            << "\n"
            << (difference ? "0 passed, 1 failed" : "1 passed, 0 failed")
            << ", 0 skipped\n";
  return difference ? kExitCaseFailed : kExitAsExpected;
}

}  // namespace qconform
