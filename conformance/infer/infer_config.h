// The backend config that a black box really honours.
#ifndef QCONFORM_CONFORMANCE_INFER_INFER_CONFIG_H_
#define QCONFORM_CONFORMANCE_INFER_INFER_CONFIG_H_

#include <string>
#include <vector>

#include "conformance/host/call_target.h"
#include "conformance/infer/call_check.h"
#include "reference/config/backend_config.h"

namespace qconform {

struct InferOptions {
  bool only_declared = false;  // try no row and no dtypes beyond the declared ones
  std::string scheme;          // that is compared under; empty: the one it names
};

// One row with one set of dtypes.
struct InferredRow {
  std::string row;     // "nn.ReLU(nn.Conv2d)"
  std::string dtypes;  // "quint8.quint8.qint8.float32"
  bool declared = false;
  CallAnswer answer;      // kRight: it is in the config
  std::string not_tried;  // why nothing could be asked
  DTypeConfig bounds;     // that were found
  std::vector<std::string> notes;
};

struct InferReport {
  BackendConfig config;
  std::vector<InferredRow> rows;
  int64_t calls = 0;
};

// `declared` may be nullptr. What the rows say of observers and modules is copied from
// the declared row, or from torch's native one: no call can show it. Rows that only fuse
// are kept.
InferReport InferConfig(CallTarget& target, const std::string& name,
                        const BackendConfig* declared, const InferOptions& options);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_INFER_INFER_CONFIG_H_
