// For tests: the plainest static mappings.
#ifndef QCONFORM_REFERENCE_QCONFIG_TEST_MAPPING_H_
#define QCONFORM_REFERENCE_QCONFIG_TEST_MAPPING_H_

#include <memory>

#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

inline QConfigMapping Everywhere(const ObserverConstructor& activation,
                                 const ObserverConstructor& weight) {
  QConfigMapping mapping;
  mapping.global = std::make_shared<QConfig>(QConfig{activation, weight});
  return mapping;
}

// MinMaxObserver for every node: quint8 activations, symmetric qint8 weights.
inline QConfigMapping MinMaxEverywhere() {
  return Everywhere(
      ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQUInt8}}),
      ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQInt8},
                                             {"qscheme", "torch.per_tensor_symmetric"}}));
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_TEST_MAPPING_H_
