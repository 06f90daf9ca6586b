// Backends that fail before the first call, one for each value of
// QCONFORM_UNUSABLE.
#include <csignal>
#include <cstdlib>

#include "kernels/abi/qconform_backend.h"

#define QCONFORM_CRASHES_ON_LOAD 1
#define QCONFORM_HANGS_ON_LOAD 2
#define QCONFORM_EXPORTS_NO_SYMBOL 3
#define QCONFORM_OTHER_MAJOR 4
#define QCONFORM_NO_TABLE 5
#define QCONFORM_NO_RUN 6
#define QCONFORM_RAISES_ON_LOAD 7
#define QCONFORM_UNREADABLE_CONFIG 8

#if QCONFORM_UNUSABLE == QCONFORM_EXPORTS_NO_SYMBOL
extern "C" int qconform_backends() { return 0; }
#else

namespace {

qc_status Query(void*, const qc_descriptor*, qc_answer*) { return QC_OK; }
qc_status MakePlan(void*, const qc_descriptor*, const qc_tensor* const*, int32_t,
                   qc_plan**, qc_plan_info*) {
  return QC_UNSUPPORTED;
}
#if QCONFORM_UNUSABLE != QCONFORM_NO_RUN
qc_status Run(qc_plan*, const qc_tensor* const*, qc_tensor* const*, void*) {
  return QC_UNSUPPORTED;
}
#endif
void Destroy(qc_plan*) {}

const qc_backend kTable = {
    sizeof(qc_backend),
    QCONFORM_UNUSABLE == QCONFORM_OTHER_MAJOR ? QC_ABI_MAJOR + 1 : QC_ABI_MAJOR,
    QC_ABI_MINOR,
    "unusable",
    "1",
    QCONFORM_UNUSABLE == QCONFORM_UNREADABLE_CONFIG ? "{\"configs\": [" : nullptr,
    nullptr,
    Query,
    MakePlan,
#if QCONFORM_UNUSABLE == QCONFORM_NO_RUN
    nullptr,
#else
    Run,
#endif
    Destroy,
    nullptr};

#if QCONFORM_UNUSABLE == QCONFORM_CRASHES_ON_LOAD
[[maybe_unused]] const int kOnLoad = (std::abort(), 0);
#elif QCONFORM_UNUSABLE == QCONFORM_RAISES_ON_LOAD
[[maybe_unused]] const int kOnLoad = std::raise(SIGSEGV);
#elif QCONFORM_UNUSABLE == QCONFORM_HANGS_ON_LOAD
volatile bool forever = true;
[[maybe_unused]] const int kOnLoad = [] {
  while (forever) {
  }
  return 0;
}();
#endif

}  // namespace

const qc_backend* qconform_backend(uint32_t, uint32_t) {
  return QCONFORM_UNUSABLE == QCONFORM_NO_TABLE ? nullptr : &kTable;
}
#endif
