#include "conformance/infer/bound_search.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "conformance/host/code_element.h"

namespace qconform {
namespace {

DTypeWithConstraints& DTypeOf(DTypeConfig& config, CallSide side) {
  if (side == CallSide::kInput) return config.input_dtype;
  return side == CallSide::kWeight ? config.weight_dtype : config.output_dtype;
}

class BoundSearch {
 public:
  BoundSearch(const OperatorCall& call, const DTypeConfig& plain,
              const DTypeConfig* declared, CallChecker& checker)
      : call_(call), declared_(declared), checker_(checker) {
    found_.dtypes = plain;
  }

  InferredBounds Take() {
    if (!FindSeed()) return std::move(found_);
    shares_ = SharesQparams(call_);
    for (const CallSide side : {CallSide::kInput, CallSide::kWeight, CallSide::kOutput}) {
      const std::vector<CallTensor*> tensors = TensorsOf(call_, side);
      if (tensors.empty() || !IsQuantizedCode(*tensors[0])) continue;
      if (shares_ && side == CallSide::kOutput) {
        const DTypeConfig shared = found_.dtypes;
        const auto dtype = found_.dtypes.output_dtype.dtype;
        found_.dtypes.output_dtype = shared.input_dtype;
        found_.dtypes.output_dtype.dtype = dtype;
      } else {
        WidenRange(side);
        WidenScale(side);
        TryZeroPoints(side);
      }
      if (declared_ != nullptr) SpellAsDeclared(side);
    }
    found_.call = call_;
    return std::move(found_);
  }

 private:
  // A call that is honoured, as wide as can be guessed.
  bool FindSeed() {
    std::vector<OperatorCall> seeds = {call_};
    if (declared_ != nullptr) {
      OperatorCall fitted = call_;
      if (FitCall(*declared_, fitted).empty()) seeds.push_back(std::move(fitted));
    }
    // One code less at both ends, then halves, from zero or around the middle; of one
    // side, then of all.
    for (const int kept : {254, 128, 64, 16}) {
      for (const bool middle : {false, true}) {
        for (const std::vector<CallSide>& sides :
             {std::vector<CallSide>{CallSide::kInput},
              {CallSide::kWeight},
              {CallSide::kInput, CallSide::kWeight},
              {CallSide::kInput, CallSide::kWeight, CallSide::kOutput}}) {
          OperatorCall narrow = call_;
          for (const CallSide side : sides)
            for (CallTensor* tensor : TensorsOf(narrow, side))
              Narrow(*tensor, kept, middle);
          seeds.push_back(std::move(narrow));
        }
      }
    }
    bool first = true;
    for (OperatorCall& seed : seeds) {
      const CallAnswer answer = checker_.Check(seed);
      if (answer.honour == Honour::kRight) {
        call_ = std::move(seed);
        found_.answer = {};
        return true;
      }
      if (first) found_.answer = answer;
      // A crash is not tried again in twenty ways.
      if (answer.honour == Honour::kFailed) return false;
      first = false;
    }
    return false;
  }

  static void Narrow(CallTensor& tensor, int kept, bool middle) {
    if (!IsQuantizedCode(tensor)) return;
    const bool from_zero = tensor.dtype == QC_U8 && !middle && kept < 254;
    const int64_t center = tensor.dtype == QC_U8 ? 128 : 0;
    const int64_t lowest = from_zero ? 0 : center - kept / 2;
    tensor.quant_min = static_cast<int32_t>(lowest);
    tensor.quant_max = static_cast<int32_t>(lowest + kept - 1);
  }

  OperatorCall WithRange(CallSide side, CodeBounds range) const {
    OperatorCall call = call_;
    for (CallTensor* tensor : TensorsOf(call, side)) {
      const CodeBounds whole = AllCodes(tensor->dtype);
      const bool all = range.min == whole.min && range.max == whole.max;
      tensor->quant_min = all ? 0 : static_cast<int32_t>(range.min);
      tensor->quant_max = all ? 0 : static_cast<int32_t>(range.max);
    }
    if (shares_) ShareQparams(call, side);
    return call;
  }

  bool Honours(const OperatorCall& call, std::optional<CallSide> fixed = {},
               CheckedData data = CheckedData::kAll) {
    return checker_.Check(call, fixed, data).honour == Honour::kRight;
  }

  void WidenRange(CallSide side) {
    const CallTensor& tensor = *TensorsOf(call_, side)[0];
    const CodeBounds whole = AllCodes(tensor.dtype);
    CodeBounds range = BoundsOf(tensor);
    const auto honours = [&](int64_t min, int64_t max) {
      return Honours(WithRange(side, {min, max}));
    };
    // The last code that is honoured, of those from `good` to the end.
    if (range.max < whole.max) {
      int64_t bad = whole.max + 1;
      if (honours(range.min, whole.max)) range.max = whole.max;
      while (bad - range.max > 1) {
        const int64_t middle = (range.max + bad) / 2;
        (honours(range.min, middle) ? range.max : bad) = middle;
      }
    }
    if (range.min > whole.min) {
      int64_t bad = whole.min - 1;
      if (honours(whole.min, range.max)) range.min = whole.min;
      while (range.min - bad > 1) {
        const int64_t middle = bad + (range.min - bad) / 2;
        (honours(middle, range.max) ? range.min : bad) = middle;
      }
    }
    call_ = WithRange(side, range);
    if (range.min == whole.min && range.max == whole.max) return;
    DTypeWithConstraints& dtype = DTypeOf(found_.dtypes, side);
    dtype.quant_min_lower_bound = range.min;
    dtype.quant_max_upper_bound = range.max;
  }

  bool HonoursScale(CallSide side, float scale) {
    OperatorCall call = call_;
    for (CallTensor* tensor : TensorsOf(call, side))
      SetQparams(
          *tensor, [&](float) { return scale; },
          [](int64_t zero_point) { return zero_point; });
    if (shares_) ShareQparams(call, side);
    return Honours(call, side, CheckedData::kFew);
  }

  // From a scale that is honoured, by eights of powers of two toward `end`; then to the
  // last float that is. nullopt: no bound on the way.
  std::optional<float> LastScale(CallSide side, float from, float end) {
    const bool up = end > from;
    float good = from;
    float bad = from;
    while (good != end) {
      float next = std::ldexp(good, up ? 8 : -8);
      if (up ? next > end : next < end) next = end;
      if (!HonoursScale(side, next)) {
        bad = next;
        break;
      }
      good = next;
    }
    if (good == end) return std::nullopt;
    // Positive floats are ordered as their bits are.
    auto good_bits = std::bit_cast<int32_t>(good);
    auto bad_bits = std::bit_cast<int32_t>(bad);
    while (std::abs(bad_bits - good_bits) > 1) {
      const int32_t middle = good_bits + (bad_bits - good_bits) / 2;
      (HonoursScale(side, std::bit_cast<float>(middle)) ? good_bits : bad_bits) = middle;
    }
    return std::bit_cast<float>(good_bits);
  }

  void WidenScale(CallSide side) {
    const float seed = TensorsOf(call_, side)[0]->scale[0];
    DTypeWithConstraints& dtype = DTypeOf(found_.dtypes, side);
    const auto low = LastScale(side, seed, std::ldexp(1.0f, -kLargestScaleExponent));
    const auto high = LastScale(side, seed, std::ldexp(1.0f, kLargestScaleExponent));
    if (low && high && *low == *high) {
      dtype.scale_exact_match = *low;
      return;
    }
    if (low) dtype.scale_min_lower_bound = *low;
    if (high) dtype.scale_max_upper_bound = *high;
  }

  void TryZeroPoints(CallSide side) {
    const CallTensor& tensor = *TensorsOf(call_, side)[0];
    if (tensor.zero_point.empty()) return;
    const int32_t seed = tensor.zero_point[0];
    const CodeBounds bounds = BoundsOf(tensor);
    bool any = false;
    for (const int64_t other :
         {bounds.min, bounds.max, int64_t{seed} - 1, int64_t{seed} + 1}) {
      if (any || other == seed || other < bounds.min || other > bounds.max) continue;
      OperatorCall call = call_;
      for (CallTensor* each : TensorsOf(call, side))
        SetQparams(
            *each, [](float scale) { return scale; }, [&](int64_t) { return other; });
      if (shares_) ShareQparams(call, side);
      any = Honours(call, side, CheckedData::kFew);
    }
    only_zero_point_ = !any;
    if (any) return;
    DTypeWithConstraints& dtype = DTypeOf(found_.dtypes, side);
    if (dtype.scale_exact_match) {
      dtype.zero_point_exact_match = seed;
    } else {
      found_.notes.push_back(
          fmt::format("{} zero point {} only", CallSideName(side), seed));
    }
  }

  // Bounds that say nothing, and what torch has no word for, as the author wrote it.
  void SpellAsDeclared(CallSide side) {
    DTypeConfig copy = *declared_;
    const DTypeWithConstraints& written = DTypeOf(copy, side);
    DTypeWithConstraints& dtype = DTypeOf(found_.dtypes, side);
    const CodeBounds whole = AllCodes(TensorsOf(call_, side)[0]->dtype);
    if (!dtype.quant_min_lower_bound && written.quant_min_lower_bound == whole.min)
      dtype.quant_min_lower_bound = whole.min;
    if (!dtype.quant_max_upper_bound && written.quant_max_upper_bound == whole.max)
      dtype.quant_max_upper_bound = whole.max;
    if (written.qscheme == QSchemeConstraint::kSymmetric && only_zero_point_)
      dtype.qscheme = written.qscheme;
    if (written.granularity && !HonoursOther(side, *written.granularity)) {
      dtype.granularity = written.granularity;
      dtype.channel_axis = written.channel_axis;
    }
  }

  // The other granularity than the declared one.
  bool HonoursOther(CallSide side, Granularity granularity) {
    DTypeConfig other = found_.dtypes;
    DTypeOf(other, side).granularity = granularity == Granularity::kPerTensor
                                           ? Granularity::kPerChannel
                                           : Granularity::kPerTensor;
    OperatorCall call = call_;
    return FitCall(other, call).empty() && Honours(call, {}, CheckedData::kFew);
  }

  OperatorCall call_;  // honoured
  const DTypeConfig* declared_;
  CallChecker& checker_;
  InferredBounds found_;
  bool shares_ = false;
  bool only_zero_point_ = false;  // of the side at hand
};

}  // namespace

InferredBounds FindBounds(const OperatorCall& call, const DTypeConfig& plain,
                          const DTypeConfig* declared, CallChecker& checker) {
  return BoundSearch(call, plain, declared, checker).Take();
}

}  // namespace qconform
