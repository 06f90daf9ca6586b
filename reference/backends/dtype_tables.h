// The dtype configs that torch's backends are made of.
#ifndef QCONFORM_REFERENCE_BACKENDS_DTYPE_TABLES_H_
#define QCONFORM_REFERENCE_BACKENDS_DTYPE_TABLES_H_

#include "reference/config/dtype_config.h"

namespace qconform {

DTypeConfig WeightedQUInt8();    // quint8 in and out, qint8 weight, float bias
DTypeConfig ActivationQUInt8();  // quint8 in and out
DTypeConfig ActivationQUInt8FloatWeight();
DTypeConfig DynamicQInt8();  // quint8 in, float out, qint8 weight
DTypeConfig DynamicFloat16();
DTypeConfig Float16();  // float16 throughout
DTypeConfig WeightOnly(DType weight);
DTypeConfig WeightedQInt8();  // qint8 throughout, float bias
DTypeConfig ActivationQInt8();
// XNNPACK's symmetric int8: scales of at least 2^-12, weights in -127..127.
DTypeConfig WeightedQInt8Symmetric();
DTypeConfig ActivationQInt8Symmetric();
DTypeConfig DynamicQInt8Symmetric();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_BACKENDS_DTYPE_TABLES_H_
