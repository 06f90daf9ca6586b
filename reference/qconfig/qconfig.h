// How to make an observer, and the pair of them that a layer gets:
// torch.ao.quantization.QConfig.
#ifndef QCONFORM_REFERENCE_QCONFIG_QCONFIG_H_
#define QCONFORM_REFERENCE_QCONFIG_QCONFIG_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "reference/ir/argument.h"
#include "reference/ir/ordered_map.h"

namespace qconform {

// A class with keyword arguments: cls.with_args(**kwargs). dtypes are DType
// arguments; a qscheme is the string "torch.per_tensor_affine" and so on.
struct ObserverConstructor {
  std::string class_name;  // "MinMaxObserver"
  OrderedMap<Argument> kwargs;
  // The keyword `observer` of a fake-quantize.
  std::shared_ptr<const ObserverConstructor> observer;
  // False for the bare class, which torch does not hold equal to
  // cls.with_args().
  bool has_arguments = true;

  ObserverConstructor() = default;
  ObserverConstructor(std::string class_name, OrderedMap<Argument> kwargs = {},
                      std::shared_ptr<const ObserverConstructor> observer = nullptr)
      : class_name(std::move(class_name)),
        kwargs(std::move(kwargs)),
        observer(std::move(observer)) {}
};

// Same class, keywords and nested observer; the order of keywords is irrelevant.
bool operator==(const ObserverConstructor& a, const ObserverConstructor& b);
// "MinMaxObserver(dtype=quint8)"
std::string ToText(const ObserverConstructor& constructor);

// An absent side is None.
struct QConfig {
  std::optional<ObserverConstructor> activation;
  std::optional<ObserverConstructor> weight;
  bool operator==(const QConfig& other) const = default;
};

// nullptr is None: do not quantize. Shared, so that nodes can point at one.
using QConfigPointer = std::shared_ptr<const QConfig>;

// torch.ao.quantization.qconfig.qconfig_equals; nullptr equals only nullptr.
bool QConfigEquals(const QConfigPointer& a, const QConfigPointer& b);

std::string ToText(const QConfigPointer& qconfig);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_QCONFIG_H_
