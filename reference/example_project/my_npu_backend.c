/* A backend that has no kernel yet: it refuses every operator, in words. */
#include <qconform_backend.h>
#include <stddef.h>
#include <string.h>

static qc_status Query(void *context, const qc_descriptor *descriptor,
                       qc_answer *answer) {
  (void)context, (void)descriptor;
  strcpy(answer->reason, "no kernel is written yet");
  return QC_OK;
}

static qc_status Plan(void *context, const qc_descriptor *descriptor,
                      const qc_tensor *const *constants, int32_t threads, qc_plan **plan,
                      qc_plan_info *info) {
  (void)context, (void)descriptor, (void)constants, (void)threads;
  (void)plan, (void)info;
  return QC_UNSUPPORTED;
}

static qc_status Run(qc_plan *plan, const qc_tensor *const *inputs,
                     qc_tensor *const *outputs, void *workspace) {
  (void)plan, (void)inputs, (void)outputs, (void)workspace;
  return QC_UNSUPPORTED;
}

static void Destroy(qc_plan *plan) { (void)plan; }

static const qc_backend table = {sizeof(qc_backend),
                                 QC_ABI_MAJOR,
                                 QC_ABI_MINOR,
                                 "my_npu",
                                 "0.1",
                                 NULL,
                                 NULL,
                                 Query,
                                 Plan,
                                 Run,
                                 Destroy,
                                 NULL};

const qc_backend *qconform_backend(uint32_t major, uint32_t minor) {
  (void)minor;
  return major == QC_ABI_MAJOR ? &table : NULL;
}
