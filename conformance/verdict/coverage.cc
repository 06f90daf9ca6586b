#include "conformance/verdict/coverage.h"

#include <string>
#include <unordered_map>

#include "conformance/cases/contract_cells.h"
#include "conformance/cases/declared_row.h"
#include "conformance/verdict/levels.h"

namespace qconform {

void AddCoverage(const BackendConfig* config, const std::vector<CaseRecord>& records,
                 RunFooter& footer) {
  footer.levels = LevelsOf(records);
  if (config == nullptr) return;
  std::unordered_map<std::string, int64_t> rows;
  std::unordered_map<std::string, int64_t> cells;
  for (const CaseRecord& record : records) {
    ++rows[record.row];
    for (const std::string& cell : record.cells) ++cells[cell];
  }
  for (const std::string& row : RowNames(*config))
    footer.rows.push_back({row, rows[row]});
  for (const std::string& cell : ContractCells(*config))
    footer.contract.push_back({cell, cells[cell]});
}

}  // namespace qconform
