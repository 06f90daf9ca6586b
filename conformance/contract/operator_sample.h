// How the operators that patterns name are called in the smallest way.
//
// Shapes and values are chosen so that float arithmetic is exact in any order of
// summation: numbers are small multiples of 1/8, batch norms divide by 1/2, and functions
// that are not exact get arguments at which they are. What an observer sees is then the
// same to the bit in every implementation.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_OPERATOR_SAMPLE_H_
#define QCONFORM_CONFORMANCE_CONTRACT_OPERATOR_SAMPLE_H_

#include <memory>
#include <string>

#include "reference/formats/json_file.h"
#include "reference/ir/module.h"

namespace qconform {

// What values an operator's input takes.
enum class Domain {
  kPlain,     // multiples of 1/4 in [-2, 2]
  kSaturate,  // -200, 0 and 200: where exponentials are exact
  kThirds,    // -3, 3 and 6: around the corners of the hard sigmoids, with one zero
  kNorm,      // 1/2 and -1/2 by turns: mean 0, variance 1/4
  kIndex,     // int64 indices below 8
};

struct OperatorSample {
  Shape input;
  Domain domain = Domain::kPlain;
  // Arguments as JSON (formats/argument_json.h), and: "$in", the next operand; "$in=2",
  // the same, but 2 if the pattern names none; {"$weight": [4, 4]}, a parameter.
  ordered_json arguments;
  // Of a module class: nullptr for functions and methods.
  std::shared_ptr<Module> module;
};

// By a pattern's name: a module class, a function, or a method. What no table lists is
// called with one operand. Throws InputError for a class that neither table nor
// interpreter knows.
OperatorSample FindOperatorSample(const std::string& name, bool is_module);

// Element i of a tensor with values of the domain; `key` tells tensors apart.
Tensor SampleTensor(Domain domain, const Shape& shape, const std::string& key);

// Values of a parameter or buffer by its last name: variances 1/4 less `eps`, small
// multiples of 1/8 otherwise. With `unit`, weights are 1 and biases 0.
Tensor SampleParameter(const std::string& path, const Shape& shape, bool unit,
                       double eps = 0);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_OPERATOR_SAMPLE_H_
