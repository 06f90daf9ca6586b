// For tests: where the build put the shared objects.
#ifndef QCONFORM_KERNELS_TESTING_BACKEND_FILES_H_
#define QCONFORM_KERNELS_TESTING_BACKEND_FILES_H_

#include <string>

namespace qconform::kernels {

inline const std::string kHalideBackend = QCONFORM_HALIDE_BACKEND;
inline const std::string kWrongRoundingBackend = QCONFORM_WRONG_ROUNDING_BACKEND;
inline const std::string kBytesBackend = QCONFORM_BYTES_BACKEND;

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TESTING_BACKEND_FILES_H_
