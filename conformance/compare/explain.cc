#include "conformance/compare/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "conformance/compare/hypotheses.h"
#include "conformance/compare/pair_saturation.h"
#include "conformance/compare/rounding.h"
#include "conformance/compare/window.h"

namespace qconform {
namespace {

// Beyond so many multiplications the known mistakes are not computed.
constexpr int64_t kLargestRepeat = 20'000'000;
constexpr size_t kProductsShown = 8;
constexpr size_t kBorderSample = 256;
constexpr size_t kWrongShown = 5;

std::vector<int64_t> WrongElements(const CallTensor& y, const Bytes& got,
                                   const Bytes& want, size_t at_most) {
  std::vector<int64_t> wrong;
  const size_t item = AbiItemSize(y.dtype);
  for (int64_t i = 0; i < NumElements(y.shape) && wrong.size() < at_most; ++i) {
    const size_t at = static_cast<size_t>(i) * item;
    if (!std::equal(&got[at], &got[at] + item, &want[at])) wrong.push_back(i);
  }
  return wrong;
}

// Every wrong element's window lies over padding, and not every element's does.
std::optional<Cause> FindBorder(const OperatorCall& call, const std::vector<Bytes>& got,
                                const std::vector<Bytes>& want) {
  if (!HasWindows(call) || call.kind != QC_CONV) return std::nullopt;
  for (const int64_t index :
       WrongElements(call.outputs[0], got[0], want[0], kBorderSample)) {
    const Window window = WindowOf(call, index);
    if (std::none_of(window.products.begin(), window.products.end(),
                     [](const WindowProduct& p) { return p.padding; }))
      return std::nullopt;
  }
  return Cause{"padding", "every wrong element touches the padding"};
}

// All wrong elements lie in the channels behind the last whole vector.
std::optional<Cause> FindTail(const OperatorCall& call, const std::vector<Bytes>& got,
                              const std::vector<Bytes>& want) {
  if (!HasWindows(call)) return std::nullopt;
  const CallTensor& y = call.outputs[0];
  const int64_t channels = call.inputs[1]->shape[0];
  int64_t first = channels;
  int64_t inner = 1;
  if (call.kind == QC_CONV)
    for (size_t d = 2; d < y.shape.size(); ++d) inner *= y.shape[d];
  for (const int64_t index : WrongElements(y, got[0], want[0], got[0].size()))
    first = std::min(first, index / inner % channels);
  for (const int64_t lanes : {64, 32, 16, 8, 4})
    if (channels > lanes && first >= channels / lanes * lanes)
      return Cause{"tail", fmt::format("all wrong elements lie in the last {} of {} "
                                       "channels, behind whole vectors of {}",
                                       channels - first, channels, lanes)};
  return std::nullopt;
}

std::optional<Cause> FindCause(const OperatorCall& call, const std::string& scheme,
                               const std::vector<Bytes>& got,
                               const std::vector<Bytes>& want,
                               const Difference& difference) {
  if (call.outputs.size() != 1) return std::nullopt;
  std::optional<Cause> cause;
  const bool affordable = Multiplications(call) <= kLargestRepeat;
  if (affordable) cause = FindMistake(call, scheme, got);
  if (!cause && affordable && difference.all_by_one)
    cause = FindRounding(call, scheme, got, want);
  if (!cause) cause = FindPairSaturation(call, got, want);
  if (!cause) cause = FindBorder(call, got, want);
  if (!cause) cause = FindTail(call, got, want);
  return cause;
}

std::string InputsOf(const OperatorCall& call, int64_t index) {
  if (!HasWindows(call)) return "";
  const Window window = WindowOf(call, index);
  const size_t shown = std::min(kProductsShown, window.products.size());
  std::string x;
  std::string w;
  int64_t sum = 0;
  const CallTensor& input = *call.inputs[0];
  const CallTensor& weight = *call.inputs[1];
  const auto zero = [](const CallTensor& tensor, int64_t channel) {
    if (tensor.zero_point.empty()) return 0;
    return tensor.zero_point[tensor.axis < 0 ? 0 : static_cast<size_t>(channel)];
  };
  for (size_t i = 0; i < window.products.size(); ++i) {
    const WindowProduct& p = window.products[i];
    sum += int64_t{p.x - zero(input, 0)} * (p.w - zero(weight, window.output_channel));
    if (i >= shown) continue;
    x += fmt::format("{}{}", i == 0 ? "" : " ", p.padding ? "pad" : std::to_string(p.x));
    w += fmt::format("{}{}", i == 0 ? "" : " ", p.w);
  }
  return fmt::format("x [{}]  w [{}]  ({} of {} products)  acc {}", x, w, shown,
                     window.products.size(), sum);
}

}  // namespace

Explanation Explain(const OperatorCall& call, const std::string& scheme,
                    const std::vector<Bytes>& got, const std::vector<Bytes>& want,
                    const Difference& difference) {
  const size_t o = difference.output;
  const CallTensor& y = call.outputs[o];
  Explanation explanation;
  explanation.lines.push_back(fmt::format(
      "{} got {} want {}", ElementName(y, o, difference.index),
      ElementAt(y, got[o], difference.index), ElementAt(y, want[o], difference.index)));
  explanation.lines.push_back(fmt::format("{} of {} elements differ, by {} at most",
                                          difference.wrong, difference.elements,
                                          difference.largest));
  if (const auto cause = FindCause(call, scheme, got, want, difference)) {
    explanation.cause = cause->name;
    explanation.lines.push_back(cause->text);
  }
  if (const std::string inputs = InputsOf(call, difference.index); !inputs.empty())
    explanation.lines.push_back(inputs);
  std::string more;
  for (const int64_t index : WrongElements(y, got[o], want[o], kWrongShown))
    if (index != difference.index)
      more += fmt::format("{}{} got {} want {}", more.empty() ? "then " : ", ",
                          ElementName(y, o, index), ElementAt(y, got[o], index),
                          ElementAt(y, want[o], index));
  if (!more.empty()) explanation.lines.push_back(more);
  return explanation;
}

}  // namespace qconform
