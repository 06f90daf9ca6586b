#include "conformance/contract/kernel/live_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "conformance/compare/exact.h"

namespace qconform {
namespace {

// 2^-24 .. 2^24: from the least scale that configs name to any that data have.
constexpr int kSteps = 24;

bool IsLive(const OperatorCall& call) {
  const auto want = ReferenceOutputs(call, call.scheme);
  return !want || ReasonForMistrust(call, *want).empty();
}

// False if the bounds leave the scale where it was.
bool MoveScale(const DTypeWithConstraints& bounds, CallSide side, int exponent,
               OperatorCall& call) {
  if (exponent == 0) return true;
  if (bounds.scale_exact_match) return false;
  bool moved = false;
  for (CallTensor* tensor : TensorsOf(call, side)) {
    if (tensor->scale.empty()) continue;
    SetQparams(
        *tensor,
        [&](float scale) {
          float next = std::ldexp(scale, exponent);
          if (bounds.scale_min_lower_bound) {
            next = std::max(next, static_cast<float>(*bounds.scale_min_lower_bound));
          }
          if (bounds.scale_max_upper_bound) {
            next = std::min(next, static_cast<float>(*bounds.scale_max_upper_bound));
          }
          moved |= next != scale;
          return next;
        },
        [](int64_t zero_point) { return zero_point; });
  }
  return moved;
}

// Bias, gamma and beta.
void ScaleConstants(int exponent, OperatorCall& call) {
  for (auto& input : call.inputs) {
    if (!input || !input->constant || input->dtype != QC_F32) continue;
    for (size_t i = 0; i + 4 <= input->data.size(); i += 4) {
      float value = 0;
      std::memcpy(&value, input->data.data() + i, 4);
      value = std::ldexp(value, exponent);
      std::memcpy(input->data.data() + i, &value, 4);
    }
  }
}

// By rising distance: 0, 1, -1, 2, -2, ...
int Exponent(int step) { return step % 2 == 1 ? (step + 1) / 2 : -step / 2; }

}  // namespace

bool KeepLive(const DTypeConfig& config, std::optional<CallSide> fixed,
              OperatorCall& call) {
  if (IsLive(call)) return true;
  if (SharesQparams(call)) return false;
  const bool input_moves = fixed != CallSide::kInput;
  const bool output_moves = fixed != CallSide::kOutput;
  for (const int constants : {0, -4, -8, -12}) {
    for (int i = 0; i <= (input_moves ? 2 * kSteps : 0); ++i) {
      for (int o = 0; o <= (output_moves ? 2 * kSteps : 0); ++o) {
        OperatorCall moved = call;
        ScaleConstants(constants, moved);
        if (MoveScale(config.input_dtype, CallSide::kInput, Exponent(i), moved) &&
            MoveScale(config.output_dtype, CallSide::kOutput, Exponent(o), moved) &&
            IsLive(moved)) {
          call = std::move(moved);
          return true;
        }
      }
    }
  }
  return false;
}

std::string FitLive(const DTypeConfig& config, OperatorCall& call) {
  const std::string objection = FitCall(config, call);
  if (!objection.empty()) return objection;
  const std::vector<std::string> schemes = ReferenceSchemes(call);
  if (schemes.empty()) {
    OperatorCall any = call;
    any.scheme.clear();
    return "the reference has no definition: " + ReferenceObjection(any);
  }
  const bool integer_bias = !TensorsOf(call, CallSide::kBias).empty() &&
                            TensorsOf(call, CallSide::kBias)[0]->dtype == QC_S32;
  const bool knows =
      std::find(schemes.begin(), schemes.end(), call.scheme) != schemes.end();
  if (integer_bias || !knows) call.scheme = schemes.front();
  KeepLive(config, std::nullopt, call);
  return "";
}

}  // namespace qconform
