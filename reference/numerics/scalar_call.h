// One call of a scalar operator, as the families see it.
#ifndef QCONFORM_REFERENCE_NUMERICS_SCALAR_CALL_H_
#define QCONFORM_REFERENCE_NUMERICS_SCALAR_CALL_H_

#include <span>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform {

struct ScalarCall {
  qc_operator_kind kind;
  qc_attributes attributes;  // a copy, zero-filled beyond the writer's size
  std::span<const qc_tensor* const> inputs;
  std::span<qc_tensor* const> outputs;
  Scheme scheme;
  ScalarReport* report = nullptr;  // never null while running

  // nullptr if absent.
  const qc_tensor* input(size_t i) const {
    return i < inputs.size() ? inputs[i] : nullptr;
  }
  const qc_tensor* output(size_t i) const {
    return i < outputs.size() ? outputs[i] : nullptr;
  }
  const qc_tensor& x() const { return *inputs[0]; }
  qc_tensor& y() const { return *outputs[0]; }
};

// A family of operators. Check answers with the first thing that is wrong, or with
// nothing; tensors then have no data. Schemes and Run may rely on Check.
struct OperatorFamily {
  std::string (*check)(const ScalarCall& call);
  std::vector<std::string> (*schemes)(const ScalarCall& call);
  void (*run)(const ScalarCall& call);
};

const OperatorFamily& ConvolutionFamily();
const OperatorFamily& LinearFamily();
const OperatorFamily& MatmulFamily();
const OperatorFamily& QuantizeFamily();
const OperatorFamily& UnaryFamily();
const OperatorFamily& BinaryFamily();
const OperatorFamily& SoftmaxFamily();
const OperatorFamily& BatchNormFamily();
const OperatorFamily& MaxPoolFamily();
const OperatorFamily& AveragePoolFamily();
const OperatorFamily& MeanFamily();
const OperatorFamily& MovementFamily();
const OperatorFamily& ConcatFamily();
const OperatorFamily& PreluFamily();
const OperatorFamily& NormFamily();
const OperatorFamily& UpsampleFamily();
const OperatorFamily& PixelShuffleFamily();
const OperatorFamily& DynamicQuantizeFamily();
const OperatorFamily& EmbeddingFamily();
const OperatorFamily& RecurrentFamily();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_SCALAR_CALL_H_
