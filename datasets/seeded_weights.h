// Weights and inputs from a named seed, so that a graph can be kept without tensors.
//
// A fill is named "kaiming.SEED", SEED a decimal number without leading zeros. Element i
// of the tensor at the dotted path P is made from
//   key  = FNV-1a (64 bits) of the text "FILL/P"
//   word = SplitMix64's output function of key + (i + 1) * 0x9E3779B97F4A7C15 mod 2^64
//   u    = (word >> 40) * 2^-24, exact, in [0, 1)
// by the last name of P, in double, rounded once to float32:
//   running_var                     0.5 + u
//   weight of two axes or more      (2 u - 1) * sqrt(6 / fan_in), fan_in all but axis 0:
//                                   He's uniform variance, which keeps the size of what
//                                   passes a ReLU (arXiv 1502.01852)
//   weight of one axis (a norm's)   0.75 + 0.5 u
//   anything else (bias, mean)      (2 u - 1) * 0.125
// Tensors of integers (num_batches_tracked) are zero. Input batch N is the tensor with P
// "input.N" and the value 4 u - 2. datasets/export/seeded_weights.py has the same bits.
#ifndef QCONFORM_DATASETS_SEEDED_WEIGHTS_H_
#define QCONFORM_DATASETS_SEEDED_WEIGHTS_H_

#include <filesystem>
#include <string>

#include "reference/ir/module.h"
#include "reference/ir/tensor.h"

namespace qconform {

// Throws InputError at `where` if `fill` is not the name of a fill.
void RequireSeededFill(const std::string& fill, const std::string& where);

// Zeros for a dtype other than float32.
Tensor SeededTensor(const std::string& fill, const std::string& path, DType dtype,
                    const Shape& shape);

Tensor SeededInput(const std::string& fill, int64_t batch, const Shape& shape);

// A graph file whose tensors are {"dtype", "shape", "tensor": PATH}, with the fill's
// values. Throws InputError as ReadGraphFile does.
GraphModule ReadSeededGraph(const std::filesystem::path& path, const std::string& fill);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_SEEDED_WEIGHTS_H_
