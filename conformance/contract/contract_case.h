// The cases that a backend's own config asks for: every row, with every dtype config,
// right at each bound and one smallest step beside it, and in every surrounding that
// fusion, sharing and matching tell apart.
//
// Ids: x86/contract/nn.ReLU(nn.Conv2d)/quint8.quint8.qint8.float32/satisfied
// - config, row, dtype config, and what is about it. The id rebuilds the case from the
// config.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_CONTRACT_CASE_H_
#define QCONFORM_CONFORMANCE_CONTRACT_CONTRACT_CASE_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/contract/pattern_graph.h"
#include "reference/config/backend_config.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

// What a pipeline is given beside the config.
struct ContractInput {
  PatternGraph graph;
  QConfigMapping mapping;
};

struct ContractCase {
  std::string id;
  std::string row;    // the pattern as people read it; "" for rules of mappings
  std::string group;  // id without its last part
  std::string about;  // the last part
  // Its dtype config; nullptr for rows that only fuse. Belongs to the config.
  const DTypeConfig* dtype_config = nullptr;
  const BackendConfig::Entry* entry = nullptr;
  std::function<ContractInput()> build;
};

// In the config's order. `config` must outlive the cases. Throws InputError that names
// every row of which no case can be made.
std::vector<ContractCase> ExpandContract(const BackendConfig& config);

// The rules of a mapping against one another, on the first row whose modules can follow
// each other; none if the config has no such row.
std::vector<ContractCase> MappingCases(const BackendConfig& config);

// What ids of the config begin with.
std::string ContractName(const BackendConfig& config);

// Whether it is the id of a config's contract, of a kernel backend's or a pipeline's. The
// config rebuilds its case.
bool IsContractId(const std::string& id);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_CONTRACT_CASE_H_
