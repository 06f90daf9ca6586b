#include "conformance/host/value_formats.h"

#include <numeric>
#include <string>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

bool IsOfImages(qc_operator_kind kind) {
  switch (kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
    case QC_BATCH_NORM:
    case QC_INSTANCE_NORM:
    case QC_GROUP_NORM:
    case QC_MAX_POOL:
    case QC_AVG_POOL:
    case QC_ADAPTIVE_AVG_POOL:
    case QC_UPSAMPLE:
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
      return true;
    default:
      return false;
  }
}

// Element by element, so that all of its tensors had better lie alike.
bool KeepsPlaces(qc_operator_kind kind) {
  return (kind >= QC_ADD && kind <= QC_SOFTMAX) || kind == QC_BATCH_NORM ||
         kind == QC_CONCAT || kind == QC_REQUANTIZE || kind == QC_SLICE || kind == QC_PAD;
}

bool TakesChannelsLast(uint32_t bits) {
  return (bits & (QC_CHANNELS_LAST | QC_ANY_STRIDE)) != 0;
}
bool TakesContiguous(uint32_t bits) {
  return bits == 0 || (bits & (QC_CONTIGUOUS | QC_ANY_STRIDE)) != 0;
}

// Values that lie alike are one group: a disjoint set.
class Groups {
 public:
  explicit Groups(size_t values) : parent_(values), image_(values), contiguous_(values) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  size_t Of(size_t value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }
  void Unite(size_t a, size_t b) {
    a = Of(a);
    b = Of(b);
    if (a == b) return;
    parent_[b] = a;
    image_[a] = image_[a] || image_[b];
    contiguous_[a] = contiguous_[a] || contiguous_[b];
  }
  void IsImage(size_t value) { image_[Of(value)] = true; }
  void MustBeContiguous(size_t value) { contiguous_[Of(value)] = true; }
  MemoryFormat FormatOf(size_t value) {
    const size_t group = Of(value);
    return image_[group] && !contiguous_[group] ? MemoryFormat::kChannelsLast
                                                : MemoryFormat::kContiguous;
  }

 private:
  std::vector<size_t> parent_;
  std::vector<bool> image_, contiguous_;
};

// Inputs and outputs of an operator that may lie in more than one way.
std::vector<size_t> Movable(const Program& program, const ProgramOperator& step) {
  std::vector<size_t> movable;
  for (const std::vector<int>* list : {&step.inputs, &step.outputs}) {
    for (const int index : *list) {
      if (index < 0) continue;
      const ProgramValue& value = program.values[static_cast<size_t>(index)];
      if (!value.constant && value.shape.size() >= 3)
        movable.push_back(static_cast<size_t>(index));
    }
  }
  return movable;
}

// Values that a quantization makes of the caller's tensor, and convolutions alone read:
// these turn what they pack anyway, and the conversion runs through memory in order.
std::vector<bool> PackedFirst(const Program& program) {
  std::vector<bool> from_caller(program.values.size());
  std::vector<bool> caller(program.values.size());
  for (const int index : program.inputs) caller[static_cast<size_t>(index)] = true;
  for (const ProgramStep& any : program.steps) {
    const auto* step = std::get_if<ProgramOperator>(&any);
    if (step != nullptr && step->kind == QC_QUANTIZE &&
        caller[static_cast<size_t>(step->inputs[0])]) {
      from_caller[static_cast<size_t>(step->outputs[0])] = true;
      continue;
    }
    const std::vector<int>& inputs =
        step != nullptr ? step->inputs : std::get<FloatIsland>(any).inputs;
    if (step != nullptr && step->kind == QC_CONV) continue;
    for (const int index : inputs)
      if (index >= 0) from_caller[static_cast<size_t>(index)] = false;
  }
  return from_caller;
}

}  // namespace

std::vector<MemoryFormat> ChooseValueFormats(const Program& program,
                                             const std::vector<uint32_t>& accepted) {
  Groups groups(program.values.size());
  std::vector<bool> fixed(program.values.size());
  for (const std::vector<int>* list : {&program.inputs, &program.outputs})
    for (const int index : *list) fixed[static_cast<size_t>(index)] = true;
  const std::vector<bool> packed = PackedFirst(program);
  for (size_t v = 0; v < program.values.size(); ++v) {
    const ProgramValue& value = program.values[v];
    fixed[v] = fixed[v] || packed[v];
    if (fixed[v] || value.constant || value.shape.size() < 3) groups.MustBeContiguous(v);
  }
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const auto* step = std::get_if<ProgramOperator>(&program.steps[s]);
    if (step == nullptr) continue;
    const std::vector<size_t> movable = Movable(program, *step);
    const bool any = (accepted[s] & QC_ANY_STRIDE) != 0;
    for (const size_t value : movable) {
      if (IsOfImages(step->kind)) groups.IsImage(value);
      if (!TakesChannelsLast(accepted[s])) groups.MustBeContiguous(value);
      // A format is what all of its tensors have, unless strides are free.
      const bool alike = KeepsPlaces(step->kind) && !fixed[value] && !fixed[movable[0]];
      if (!any || alike) groups.Unite(movable[0], value);
    }
  }
  std::vector<MemoryFormat> formats;
  for (size_t v = 0; v < program.values.size(); ++v)
    formats.push_back(groups.FormatOf(v));
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const auto* step = std::get_if<ProgramOperator>(&program.steps[s]);
    if (step == nullptr) continue;
    for (const size_t value : Movable(program, *step)) {
      const bool taken = formats[value] == MemoryFormat::kChannelsLast
                             ? TakesChannelsLast(accepted[s])
                             : TakesContiguous(accepted[s]);
      if (!taken) {
        throw InputError("node " + step->node,
                         "the backend does not take " + program.values[value].name + " " +
                             MemoryFormatName(formats[value]),
                         "a format that its neighbours have");
      }
    }
  }
  return formats;
}

}  // namespace qconform
