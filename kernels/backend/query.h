// What the Halide backend accepts, and why it refuses the rest.
#ifndef QCONFORM_KERNELS_BACKEND_QUERY_H_
#define QCONFORM_KERNELS_BACKEND_QUERY_H_

#include <optional>
#include <string>

#include "kernels/abi/qconform_backend.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

struct Answer {
  bool supported = false;
  std::string reason;  // one line, when not supported
  std::string scheme;
  std::optional<Path> path;
  const KernelFamily* family = nullptr;
};

// Looks at the descriptor only, never at tensor data.
Answer Judge(const qc_descriptor& descriptor);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_BACKEND_QUERY_H_
