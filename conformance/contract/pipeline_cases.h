// Contract cases for a pipeline: it must prepare and convert as the reference does.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_PIPELINE_CASES_H_
#define QCONFORM_CONFORMANCE_CONTRACT_PIPELINE_CASES_H_

#include <memory>
#include <string>
#include <vector>

#include "conformance/contract/contract_case.h"
#include "conformance/host/pipeline_subject.h"
#include "conformance/verdict/case_source.h"

namespace qconform {

// The requests of all cases, for PipelineSubject::Plan. Requests share `config`.
PipelineRequest RequestOf(const ContractCase& contract_case,
                          std::shared_ptr<const BackendConfig> config, Mode mode);

// The cells of the config's contract that the case exercises (cases/contract_cells.h).
std::vector<std::string> CellsOfStep(const ContractCase& contract_case);

// Plans the cases on the subject. A case is run by asking it; the Subject of the session
// only lends its identity.
//   PASS     the same graphs, or a refusal in the same stage
//   FAIL     other graphs, or an acceptance of what the reference refuses
//   REFUSED  a refusal of what it accepts
std::vector<CaseSource> PipelineCases(const std::vector<ContractCase>& cases,
                                      std::shared_ptr<PipelineSubject> subject,
                                      std::shared_ptr<const BackendConfig> config,
                                      Mode mode);

// Name, digest of the script or program, and file of a command.
BackendIdentity IdentityOfCommand(const std::string& command);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_PIPELINE_CASES_H_
