#include "conformance/cases/suite_lint.h"

#include <algorithm>

namespace qconform {
namespace {

bool Any(const Numbers& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](int64_t n) { return n != 0; });
}

}  // namespace

std::string SuiteFinding(const std::vector<SuiteRow>& rows) {
  bool padded = false;
  for (const SuiteRow& row : rows) {
    if (!row.operator_name.starts_with("conv") ||
        (!Any(row.padding.before) && !Any(row.padding.after)))
      continue;
    if (row.zx != 0) return "";
    padded = true;
  }
  return padded ? "every convolution with padding has the zero point 0, which hides a "
                  "border of code 0"
                : "";
}

}  // namespace qconform
