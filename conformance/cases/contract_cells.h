// The cells of a config's contract, which a run counts: for each row and each of its
// dtype configs one, and two for every bound that it sets, which are met by a call at the
// bound and by one that is beyond it and otherwise declared.
//   (torch.nn.ReLU, torch.nn.Linear) | u8 s8 u8
//   (torch.nn.ReLU, torch.nn.Linear) | u8 s8 u8 | weight quant_min at
//   (torch.nn.ReLU, torch.nn.Linear) | u8 s8 u8 | weight quant_min beyond
#ifndef QCONFORM_CONFORMANCE_CASES_CONTRACT_CELLS_H_
#define QCONFORM_CONFORMANCE_CASES_CONTRACT_CELLS_H_

#include <string>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/config/backend_config.h"

namespace qconform {

// All of them, each once, in the config's order.
std::vector<std::string> ContractCells(const BackendConfig& config);

// That of a row and a dtype config, with those of standing at each bound that it sets.
std::vector<std::string> CellsAtBounds(const BackendConfig::Entry& entry,
                                       const DTypeConfig& dtypes);

// That of lying beyond a bound: operand "input", "weight" or "output"; bound "quant_min",
// "quant_max", "scale_min", "scale_max", "scale" or "zero_point".
std::string CellBeyond(const BackendConfig::Entry& entry, const DTypeConfig& dtypes,
                       const std::string& operand, const std::string& bound);

// Those that a call exercises.
std::vector<std::string> CellsOf(const BackendConfig& config, const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_CONTRACT_CELLS_H_
