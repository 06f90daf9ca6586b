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

// In words what is against reading every field of this header, "" for nothing. A later
// release's structs are longer; shorter ones no release has.
inline std::string CheckWholeStructs(const qc_descriptor& descriptor) {
  bool whole = descriptor.size >= sizeof(qc_descriptor) &&
               descriptor.attributes != nullptr &&
               descriptor.attributes->size >= sizeof(qc_attributes);
  for (int32_t i = 0; whole && i < descriptor.input_count; ++i)
    whole = descriptor.inputs[i] == nullptr ||
            descriptor.inputs[i]->size >= sizeof(qc_tensor);
  for (int32_t i = 0; whole && i < descriptor.output_count; ++i)
    whole = descriptor.outputs[i] != nullptr &&
            descriptor.outputs[i]->size >= sizeof(qc_tensor);
  return whole ? "" : "a struct is shorter than in any release";
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
