#include "conformance/verdict/coverage.h"

#include <string>
#include <unordered_map>

#include "conformance/cases/declared_row.h"

namespace qconform {

void AddCoverage(const BackendConfig* config, const std::vector<CaseRecord>& records,
                 RunFooter& footer) {
  if (config == nullptr) return;
  std::unordered_map<std::string, int64_t> cases;
  for (const CaseRecord& record : records) ++cases[record.row];
  for (const std::string& row : RowNames(*config)) {
    const auto found = cases.find(row);
    footer.rows.push_back({row, found == cases.end() ? 0 : found->second});
  }
}

}  // namespace qconform
