// For tests: the plainest static mapping.
#ifndef QCONFORM_REFERENCE_QCONFIG_TEST_MAPPING_H_
#define QCONFORM_REFERENCE_QCONFIG_TEST_MAPPING_H_

#include <memory>

#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

// MinMaxObserver for every node: quint8 activations, symmetric qint8 weights.
inline QConfigMapping MinMaxEverywhere() {
  QConfigMapping mapping;
  mapping.global = std::make_shared<QConfig>(QConfig{
      ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQUInt8}}),
      ObserverConstructor(
          "MinMaxObserver",
          {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_tensor_symmetric"}})});
  return mapping;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_TEST_MAPPING_H_
