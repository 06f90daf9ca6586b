// How far the outputs of a whole model are from others: what is left to say where no set
// of codes is.
#ifndef QCONFORM_CONFORMANCE_COMPARE_ACCURACY_H_
#define QCONFORM_CONFORMANCE_COMPARE_ACCURACY_H_

#include <cstdint>
#include <optional>
#include <span>

#include "reference/ir/tensor.h"

namespace qconform {

// Signal to quantization noise ratio in dB, 10 log10(sum want^2 / sum (got - want)^2):
// infinite for equal ones, minus infinity without a signal, NaN where a number is.
// Precondition: as many of one as of the other.
double SqnrDb(std::span<const double> got, std::span<const double> want);

struct TopOneAgreement {
  int64_t same = 0;
  int64_t rows = 0;
};

// Rows whose first maximum is in the same column. nullopt for outputs that classify
// nothing: of another rank than [rows, classes], or with fewer than two classes.
std::optional<TopOneAgreement> CompareTopOne(const Shape& shape,
                                             std::span<const double> got,
                                             std::span<const double> want);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_ACCURACY_H_
