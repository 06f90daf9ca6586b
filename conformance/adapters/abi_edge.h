// What a backend in C++ does where the ABI's C begins.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_ABI_EDGE_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_ABI_EDGE_H_

#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "kernels/abi/qconform_backend.h"

namespace qconform {

// Text for a field of a struct, cut to its size.
template <size_t N>
void WriteText(char (&target)[N], const std::string& text) {
  std::memset(target, 0, N);
  text.copy(target, N - 1);
}

// The status that `work` returns, or the one of what it throws.
template <typename Work>
qc_status StatusOf(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return QC_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return QC_INTERNAL;
  }
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_ABI_EDGE_H_
