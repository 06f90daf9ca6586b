// For the tests in this folder: inputs that torch can be given as well, and calls by
// name.
//
// Expected numbers were printed by torch 2.14.1 for the call in each test's comment,
// with P(shape, seed) the same numbers as Pattern below:
//   n = numpy.arange(numpy.prod(shape)); ((n * 7 + n // 5 * 3 + seed * 13) % 31 - 15) / 8
// Multiples of 1/8 keep every sum and product exact in float32, so that results are
// compared to the bit whatever order torch adds in. Functions that round (exp, sqrt,
// norms) were run by torch in float64 and rounded to float32 once, as ours are.
#ifndef QCONFORM_REFERENCE_OPS_OPS_TESTING_H_
#define QCONFORM_REFERENCE_OPS_OPS_TESTING_H_

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "reference/ops/registry.h"

namespace qconform {

inline Tensor Pattern(Shape shape, int64_t seed) {
  Tensor tensor(DType::kFloat32, std::move(shape));
  for (int64_t n = 0; n < tensor.numel(); ++n) {
    const int64_t step = (n * 7 + n / 5 * 3 + seed * 13) % 31 - 15;
    tensor.data<float>()[n] = static_cast<float>(step) / 8.0f;
  }
  return tensor;
}

inline Value List(std::vector<int64_t> items) {
  return Value::List({items.begin(), items.end()});
}

inline Value CallByName(const std::string& target, std::vector<Value> args,
                        OrderedMap<Value> kwargs = {}) {
  const FunctionDefinition* definition = Registry::BuiltIn().FindFunction(target);
  if (definition == nullptr) definition = Registry::BuiltIn().FindMethod(target);
  EXPECT_NE(definition, nullptr) << target;
  const Call call("test " + target, std::move(args), std::move(kwargs));
  Value value = (*definition)(call);
  call.CheckAllRead();
  return value;
}

// Equal shape and equal bits (a NaN equals a NaN).
inline void ExpectTensor(const Value& value, const Shape& shape,
                         const std::vector<float>& expected) {
  const Tensor* tensor = value.As<Tensor>();
  ASSERT_NE(tensor, nullptr) << ValueText(value);
  ASSERT_EQ(tensor->shape(), shape);
  ASSERT_EQ(tensor->numel(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    const double got = tensor->ValueAt(static_cast<int64_t>(i));
    if (std::isnan(expected[i]) && std::isnan(got)) continue;
    EXPECT_EQ(got, static_cast<double>(expected[i])) << "element " << i;
    EXPECT_EQ(std::signbit(got), std::signbit(expected[i])) << "element " << i;
  }
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_OPS_TESTING_H_
