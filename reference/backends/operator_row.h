// One row of the tables from which the built-in configs are made.
#ifndef QCONFORM_REFERENCE_BACKENDS_OPERATOR_ROW_H_
#define QCONFORM_REFERENCE_BACKENDS_OPERATOR_ROW_H_

#include <span>
#include <string_view>
#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

// Names are abbreviated as in pattern_text.h; '#' stands for the number of
// spatial dimensions.
struct OperatorRow {
  std::string_view pattern;  // in execution order
  std::string_view root = "";
  std::string_view reference = "";
  std::string_view qat = "";
  std::string_view fused = "";
  // "sequential" wraps the fused class.
  std::string_view fuser = "";
};

using DTypeConfigs = std::vector<DTypeConfig>;

// A config in the making; all functions add at the end.
class ConfigBuilder {
 public:
  explicit ConfigBuilder(std::string name) : config_(std::move(name)) {}

  // Each row for one number of dimensions.
  void AddRows(std::span<const OperatorRow> rows, const DTypeConfigs& dtypes,
               int dimensions = 0);
  // Single names or tuples with nothing but an observation type.
  void AddPatterns(std::span<const std::string_view> patterns, ObservationType type,
                   const DTypeConfigs& dtypes);
  // A function whose weight and bias are arguments; -1 if there is none.
  void AddFunction(std::string_view name, int weight, int bias,
                   const DTypeConfigs& dtypes);
  // Every operator alone and before each activation; the observation type depends
  // on how many arguments are tensors.
  void AddBinary(std::span<const std::string_view> operators,
                 std::span<const std::string_view> activations,
                 const DTypeConfigs& dtypes);
  void Add(BackendPatternConfig entry) { config_.Set(std::move(entry)); }

  BackendConfig Finish() { return std::move(config_); }

 private:
  BackendConfig config_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_BACKENDS_OPERATOR_ROW_H_
