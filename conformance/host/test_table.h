// The C table of a backend that a test writes in this process.
#ifndef QCONFORM_CONFORMANCE_HOST_TEST_TABLE_H_
#define QCONFORM_CONFORMANCE_HOST_TEST_TABLE_H_

#include "kernels/abi/qconform_backend.h"

namespace qconform {

constexpr qc_backend TestTable(const char* name, decltype(qc_backend::query) query,
                               decltype(qc_backend::plan) plan,
                               decltype(qc_backend::run) run,
                               decltype(qc_backend::destroy) destroy) {
  return {sizeof(qc_backend),
          QC_ABI_MAJOR,
          QC_ABI_MINOR,
          name,
          "1",
          nullptr,
          nullptr,
          query,
          plan,
          run,
          destroy,
          nullptr};
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_TEST_TABLE_H_
