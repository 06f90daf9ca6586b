// For tests: an operator of any kind, computed by a backend through the ABI on every path
// of this machine and by the scalar definition in reference/numerics.
#ifndef QCONFORM_KERNELS_TESTING_SAME_AS_SCALAR_H_
#define QCONFORM_KERNELS_TESTING_SAME_AS_SCALAR_H_

#include <string>
#include <vector>

#include "kernels/testing/problem.h"
#include "reference/numerics/test_tensor.h"

namespace qconform::kernels {

struct OperatorTest {
  qc_operator_kind kind;
  qc_attributes attributes = EmptyAttributes();
  std::vector<TestTensor*> inputs = {};     // nullptr: absent
  std::vector<TestTensor*> constants = {};  // those of `inputs` that plan is handed
  std::vector<TestTensor*> outputs = {};
  std::string scheme = {};  // "": left to the backend
  int threads = 1;
};

// Nothing if every path gives the codes of the scalar definition, under the scheme that
// it answers; else which path does what. The outputs hold what was expected. Throws
// std::runtime_error where there is no scalar definition.
std::string DifferenceFromScalar(const LoadedBackend& backend, const OperatorTest& test);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TESTING_SAME_AS_SCALAR_H_
