#include "conformance/infer/call_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "conformance/compare/exact.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/host/code_element.h"

namespace qconform {
namespace {

void MoveIntoRange(CallTensor& tensor) {
  if (!IsQuantizedCode(tensor)) return;
  const CodeBounds bounds = BoundsOf(tensor);
  for (int32_t& zero_point : tensor.zero_point)
    zero_point =
        static_cast<int32_t>(std::clamp<int64_t>(zero_point, bounds.min, bounds.max));
  for (int64_t i = 0; i < std::ssize(tensor.data); ++i)
    SetCodeAt(tensor, i, std::clamp<int64_t>(CodeAt(tensor, i), bounds.min, bounds.max));
}

enum class Data { kLowest, kHighest, kRamp };

void SetData(CallTensor& tensor, Data data) {
  if (!IsQuantizedCode(tensor)) return;
  const CodeBounds bounds = BoundsOf(tensor);
  const int64_t codes = bounds.max - bounds.min + 1;
  for (int64_t i = 0; i < std::ssize(tensor.data); ++i) {
    // 37 is odd: every code of a whole range comes, neighbours far apart.
    const int64_t ramp = bounds.min + i * 37 % codes;
    const int64_t code = data == Data::kRamp     ? ramp
                         : data == Data::kLowest ? bounds.min
                                                 : bounds.max;
    SetCodeAt(tensor, i, code);
  }
}

// So that the largest output takes a third of the range.
void FitOutputScale(OperatorCall& call) {
  if (call.outputs.empty() || !IsQuantizedCode(call.outputs[0]) || SharesQparams(call))
    return;
  OperatorCall real = call;
  CallTensor& output = real.outputs[0];
  output.dtype = QC_F32;
  output.scale.clear();
  output.zero_point.clear();
  output.quant_min = output.quant_max = 0;
  const auto values = ReferenceOutputs(real, "");
  if (!values) return;
  double largest = 0;
  for (int64_t i = 0; i < NumElements(output.shape); ++i)
    largest = std::max(largest, std::abs(ElementAt(output, (*values)[0], i)));
  if (!std::isfinite(largest) || largest == 0) return;
  const CodeBounds bounds = BoundsOf(call.outputs[0]);
  const auto scale =
      static_cast<float>(largest * 3 / static_cast<double>(bounds.max - bounds.min));
  if (scale > 0)
    SetQparams(
        call.outputs[0], [&](float) { return scale; },
        [](int64_t zero_point) { return zero_point; });
}

std::string DifferenceText(const OperatorCall& call, const FormatRun& run,
                           const std::vector<Bytes>& want, const Difference& difference) {
  const size_t o = difference.output;
  const CallTensor& y = call.outputs[o];
  return fmt::format(
      "{} got {} want {}, {} of {} elements differ", ElementName(y, o, difference.index),
      ElementAt(y, run.outputs[o], difference.index),
      ElementAt(y, want[o], difference.index), difference.wrong, difference.elements);
}

}  // namespace

std::vector<OperatorCall> StressCalls(const OperatorCall& call,
                                      std::optional<CallSide> fixed) {
  OperatorCall moved = call;
  for (auto& input : moved.inputs)
    if (input) MoveIntoRange(*input);
  for (CallTensor& output : moved.outputs) MoveIntoRange(output);
  std::vector<OperatorCall> calls = {moved};
  struct Pair {
    Data input;
    Data weight;
  };
  for (const Pair data : {Pair{Data::kHighest, Data::kHighest},
                          {Data::kHighest, Data::kLowest},
                          {Data::kLowest, Data::kLowest},
                          {Data::kLowest, Data::kHighest},
                          {Data::kRamp, Data::kRamp}}) {
    OperatorCall stressed = moved;
    for (CallTensor* tensor : TensorsOf(stressed, CallSide::kInput))
      SetData(*tensor, data.input);
    const std::vector<CallTensor*> weights = TensorsOf(stressed, CallSide::kWeight);
    for (CallTensor* tensor : weights) SetData(*tensor, data.weight);
    // Without weights the same data would come again.
    if (weights.empty() && data.input != data.weight) continue;
    if (fixed != CallSide::kOutput) FitOutputScale(stressed);
    calls.push_back(std::move(stressed));
  }
  return calls;
}

CallChecker::CallChecker(CallTarget& target, std::string scheme)
    : target_(target), scheme_(std::move(scheme)) {}

CallAnswer CallChecker::CheckOne(const OperatorCall& call, CallMode mode) {
  ++calls_;
  OperatorCall asked = call;
  asked.scheme.clear();
  const CallOutcome outcome = target_.Call(asked, mode);
  if (outcome.end != CallEnd::kReplied)
    return {Honour::kFailed,
            fmt::format("{} in {}", outcome.signal.empty() ? "it ends" : outcome.signal,
                        outcome.phase)};
  const CallReply& reply = outcome.reply;
  if (!reply.supported) return {Honour::kRefused, reply.reason};
  if (reply.runs.empty()) return {Honour::kFailed, "no run"};
  const std::string& scheme = scheme_.empty() ? reply.scheme : scheme_;
  auto want = ReferenceOutputs(asked, scheme);
  if (!want) want = ReferenceOutputs(asked, "");
  if (!want) return {Honour::kRefused, "the reference has no definition of the call"};
  for (const FormatRun& run : reply.runs) {
    if (run.problem != RunProblem::kNone) return {Honour::kFailed, run.detail};
    const Difference difference = CompareExactly(asked.outputs, run.outputs, *want);
    if (!difference.equal())
      return {Honour::kWrong, DifferenceText(asked, run, *want, difference)};
  }
  return {};
}

CallAnswer CallChecker::Check(const OperatorCall& call, std::optional<CallSide> fixed,
                              CheckedData data) {
  const std::vector<OperatorCall> calls = StressCalls(call, fixed);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (data == CheckedData::kFew && i > 0 && i + 1 < calls.size()) continue;
    const CallAnswer answer = CheckOne(calls[i], CallMode::kOnce);
    if (answer.honour == Honour::kRefused && i > 0) continue;
    if (answer.honour != Honour::kRight) return answer;
  }
  return {};
}

CallAnswer CallChecker::Judge(const OperatorCall& call) {
  const std::vector<OperatorCall> calls = StressCalls(call, {});
  const CallAnswer answer = CheckOne(calls.front(), CallMode::kJudge);
  if (answer.honour != Honour::kRight) return answer;
  const CallAnswer mixed = CheckOne(calls.back(), CallMode::kJudge);
  return mixed.honour == Honour::kRefused ? answer : mixed;
}

}  // namespace qconform
