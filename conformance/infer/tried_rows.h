// Which rows of a config are tried on a black box.
#ifndef QCONFORM_CONFORMANCE_INFER_TRIED_ROWS_H_
#define QCONFORM_CONFORMANCE_INFER_TRIED_ROWS_H_

#include <memory>
#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

struct TriedDTypes {
  DTypeConfig dtypes;  // without any bound
  // What the backend declares with the same dtypes; nullptr: nothing.
  const DTypeConfig* declared = nullptr;
};

struct TriedRow {
  std::shared_ptr<const BackendPatternConfig> row;
  bool declared = false;
  std::vector<TriedDTypes> dtypes;  // none: a row that only fuses
};

// The declared rows in their order with their dtypes; unless `only_declared`, then for
// each row torch's dtypes for it, the 8-bit ones with the other signs and an s32 bias;
// and behind them the rows of the built-in config native that are not declared.
// `declared` may be nullptr and must outlive the result.
std::vector<TriedRow> RowsToTry(const BackendConfig* declared, bool only_declared);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_INFER_TRIED_ROWS_H_
