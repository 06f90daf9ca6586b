// RESHAPE, TRANSPOSE, SLICE, PAD: every output element is one input element or the fill.
#include "reference/numerics/padded_index.h"
#include "reference/numerics/quantize_value.h"
#include "reference/numerics/same_shape.h"

namespace qconform {
namespace {

constexpr int64_t kFill = -1;

int64_t SliceStep(const qc_attributes& a, int axis) {
  return a.step[axis] == 0 ? 1 : a.step[axis];
}

std::string CheckTranspose(const ScalarCall& call) {
  uint32_t seen = 0;
  for (int i = 0; i < call.x().rank; ++i) {
    const int64_t from = call.attributes.permutation[i];
    if (from < 0 || from >= call.x().rank) return "the permutation leaves the axes";
    if (call.y().shape[i] != call.x().shape[from]) {
      return "the output has another shape than the permuted input";
    }
    seen |= 1u << from;
  }
  return seen == (1u << call.x().rank) - 1 ? "" : "the permutation repeats an axis";
}

// Every axis with start, stop and step; SLICE of one axis leaves the others whole
// (0, size, 1).
std::string CheckSlice(const ScalarCall& call) {
  const qc_attributes& a = call.attributes;
  for (int i = 0; i < call.x().rank; ++i) {
    const int64_t step = SliceStep(a, i);
    if (step < 1 || a.start[i] < 0 || a.stop[i] < a.start[i] ||
        a.stop[i] > call.x().shape[i]) {
      return "start, stop or step is out of range";
    }
    if (call.y().shape[i] != (a.stop[i] - a.start[i] + step - 1) / step) {
      return "the output has another shape than the slice";
    }
  }
  return "";
}

std::string CheckPad(const ScalarCall& call) {
  const qc_attributes& a = call.attributes;
  for (int i = 0; i < call.x().rank; ++i) {
    const std::string objection =
        CheckPadding(call.x().shape[i], a.start[i], a.stop[i], a.padding_mode);
    if (!objection.empty()) return objection;
    if (call.y().shape[i] != call.x().shape[i] + a.start[i] + a.stop[i]) {
      return "the output has another shape than the padded input";
    }
  }
  return "";
}

std::string Check(const ScalarCall& call) {
  std::string objection = CheckValues(call.x(), "the input");
  if (objection.empty()) objection = CheckValues(call.y(), "the output");
  if (!objection.empty()) return objection;
  if (call.x().quantized_axis >= 0) return "codes per channel do not move";
  if (call.kind == QC_RESHAPE) {
    return ElementCount(call.x()) == ElementCount(call.y())
               ? ""
               : "input and output differ in the number of elements";
  }
  if (call.x().rank != call.y().rank) return "input and output differ in rank";
  if (call.kind == QC_TRANSPOSE) return CheckTranspose(call);
  return call.kind == QC_SLICE ? CheckSlice(call) : CheckPad(call);
}

// For every output element the dense index of its input element, or kFill.
std::vector<int64_t> Sources(const ScalarCall& call) {
  const qc_tensor& x = call.x();
  const qc_tensor& y = call.y();
  const qc_attributes& a = call.attributes;
  std::vector<int64_t> sources(static_cast<size_t>(ElementCount(y)));
  if (call.kind == QC_RESHAPE) {
    for (size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<int64_t>(i);
    return sources;
  }
  int64_t dense[QC_MAX_RANK];
  int64_t step = 1;
  for (int i = x.rank - 1; i >= 0; --i) {
    dense[i] = step;
    step *= x.shape[i];
  }
  int64_t index[QC_MAX_RANK] = {};
  for (int64_t& source : sources) {
    source = 0;
    for (int i = 0; i < y.rank && source != kFill; ++i) {
      const int from = call.kind == QC_TRANSPOSE ? static_cast<int>(a.permutation[i]) : i;
      int64_t at = index[i];
      if (call.kind == QC_SLICE) at = a.start[i] + at * SliceStep(a, i);
      if (call.kind == QC_PAD) {
        at = PaddedIndex(at - a.start[i], x.shape[i], a.padding_mode);
      }
      source = at < 0 ? kFill : source + at * dense[from];
    }
    for (int i = y.rank - 1; i >= 0; --i) {
      if (++index[i] < y.shape[i]) break;
      index[i] = 0;
    }
  }
  return sources;
}

template <typename T>
std::vector<T> Gather(const std::vector<T>& values, const std::vector<int64_t>& sources,
                      T fill) {
  std::vector<T> moved;
  moved.reserve(sources.size());
  for (const int64_t source : sources) {
    moved.push_back(source == kFill ? fill : values[static_cast<size_t>(source)]);
  }
  return moved;
}

void Run(const ScalarCall& call) {
  const std::vector<int64_t> sources = Sources(call);
  const float fill = call.kind == QC_PAD ? call.attributes.scalar : 0.0f;
  if (!call.scheme.copy || !IsQuantized(call.x())) {
    return WriteReal(call.y(), Gather(ReadReal(call.x()), sources, fill), call.scheme);
  }
  const CodeBounds bounds = BoundsOf(call.y());
  // Real zero is the zero point's code.
  const int32_t fill_code =
      QuantizeSaturating(fill, ReciprocalScale(ScaleAt(call.y())), ZeroPointAt(call.y()),
                         bounds.min, bounds.max);
  WriteIntegers(call.y(), Gather(ReadIntegers(call.x()), sources, fill_code));
}

}  // namespace

const OperatorFamily& MovementFamily() {
  static constexpr OperatorFamily kFamily{Check, CopyOrReal, Run};
  return kFamily;
}

}  // namespace qconform
