// Faults beside the arithmetic: memory, threads, the process, the floating point
// environment, and what is claimed. Memory faults need an element to stand beside.
#include <unistd.h>
#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "conformance/saboteurs/saboteur_plan.h"

namespace saboteur {
namespace {

void WriteTo(uintptr_t address) {
  volatile uintptr_t nowhere = address;
  auto* byte = reinterpret_cast<volatile uint8_t*>(nowhere);
  *byte = *byte + 1;
}

void FreeTwice() {
  // Too large for the allocator's caches, and behind a volatile: the compiler may
  // neither see the mistake nor leave the pair out.
  void* volatile table = std::malloc(4096);
  std::free(table);
  std::free(table);
}

void SpoilFirst(qc_tensor& y) {
  auto* bytes = static_cast<volatile uint8_t*>(y.data);
  bytes[0] = bytes[0] ^ 1;
}

// Adds nothing, but the compiler does not know.
void Touch(qc_tensor& y, uint8_t value) {
  auto* bytes = static_cast<volatile uint8_t*>(y.data);
  bytes[0] = bytes[0] + 0 * value;
}

// The rows that torch's ceil mode drops, which the formula alone keeps.
bool DropsWindows(const Plan& plan) {
  const qc_attributes& a = plan.attributes;
  if (plan.kind != QC_MAX_POOL && plan.kind != QC_AVG_POOL) return false;
  for (int d = 0; d < a.spatial_rank && a.ceil_mode != 0; ++d) {
    const int64_t stride = a.stride[d] == 0 ? a.kernel[d] : a.stride[d];
    const int64_t dilation = a.dilation[d] == 0 ? 1 : a.dilation[d];
    const int64_t room = plan.x.shape[2 + d] + a.padding_before[d] + a.padding_after[d] -
                         dilation * (a.kernel[d] - 1) - 1;
    if ((room + stride - 1) / stride + 1 > plan.y.shape[2 + d]) return true;
  }
  return false;
}

void MisbehaveInMemory(Plan& plan, const qc_tensor& x, qc_tensor& y, void* workspace) {
  auto* bytes = static_cast<volatile uint8_t*>(y.data);
  const bool has_input = Count(x) > 0;
  const auto* read = static_cast<const volatile uint8_t*>(x.data);
  switch (kFault) {
    case Fault::write_past_end:
      bytes[ByteExtent(y)] = 1;
      break;
    case Fault::write_before_start:
      bytes[-1] = 1;
      break;
    case Fault::read_past_end:
      if (has_input) Touch(y, read[ByteExtent(x) + 3]);
      break;
    case Fault::read_past_row:
      // A vector of eight from the start of the last row's tail.
      if (has_input) Touch(y, read[ByteExtent(x) / 8 * 8 + 7]);
      break;
    case Fault::write_input:
      if (has_input) static_cast<volatile uint8_t*>(x.data)[0] = 7;
      break;
    case Fault::keep_constants:
      if (plan.kept != nullptr && !plan.weights.empty())
        Touch(y, *static_cast<const volatile uint8_t*>(plan.kept));
      break;
    case Fault::ceil_without_drop_rule:
      if (DropsWindows(plan)) bytes[ByteExtent(y)] = 1;
      break;
    case Fault::workspace_too_small:
      static_cast<volatile uint8_t*>(workspace)[15] = 1;
      break;
    case Fault::workspace_unset:
      if (static_cast<volatile uint8_t*>(workspace)[3] % 2 == 0) SpoilFirst(y);
      break;
    case Fault::changes_descriptions:
      y.shape[0] = 0;
      break;
    default:
      break;
  }
}

}  // namespace

bool MisbehaveBefore(Plan& plan, qc_status& status) {
  switch (kFault) {
    case Fault::crash_in_run:
      WriteTo(8);
      break;
    case Fault::free_twice:
      FreeTwice();
      break;
    case Fault::exit_in_run:
      std::exit(0);
    case Fault::status_from_run:
      status = QC_INTERNAL;
      return true;
    case Fault::hang_in_run: {
      volatile bool forever = true;
      while (forever) {
      }
      break;
    }
    case Fault::print:
      std::printf("saboteur: call %d\n", plan.calls);
      break;
    case Fault::writes_nothing:
      return true;
    case Fault::divide_by_size: {
      const volatile int64_t tiles = 64, elements = Count(plan.y);
      plan.calls += static_cast<int>(tiles / elements);
      break;
    }
    case Fault::empty_minimum:
      // What dynamic quantization looks for where there is nothing.
      if ((plan.kind == QC_DYNAMIC_QUANTIZE || plan.attributes.dynamic != 0) &&
          Count(plan.x) == 0)
        WriteTo(8);
      break;
    case Fault::one_plan_at_a_time:
      if (plan.own_arithmetic)
        plan.weights = *static_cast<const std::vector<int8_t>*>(plan.kept);
      plan.weights.resize(plan.own_arithmetic ? static_cast<size_t>(Count(plan.w)) : 0);
      break;
    default:
      break;
  }
  return false;
}

void MisbehaveAfter(Plan& plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                    void* workspace) {
  qc_tensor& y = *outputs[0];
  switch (kFault) {
    case Fault::leaves_rounding_mode:
      std::fesetround(FE_UPWARD);
      break;
    case Fault::flushes_denormals:
      _mm_setcsr(_mm_getcsr() | 0x8040);
      break;
    case Fault::unmasks_exceptions:
      // The divide-by-zero bit of the masks.
      _mm_setcsr(_mm_getcsr() & ~0x0200u);
      break;
    case Fault::leaves_x87_precision: {
      const uint16_t single = 0x007F;
      __asm__ volatile("fldcw %0" : : "m"(single));
      break;
    }
    case Fault::leaves_x87_in_use:
      __asm__ volatile("pxor %%mm0, %%mm0" : : :);
      break;
    case Fault::leaks_threads: {
      // No more than the process has room for.
      static std::atomic<int> left = 200;
      if (left-- > 0) std::thread([] { pause(); }).detach();
      break;
    }
    default:
      break;
  }
  if (Count(y) == 0) return;
  MisbehaveInMemory(plan, *inputs[0], y, workspace);
  // Gaps between rows are not its own to write.
  if (kFault == Fault::first_result_for_all && ByteExtent(y) == Count(y) * ItemBytes(y)) {
    auto* bytes = static_cast<uint8_t*>(y.data);
    if (plan.first_result.empty())
      plan.first_result.assign(bytes, bytes + ByteExtent(y));
    else
      std::copy(plan.first_result.begin(), plan.first_result.end(), bytes);
  }
  if (kFault == Fault::catches_faults) std::signal(SIGSEGV, SIG_IGN);
  if (kFault == Fault::second_call && plan.calls % 2 == 0) SpoilFirst(y);
  if (kFault == Fault::thirteenth_run && plan.calls == 13) SpoilFirst(y);
  if (kFault == Fault::every_tenth_plan && plan.number % 10 == 0) SpoilFirst(y);
  if (kFault == Fault::depends_on_threads && plan.threads > 1) SpoilFirst(y);
  if (kFault == Fault::many_threads && plan.threads >= 4) SpoilFirst(y);
  if (kFault == Fault::four_threads && plan.threads == 4) SpoilFirst(y);
  if (kFault == Fault::eight_threads && plan.threads >= 8) SpoilFirst(y);
}

std::string ClaimedPath(const Plan&) {
  static int plans = 0;
  ++plans;
  // No machine has both.
#if defined(__x86_64__)
  if (kFault == Fault::claims_missing_path) return "dotprod";
#else
  if (kFault == Fault::claims_missing_path) return "avx2";
#endif
#if defined(__x86_64__)
  if (kFault == Fault::claims_other_path) return "avx2";
#else
  if (kFault == Fault::claims_other_path) return "neon";
#endif
  if (kFault == Fault::names_no_path) return "";
  if (kFault == Fault::changes_path) return plans % 2 == 0 ? "fast" : "slow";
  return "saboteur";
}

}  // namespace saboteur
