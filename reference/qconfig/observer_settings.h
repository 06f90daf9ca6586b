// What an observer constructor settles before any data is seen.
#ifndef QCONFORM_REFERENCE_QCONFIG_OBSERVER_SETTINGS_H_
#define QCONFORM_REFERENCE_QCONFIG_OBSERVER_SETTINGS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reference/config/mode.h"
#include "reference/ir/name_table.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// An absent value is an attribute that the observer does not have, or None.
struct ObserverSettings {
  std::string class_name;           // of the outer object
  std::string observer_class_name;  // inside a fake-quantize; else the same
  std::optional<DType> dtype;
  std::string qscheme;  // "torch.per_tensor_affine", ...
  std::optional<int64_t> quant_min;
  std::optional<int64_t> quant_max;
  // float32, as the observer's buffer holds it.
  std::optional<float> eps;
  bool is_dynamic = false;
  bool reduce_range = false;
  bool is_fake_quantize = false;
  // Of FixedQParams observers.
  std::optional<double> fixed_scale;
  std::optional<int64_t> fixed_zero_point;
  // Of per channel schemes.
  std::optional<int64_t> channel_axis;

  bool IsSymmetric() const { return qscheme.ends_with("_symmetric"); }
  bool IsPerChannel() const { return qscheme.rfind("torch.per_channel", 0) == 0; }
};

// Settings after the constructors of torch.ao.quantization.observer and
// fake_quantize. Checks of values are the observers' own. torch ignores a lone bound,
// strict mode takes the other one from the dtype.
ObserverSettings DescribeObserver(const ObserverConstructor& constructor,
                                  Mode mode = Mode::kTorch);

// What DescribeObserver says of a class that an extension added, by its full name.
using ObserverDescription = std::function<ObserverSettings(const ObserverConstructor&)>;
NameTable<ObserverDescription>& UserObservers();

// Whether a class is an observer or a fake-quantize: "MinMaxObserver" or the same
// below torch.ao.quantization, or a user's.
bool IsObserverClass(const std::string& class_name);

// dtype of the activation, dtype of the weight, and whether the activation is
// dynamic. (get_qconfig_dtypes)
struct QConfigDTypes {
  std::optional<DType> activation;
  std::optional<DType> weight;
  bool is_dynamic = false;
};
QConfigDTypes DTypesOf(const QConfig& qconfig);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_OBSERVER_SETTINGS_H_
