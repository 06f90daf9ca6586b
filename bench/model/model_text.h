// A comparison of whole models for a person.
#ifndef QCONFORM_BENCH_MODEL_MODEL_TEXT_H_
#define QCONFORM_BENCH_MODEL_MODEL_TEXT_H_

#include <string>

#include "bench/model/model_comparison.h"

namespace qconform::bench {

// What the columns say, and their names.
std::string ModelTableHead();

// The times, how many times longer the peer took with the 95 % interval, how many of its
// outputs were wrong; below, where the backend's time went (the five longest kinds of
// operator), what the reference had to run and the memory of the activations.
std::string ModelTableLines(const ModelRow& row);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_MODEL_MODEL_TEXT_H_
