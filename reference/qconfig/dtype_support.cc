#include "reference/qconfig/dtype_support.h"

#include <fmt/format.h>

#include "reference/ir/error.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

// The fields of one dtype config that a qconfig does not have.
class Failures {
 public:
  void Check(const char* field, const std::string& wanted, const std::string& allowed) {
    if (wanted == allowed) return;
    if (count_++ > 0) return;
    first_ = {false, field,
              fmt::format("{}: the qconfig has {}, the backend allows {}", field, wanted,
                          allowed)};
  }
  int count() const { return count_; }
  const DTypeVerdict& first() const { return first_; }

 private:
  int count_ = 0;
  DTypeVerdict first_;
};

Failures FailuresOf(const QConfigDTypes& wanted, const DTypeConfig& config) {
  const auto allowed = [](std::optional<DType> dtype) {
    return std::string(DTypeName(dtype.value_or(DType::kFloat32)));
  };
  const std::string activation(DTypeName(*wanted.activation));
  Failures failures;
  failures.Check("input_dtype", activation, allowed(config.input_dtype.dtype));
  // A dynamic qconfig may take a dtype config that is not.
  if (config.IsDynamic()) {
    failures.Check("is_dynamic", wanted.is_dynamic ? "true" : "false", "true");
  }
  failures.Check("weight_dtype", std::string(DTypeName(*wanted.weight)),
                 allowed(config.weight_dtype.dtype));
  if (config.IsDynamic()) {
    failures.Check("output_dtype", "float32", allowed(config.output_dtype.dtype));
    return failures;
  }
  failures.Check("output_dtype", activation, allowed(config.output_dtype.dtype));
  const bool half =
      wanted.activation == DType::kFloat16 && wanted.weight == DType::kFloat16;
  failures.Check("bias_dtype", half ? "float16" : "float32",
                 config.unchecked_bias.empty()
                     ? allowed(config.bias_dtype)
                     : fmt::format("'{}', which is no dtype", config.unchecked_bias));
  return failures;
}

}  // namespace

DTypeVerdict CheckDTypeConfigs(const QConfigPointer& qconfig,
                               const std::vector<DTypeConfig>& dtype_configs) {
  if (dtype_configs.empty()) {
    return {false, "dtype_configs", "dtype_configs: the backend declares none for it"};
  }
  if (qconfig == nullptr) {
    throw PipelineError("AssertionError", "qconfig must be provided to extract dtypes");
  }
  const QConfigDTypes wanted = DTypesOf(*qconfig);
  Failures nearest;
  for (const DTypeConfig& config : dtype_configs) {
    const Failures failures = FailuresOf(wanted, config);
    if (failures.count() == 0) return {};
    if (nearest.count() == 0 || failures.count() < nearest.count()) nearest = failures;
  }
  return nearest.first();
}

}  // namespace qconform
