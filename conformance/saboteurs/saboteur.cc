// A small honest backend, and where its faults come in. Convolution and linear are
// written here without the reference; other operators are the reference's, on a call that
// the fault has changed.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>

#include "conformance/adapters/abi_edge.h"
#include "conformance/saboteurs/saboteur_plan.h"
#include "reference/numerics/scalar_operator.h"

namespace saboteur {
namespace {

constexpr const char* kBiasF32 = "f32/one/even/bias_f32/zp_after";
constexpr const char* kBiasS32 = "f32/one/even/bias_s32/zp_after";

bool IsWeighted(int32_t kind) {
  return kind == QC_CONV || kind == QC_CONV_TRANSPOSE || kind == QC_LINEAR;
}

bool HasBias(const qc_descriptor& d) {
  const bool counted = d.input_count > 2 || kFault == Fault::counts_absent_inputs;
  return counted && d.inputs[2] != nullptr;
}

// What saboteur_convolution.cc does not know the reference computes.
bool HasOwnArithmetic(const qc_descriptor& d) {
  const qc_attributes& a = *d.attributes;
  return IsWeighted(d.kind) && a.activation >= QC_ACTIVATION_NONE &&
         a.activation <= QC_ACTIVATION_RELU && a.residual == 0 && a.dynamic == 0 &&
         a.padding_mode == QC_PADDING_ZEROS && IsCode(d.inputs[0]->dtype) &&
         d.inputs[1]->dtype == QC_S8 && IsCode(d.outputs[0]->dtype) &&
         (d.scheme == nullptr || std::strcmp(d.scheme, kBiasF32) == 0 ||
          std::strcmp(d.scheme, kBiasS32) == 0);
}

// "" for yes.
std::string WhyNot(const qc_descriptor& d) {
  if (kFault == Fault::refuse_declared) return "not today";
  if (kFault == Fault::accepts_unknown_kinds && (d.kind < QC_CONV || d.kind > QC_PAD))
    return "";
  if (kFault == Fault::one_struct_size && d.size != sizeof d) return "another release";
  if (kFault != Fault::reads_short_structs) {
    const std::string reason = qconform::CheckWholeStructs(d);
    if (!reason.empty()) return reason;
  }
  if (kFault == Fault::refuse_zero_sizes && Count(*d.outputs[0]) == 0) return "empty";
  const qc_tensor& x = *d.inputs[0];
  if (kFault == Fault::refuse_empty_range && d.kind == QC_RELU && x.dtype == QC_U8 &&
      ZeroPoint(x) == 255)
    return "the smallest code is the largest";
  if (kFault != Fault::accepts_undeclared) {
    // As the config has its rows.
    const bool declared = IsWeighted(d.kind) || d.kind == QC_RELU;
    if (declared && d.attributes->dynamic == 0 && x.dtype != d.outputs[0]->dtype)
      return "input and output differ in dtype";
    const qc_tensor* bias = HasBias(d) ? d.inputs[2] : nullptr;
    if (IsWeighted(d.kind) && d.inputs[1]->dtype != QC_S8) return "weights are s8";
    if (IsWeighted(d.kind) && bias != nullptr && bias->dtype != QC_F32 &&
        x.dtype != QC_U8)
      return "the bias is f32";
  }
  // Its own two schemes, and where it has no arithmetic of its own, those of real
  // numbers.
  if (IsWeighted(d.kind) && d.scheme != nullptr && std::strncmp(d.scheme, "q31", 3) == 0)
    return "scheme";
  std::string reason;
  if (!HasOwnArithmetic(d)) qconform::DefinesOperator(d, &reason);
  return reason;
}

bool UsesBiasS32(const qc_descriptor& d) {
  if (kFault == Fault::other_scheme || kFault == Fault::lie_about_scheme) return true;
  return d.scheme != nullptr && std::strcmp(d.scheme, kBiasS32) == 0;
}

std::string SchemeOf(const qc_descriptor& d) {
  if (!HasOwnArithmetic(d)) return qconform::ScalarScheme(d);
  const bool asked_s32 = d.scheme != nullptr && std::strcmp(d.scheme, kBiasS32) == 0;
  const bool says_s32 = kFault == Fault::lie_about_scheme ? asked_s32 : UsesBiasS32(d);
  return says_s32 ? kBiasS32 : kBiasF32;
}

// The reference reads whole tensors before it writes where every element comes from one.
bool MayAlias(const qc_descriptor& d) {
  if (kFault == Fault::reads_after_writing) return true;
  return d.kind >= QC_ADD && d.kind <= QC_GELU;
}

qc_status Query(void*, const qc_descriptor* d, qc_answer* answer) {
  if (kFault == Fault::abort_in_query) std::abort();
  static int asked = 0;
  ++asked;
  const std::string reason = WhyNot(*d);
  const bool moody = kFault == Fault::changes_its_answer && asked % 2 == 0;
  if (!reason.empty() || moody) {
    std::snprintf(answer->reason, sizeof answer->reason, "%s", reason.c_str());
    return QC_OK;
  }
  HarmInQuery(*d);
  answer->supported = 1;
  answer->memory_formats = QC_CONTIGUOUS | QC_CHANNELS_LAST | QC_ANY_STRIDE;
  answer->may_alias = MayAlias(*d) ? 1 : 0;
  if (kFault == Fault::answers_true_as_two) answer->supported = 2;
  if (kFault == Fault::reads_no_format) answer->memory_formats = 0;
  if (kFault == Fault::reads_unknown_format) answer->memory_formats |= 64;
  std::string scheme = kFault == Fault::names_no_scheme ? "" : SchemeOf(*d);
  if (kFault == Fault::misspells_scheme && scheme == kBiasF32)
    scheme = "f32/one/evn/bias_f32/zp_after";
  std::snprintf(answer->scheme, sizeof answer->scheme, "%s", scheme.c_str());
  if (kFault == Fault::write_past_answer) {
    // Another release's struct, longer than the caller's.
    reinterpret_cast<volatile char*>(answer)[answer->size] = 1;
  }
  return QC_OK;
}

int plans_made = 0;
std::atomic<int> plans_alive = 0;

// What a cache would take for a key that forgets constants and qparams.
std::string ShapesOf(const qc_descriptor& d) {
  std::string text = std::to_string(d.kind);
  const auto add = [&text](const qc_tensor* tensor) {
    text += tensor == nullptr ? "-" : " " + std::to_string(tensor->dtype);
    for (int i = 0; tensor != nullptr && i < tensor->rank; ++i)
      text += "x" + std::to_string(tensor->shape[i]);
  };
  for (int32_t i = 0; i < d.input_count; ++i) add(d.inputs[i]);
  for (int32_t i = 0; i < d.output_count; ++i) add(d.outputs[i]);
  return text;
}

// Where plans_by_shape keeps the plan of these shapes; nullptr within: none yet.
Plan*& KeptPlan(const qc_descriptor& d) {
  static auto* const kept = new std::map<std::string, Plan*>;
  return (*kept)[ShapesOf(d)];
}

qc_status MakePlan(void*, const qc_descriptor* d, const qc_tensor* const* constants,
                   int32_t threads, qc_plan** out, qc_plan_info* info) {
  try {
    if (!WhyNot(*d).empty()) return QC_UNSUPPORTED;
    if (kFault == Fault::one_plan_alive && plans_alive > 0) return QC_INTERNAL;
    if (Plan* kept = kFault == Fault::plans_by_shape ? KeptPlan(*d) : nullptr) {
      *out = reinterpret_cast<qc_plan*>(kept);
      std::snprintf(info->path, sizeof info->path, "saboteur");
      info->workspace_bytes = 40;
      return QC_OK;
    }
    auto* plan = new Plan{{*d, constants, SchemeOf(*d)}};
    const qc_descriptor& own = plan->call.get();
    plan->attributes = *own.attributes;
    plan->kind = d->kind;
    plan->threads = threads;
    plan->x = *own.inputs[0];
    plan->y = *own.outputs[0];
    plan->own_arithmetic = HasOwnArithmetic(*d);
    if (plan->own_arithmetic) {
      plan->w = *own.inputs[1];
      plan->bias_s32_scheme = UsesBiasS32(*d);
      plan->has_bias = HasBias(*d);
      PlanFromCache(*plan, constants);
      PlanWeights(*plan, constants);
    }
    std::snprintf(info->path, sizeof info->path, "%s", ClaimedPath(*plan).c_str());
    info->workspace_bytes = kFault == Fault::workspace_too_small ? 8 : 40;
    if (kFault == Fault::aligns_to_three) info->workspace_alignment = 3;
    HarmInPlan(*plan, *d);
    plan->number = ++plans_made;
    ++plans_alive;
    if (kFault == Fault::plans_by_shape) KeptPlan(*d) = plan;
    *out = reinterpret_cast<qc_plan*>(plan);
    return QC_OK;
  } catch (const std::exception&) {
    return QC_INTERNAL;
  }
}

qc_status Run(qc_plan* handle, const qc_tensor* const* inputs, qc_tensor* const* outputs,
              void* workspace) {
  auto* plan = reinterpret_cast<Plan*>(handle);
  qc_status status = QC_OK;
  ++plan->calls;
  if (kFault == Fault::runs_latest_plan && plan->number != plans_made) return QC_INTERNAL;
  if (MisbehaveBefore(*plan, status)) return status;
  HarmInRun(*plan);
  qc_tensor& y = *outputs[0];
  const bool leaves_last =
      kFault == Fault::unwritten_tail && IsCode(y.dtype) && Count(y) > 0;
  auto* last = static_cast<uint8_t*>(y.data) + (leaves_last ? ByteExtent(y) - 1 : 0);
  const uint8_t before = leaves_last ? *last : 0;
  try {
    std::vector<const qc_tensor*> seen(inputs, inputs + plan->call.input_count());
    std::array<qc_tensor, 2> misread = {};
    MisreadInputs(seen, misread);
    qc_tensor kept = MisreadOutput(y);
    if (plan->own_arithmetic) {
      RunWeights(*plan, *seen[0], kept);
    } else {
      std::vector<qc_tensor*> written(outputs, outputs + plan->call.output_count());
      written[0] = &kept;
      if (kFault == Fault::plans_by_shape) {
        kept.scale = plan->y.scale;
        kept.zero_point = plan->y.zero_point;
      }
      status = RunEdited(*plan, seen.data(), written.data());
    }
  } catch (const std::exception&) {
    return QC_INTERNAL;
  }
  WriteIntoGap(y);
  if (leaves_last) *last = before;
  MisbehaveAfter(*plan, inputs, outputs, workspace);
  return status;
}

void Destroy(qc_plan* plan) {
  --plans_alive;
  if (kFault == Fault::leaks_plans || kFault == Fault::plans_by_shape) return;
  if (kFault == Fault::crash_in_destroy) {
    volatile uintptr_t nowhere = 8;
    *reinterpret_cast<volatile uint8_t*>(nowhere) = 1;
  }
  delete reinterpret_cast<Plan*>(plan);
}

// Claims each operator that query accepts by itself.
qc_status Partition(void*, const qc_program* program, qc_claim claim, void* sink) {
  const int32_t count = kFault == Fault::claims_first_alone ? 1 : program->operator_count;
  for (int32_t i = 0; i < count; ++i) {
    const qc_program_operator& op = *program->operators[i];
    if (!WhyNot(*op.descriptor).empty()) continue;
    if (kFault == Fault::falls_back && op.descriptor->kind == QC_CONV) continue;
    claim(sink, &op.index, 1);
    // A group for every reader of a value.
    if (kFault == Fault::claims_again && i == 2) claim(sink, &op.index, 1);
    if (kFault == Fault::claims_next && i == 0) {
      const int32_t next = program->operator_count;
      claim(sink, &next, 1);
    }
  }
  return QC_OK;
}

const char* const kConfig =
#include "conformance/saboteurs/config.inc"
    ;

}  // namespace

const qc_backend* Table() {
  if (kFault == Fault::prints_on_load) std::fprintf(stderr, "saboteur: loaded\n");
  static const qc_backend table = {sizeof(qc_backend),
                                   QC_ABI_MAJOR,
                                   QC_ABI_MINOR,
                                   "saboteur",
                                   "1",
                                   kConfig,
                                   nullptr,
                                   Query,
                                   MakePlan,
                                   Run,
                                   Destroy,
                                   Partition};
  return &table;
}

}  // namespace saboteur
