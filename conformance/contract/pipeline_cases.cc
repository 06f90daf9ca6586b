#include "conformance/contract/pipeline_cases.h"

#include <sstream>

#include "conformance/cases/contract_cells.h"
#include "conformance/contract/answer_difference.h"
#include "reference/formats/sha256.h"
#include "reference/golden/quantize_model.h"

namespace qconform {
namespace {

Verdict VerdictOfEnd(PipelineEnd end) {
  switch (end) {
    case PipelineEnd::kCrashed:
      return Verdict::kCrash;
    case PipelineEnd::kHung:
      return Verdict::kHang;
    default:
      return Verdict::kFail;
  }
}

CaseRecord JudgeAnswer(const PipelineOutcome& outcome, PipelineRequest request,
                       const std::string& row) {
  CaseRecord record;
  record.seconds = outcome.seconds;
  if (outcome.end != PipelineEnd::kAnswered) {
    record.verdict = VerdictOfEnd(outcome.end);
    record.signal = outcome.end == PipelineEnd::kCrashed ? outcome.signal : "";
    record.printed = outcome.printed;
    if (outcome.end == PipelineEnd::kMalformed) {
      record.cause = "malformed answer";
      record.details = {outcome.error};
    }
    return record;
  }
  const auto difference =
      FindAnswerDifference(AnswerByReference(request), outcome.answer);
  if (!difference) {
    record.verdict = Verdict::kPass;
    return record;
  }
  record.verdict = Verdict::kFail;
  record.cause = difference->cause;
  record.details = {difference->text};
  if (outcome.answer.refused()) {
    record.phase = outcome.answer.refusal_stage;
    record.reason = outcome.answer.refusal_error + ": " + outcome.answer.refusal_message;
    if (difference->cause == "refuses what is accepted" && !row.empty()) {
      record.verdict = Verdict::kRefused;
    }
  }
  const bool torch = request.mode == Mode::kTorch;
  request.mode = torch ? Mode::kStrict : Mode::kTorch;
  if (!FindAnswerDifference(AnswerByReference(request), outcome.answer)) {
    record.cause = torch ? "strict mode" : "torch mode";
    record.details.push_back(torch ? "it does what is declared, and not what torch does"
                                   : "it does what torch does, and not what is declared");
  }
  return record;
}

}  // namespace

// By the step's name, as ConstraintSteps spells it.
std::vector<std::string> CellsOfStep(const ContractCase& c) {
  if (c.dtype_config == nullptr) return {};
  if (c.about == "satisfied") return CellsAtBounds(*c.entry, *c.dtype_config);
  const size_t side_end = c.about.find('.');
  const size_t bound_end = c.about.find('.', side_end + 1);
  if (side_end == std::string::npos || bound_end == std::string::npos) return {};
  const std::string side = c.about.substr(0, side_end);
  const std::string bound = c.about.substr(side_end + 1, bound_end - side_end - 1);
  const std::string step = c.about.substr(bound_end + 1);
  const bool below = step == "one_below" || step == "one_ulp_below";
  const bool above = step == "one_above" || step == "one_ulp_above";
  const bool exact = bound == "scale" || bound == "zero_point";
  const bool beyond = ((bound.ends_with("_min") || exact) && below) ||
                      ((bound.ends_with("_max") || exact) && above);
  if (!beyond) return {};
  const bool activation = side == "activation";
  std::vector<std::string> cells = {
      CellBeyond(*c.entry, *c.dtype_config, activation ? "input" : side, bound)};
  // One observer's settings are held against both.
  if (activation && c.dtype_config->output_dtype == c.dtype_config->input_dtype) {
    cells.push_back(CellBeyond(*c.entry, *c.dtype_config, "output", bound));
  }
  return cells;
}

PipelineRequest RequestOf(const ContractCase& contract_case,
                          std::shared_ptr<const BackendConfig> config, Mode mode) {
  ContractInput input = contract_case.build();
  QuantizationSettings settings;
  settings.backend_config = config;
  PipelineRequest request;
  request.graph = std::move(input.graph.module);
  request.calibration = std::move(input.graph.calibration);
  request.is_qat = input.graph.is_qat;
  request.mapping = std::move(input.mapping);
  request.mode = mode;
  request.engine = EngineOf(settings);
  request.config = std::move(config);
  return request;
}

std::vector<CaseSource> PipelineCases(const std::vector<ContractCase>& cases,
                                      std::shared_ptr<PipelineSubject> subject,
                                      std::shared_ptr<const BackendConfig> config,
                                      Mode mode) {
  std::vector<std::function<PipelineRequest()>> requests;
  std::vector<CaseSource> sources;
  for (const ContractCase& c : cases) {
    const auto request = [c, config, mode] { return RequestOf(c, config, mode); };
    const size_t index = requests.size();
    requests.emplace_back(request);
    sources.push_back({c.id, c.group, [c, subject, index, request](const Subject& s) {
                         CaseRecord record =
                             JudgeAnswer(subject->Ask(index), request(), c.row);
                         record.id = c.id;
                         record.suite =
                             c.group.substr(0, c.group.find('/')) + "/contract";
                         record.group = c.group;
                         record.row = c.row;
                         record.kind = "pipeline";
                         record.fill = c.about;
                         record.cells = CellsOfStep(c);
                         record.backend = s.identity;
                         return record;
                       }});
  }
  subject->Plan(std::move(requests));
  return sources;
}

BackendIdentity IdentityOfCommand(const std::string& command) {
  BackendIdentity identity;
  std::istringstream words(command);
  std::filesystem::path file;
  for (std::string word; words >> word;) {
    // The last file is the script of an interpreter.
    if (std::filesystem::is_regular_file(word)) file = word;
  }
  identity.name = file.empty() ? command : file.stem().string();
  if (!file.empty()) {
    identity.file = file.filename().string();
    identity.sha256 = Sha256HexOfFile(file);
  }
  return identity;
}

}  // namespace qconform
