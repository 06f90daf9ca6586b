// The operators that torch's own backends have in common, group by group.
#ifndef QCONFORM_REFERENCE_BACKENDS_OPERATOR_TABLES_H_
#define QCONFORM_REFERENCE_BACKENDS_OPERATOR_TABLES_H_

#include <span>
#include <string_view>

#include "reference/backends/operator_row.h"

namespace qconform {

// One dimension's convolution, alone, fused, and in its functional spelling.
std::span<const OperatorRow> ConvRows();
// The transposed convolution of the same dimension.
std::span<const OperatorRow> ConvTransposeRows();
std::span<const OperatorRow> LinearRows();
std::span<const OperatorRow> BatchNormRows();
std::span<const OperatorRow> RecurrentRows();
std::span<const OperatorRow> EmbeddingRows();

void AddConvolutions(ConfigBuilder& builder, const DTypeConfigs& dtypes);
// Additions and multiplications, then matmul.
void AddBinaryOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes);
void AddCat(ConfigBuilder& builder, const DTypeConfigs& dtypes);
// Operators that have output parameters of their own.
void AddDefaultOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes);
// Sigmoid, tanh and others whose output range is known. Configs of quint8 are
// narrowed to the one scale and zero point; those of other dtypes stay.
void AddFixedOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes);
// Operators whose output has the parameters of the input.
void AddShareOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes);
// "shape" and "size".
void AddTensorInfo(ConfigBuilder& builder, const DTypeConfigs& dtypes);
void AddLayerNorm(ConfigBuilder& builder, const DTypeConfigs& dtypes);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_BACKENDS_OPERATOR_TABLES_H_
