// The functions with a weight argument and the quantized operators for them.
#ifndef QCONFORM_REFERENCE_NATIVE_FUNCTION_TABLES_H_
#define QCONFORM_REFERENCE_NATIVE_FUNCTION_TABLES_H_

#include <string>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

enum class WeightedKind { kLinear, kConvolution, kTransposedConvolution };

struct WeightedFunction {
  WeightedKind kind;
  int rank = 0;           // spatial dimensions of a convolution
  std::string operation;  // "conv2d"
};

// nullptr for a function without a weight. (STATIC_LOWER_FUNCTIONAL_MAP)
const WeightedFunction* FindWeightedFunction(const Node& node);

// "quantized.conv2d_prepack". For a linear the weight's dtype decides; other dtypes than
// qint8 and float16 throw PipelineError("Exception"). (get_qconv_prepack_op,
// get_linear_prepack_op_for_dtype)
std::string PrepackOperator(const WeightedFunction& function,
                            const Node& quantized_weight);

// The quantized weight and the function's remaining arguments in the order of its prepack
// operator; whole numbers of a one-dimensional convolution become tuples.
std::vector<Argument> PrepackArguments(const WeightedFunction& function, const Node& node,
                                       Node* quantized_weight);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_FUNCTION_TABLES_H_
