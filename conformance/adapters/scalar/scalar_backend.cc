// The reference behind the ABI: the scalar definitions of reference/numerics as a
// backend. It shows that the harness and the golden agree with themselves, and is the
// slow, right peer of every fast backend.
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "conformance/adapters/scalar/scalar_config.h"
#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/block_operator.h"
#include "reference/numerics/scalar_operator.h"

namespace {

// A tensor of a descriptor with copies of what it points at.
struct OwnedTensor {
  qc_tensor tensor = {};
  std::vector<float> scale;
  std::vector<int32_t> zero_point;
  std::vector<float> zero_point_f32;
  std::vector<char> data;

  void Assign(const qc_tensor& source) {
    std::memcpy(&tensor, &source, std::min<size_t>(source.size, sizeof tensor));
    tensor.size = sizeof tensor;
    tensor.data = nullptr;
    const auto count = static_cast<size_t>(tensor.qparam_count);
    if (tensor.scale != nullptr) {
      scale.assign(tensor.scale, tensor.scale + count);
      tensor.scale = scale.data();
    }
    if (tensor.zero_point != nullptr) {
      zero_point.assign(tensor.zero_point, tensor.zero_point + count);
      tensor.zero_point = zero_point.data();
    }
    if (tensor.zero_point_f32 != nullptr) {
      zero_point_f32.assign(tensor.zero_point_f32, tensor.zero_point_f32 + count);
      tensor.zero_point_f32 = zero_point_f32.data();
    }
  }

  // Constants are contiguous: the outermost stride spans them.
  void AssignData(const qc_tensor& source) {
    size_t bytes = 1;
    for (int i = 0; i < tensor.rank; ++i) bytes *= static_cast<size_t>(tensor.shape[i]);
    bytes *= ItemSize();
    const auto* from = static_cast<const char*>(source.data);
    data.assign(from, from + bytes);
    tensor.data = data.data();
  }

  size_t ItemSize() const {
    switch (tensor.dtype) {
      case QC_U8:
      case QC_S8:
      case QC_BOOL:
        return 1;
      case QC_F16:
      case QC_BF16:
      case QC_S16:
      case QC_U16:
        return 2;
      case QC_S64:
        return 8;
      default:
        return 4;
    }
  }
};

struct Plan {
  int32_t threads = 1;
  qc_attributes attributes = {};
  std::string scheme;
  std::vector<OwnedTensor> inputs;
  std::vector<OwnedTensor> outputs;
  std::vector<const qc_tensor*> input_pointers;
  std::vector<const qc_tensor*> output_pointers;
  qc_descriptor descriptor = {};
};

template <size_t N>
void Write(char (&target)[N], const std::string& text) {
  std::memset(target, 0, N);
  text.copy(target, N - 1);
}

qc_status Query(void*, const qc_descriptor* descriptor, qc_answer* answer) {
  try {
    std::string reason;
    if (!qconform::DefinesOperator(*descriptor, &reason)) {
      Write(answer->reason, reason);
      return QC_OK;
    }
    answer->supported = 1;
    answer->memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
    Write(answer->scheme, qconform::ScalarScheme(*descriptor));
    return QC_OK;
  } catch (const std::exception&) {
    return QC_INTERNAL;
  }
}

qc_status MakePlan(void*, const qc_descriptor* descriptor,
                   const qc_tensor* const* constants, int32_t threads, qc_plan** plan_out,
                   qc_plan_info* info) {
  try {
    std::string reason;
    if (!qconform::DefinesOperator(*descriptor, &reason)) {
      Write(info->reason, reason);
      return QC_UNSUPPORTED;
    }
    auto plan = std::make_unique<Plan>();
    std::memcpy(&plan->attributes, descriptor->attributes,
                std::min<size_t>(descriptor->attributes->size, sizeof(qc_attributes)));
    plan->threads = std::max(threads, 1);
    plan->attributes.size = sizeof(qc_attributes);
    plan->scheme = qconform::ScalarScheme(*descriptor);
    plan->inputs.resize(static_cast<size_t>(descriptor->input_count));
    plan->outputs.resize(static_cast<size_t>(descriptor->output_count));
    for (size_t i = 0; i < plan->inputs.size(); ++i) {
      const qc_tensor* input = descriptor->inputs[i];
      if (input != nullptr) plan->inputs[i].Assign(*input);
      plan->input_pointers.push_back(input != nullptr ? &plan->inputs[i].tensor
                                                      : nullptr);
      if (constants != nullptr && constants[i] != nullptr)
        plan->inputs[i].AssignData(*constants[i]);
    }
    for (size_t i = 0; i < plan->outputs.size(); ++i) {
      plan->outputs[i].Assign(*descriptor->outputs[i]);
      plan->output_pointers.push_back(&plan->outputs[i].tensor);
    }
    qc_descriptor& own = plan->descriptor;
    own.size = sizeof own;
    own.kind = descriptor->kind;
    own.attributes = &plan->attributes;
    own.inputs = plan->input_pointers.data();
    own.input_count = descriptor->input_count;
    own.output_count = descriptor->output_count;
    own.outputs = plan->output_pointers.data();
    own.scheme = plan->scheme.c_str();
    Write(info->path, "scalar");
    *plan_out = reinterpret_cast<qc_plan*>(plan.release());
    return QC_OK;
  } catch (const std::bad_alloc&) {
    return QC_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return QC_INTERNAL;
  }
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void*) {
  try {
    const auto* plan = reinterpret_cast<const Plan*>(handle);
    omp_set_num_threads(plan->threads);
    std::vector<const qc_tensor*> merged(inputs, inputs + plan->inputs.size());
    for (size_t i = 0; i < merged.size(); ++i)
      if (plan->inputs[i].tensor.data != nullptr) merged[i] = &plan->inputs[i].tensor;
    // A zero-sized constant has no data but is there all the same.
    for (size_t i = 0; i < merged.size(); ++i)
      if (merged[i] == nullptr) merged[i] = plan->input_pointers[i];
    return qconform::RunScalarOperatorInBlocks(plan->descriptor, merged,
                                               {outputs, plan->outputs.size()});
  } catch (const std::bad_alloc&) {
    return QC_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return QC_INTERNAL;
  }
}

void Destroy(qc_plan* plan) { delete reinterpret_cast<Plan*>(plan); }

}  // namespace

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  static const qc_backend table = {
      sizeof(qc_backend), QC_ABI_MAJOR,  QC_ABI_MINOR, "scalar",
      QCONFORM_VERSION,   ScalarConfig(), nullptr,      Query,
      MakePlan,           Run,           Destroy,      nullptr};
  return major == QC_ABI_MAJOR ? &table : nullptr;
}
