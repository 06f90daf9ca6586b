#include "conformance/host/value_storage.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "conformance/host/buffer_plan.h"

namespace qconform {
namespace {

// A cache line: no two values share one.
constexpr size_t kLine = 64;

std::span<const std::byte> BytesOf(const Tensor& tensor) {
  return {tensor.bytes(), tensor.byte_size()};
}

// The steps that write a value first and read it last.
struct Life {
  int first = -1;  // -1: the caller's, or a constant
  int last = -1;
};

std::vector<Life> LivesOf(const Program& program) {
  std::vector<Life> lives(program.values.size());
  for (size_t s = 0; s < program.steps.size(); ++s) {
    for (const int index : InputsOf(program.steps[s]))
      if (index >= 0) lives[static_cast<size_t>(index)].last = static_cast<int>(s);
    for (const int index : OutputsOf(program.steps[s]))
      lives[static_cast<size_t>(index)] = {static_cast<int>(s), static_cast<int>(s)};
  }
  for (const int index : program.outputs)
    lives[static_cast<size_t>(index)].last = static_cast<int>(program.steps.size());
  return lives;
}

// Strides say where elements lie; those of a dimension of one say nothing.
bool IsDense(const ProgramValue& value, MemoryFormat format) {
  const size_t item = ItemSize(value.dtype);
  const std::vector<int64_t> dense =
      StridesOf(value.shape, item, MemoryFormat::kContiguous);
  const std::vector<int64_t> own = StridesOf(value.shape, item, format);
  for (size_t d = 0; d < dense.size(); ++d)
    if (value.shape[d] > 1 && own[d] != dense[d]) return false;
  return true;
}

}  // namespace

void AlignedBytes::Free::operator()(std::byte* data) const {
  ::operator delete (data, std::align_val_t{alignment});
}

AlignedBytes::AlignedBytes(size_t bytes, size_t alignment)
    : data_(
          static_cast<std::byte*>(::operator new (
              std::max<size_t>(bytes, 1), std::align_val_t{std::max(alignment, kLine)})),
          Free{std::max(alignment, kLine)}) {
  std::memset(data_.get(), 0, bytes);
}

bool IsView(const Program& program, const ProgramStep& step,
            const std::vector<MemoryFormat>& formats) {
  const auto* op = std::get_if<ProgramOperator>(&step);
  if (op == nullptr || op->kind != QC_RESHAPE) return false;
  const auto in = static_cast<size_t>(op->inputs.at(0));
  const auto out = static_cast<size_t>(op->outputs.at(0));
  const ProgramValue& from = program.values[in];
  const ProgramValue& to = program.values[out];
  return from.dtype == to.dtype && from.quantization == to.quantization &&
         from.quant_min == to.quant_min && from.quant_max == to.quant_max &&
         !from.constant && IsDense(from, formats[in]) && IsDense(to, formats[out]);
}

ValueStorage::ValueStorage(const Program& program,
                           const std::vector<MemoryFormat>& formats,
                           const std::vector<Sharing>& sharing)
    : program_(&program), at_(program.values.size(), nullptr) {
  for (size_t v = 0; v < program.values.size(); ++v) {
    const ProgramValue& value = program.values[v];
    strides_.push_back(
        qconform::StridesOf(value.shape, ItemSize(value.dtype), formats[v]));
    if (value.constant) at_[v] = const_cast<std::byte*>(value.constant->bytes());
  }
  std::vector<Life> lives = LivesOf(program);
  // By value: the value whose place it takes.
  std::vector<size_t> place(program.values.size());
  for (size_t v = 0; v < place.size(); ++v) place[v] = v;
  for (size_t s = 0; s < program.steps.size(); ++s) {
    if (sharing[s] == Sharing::kNone) continue;
    const std::vector<int>& inputs = InputsOf(program.steps[s]);
    const auto out = static_cast<size_t>(OutputsOf(program.steps[s]).at(0));
    const size_t root = place[static_cast<size_t>(inputs.at(0))];
    if (lives[root].first < 0) continue;  // the caller's, or a constant
    const bool over = sharing[s] == Sharing::kInPlace;
    if (over) {
      // Nobody may read the old value, in this step neither.
      bool free = lives[root].last == static_cast<int>(s) &&
                  ExtentOf(program.values[out].shape, strides_[out],
                           ItemSize(program.values[out].dtype)) ==
                      ExtentOf(program.values[root].shape, strides_[root],
                               ItemSize(program.values[root].dtype)) &&
                  strides_[out] == strides_[static_cast<size_t>(inputs[0])];
      for (size_t i = 1; i < inputs.size(); ++i)
        free = free && (inputs[i] < 0 || place[static_cast<size_t>(inputs[i])] != root);
      if (!free) continue;
    }
    place[out] = root;
    lives[root].last = std::max(lives[root].last, lives[out].last);
    ++shared_;
  }
  std::vector<BufferLife> buffers;
  std::vector<size_t> owner;
  for (size_t v = 0; v < program.values.size(); ++v) {
    if (lives[v].first < 0) continue;
    const size_t bytes =
        ExtentOf(program.values[v].shape, strides_[v], ItemSize(program.values[v].dtype));
    separate_bytes_ += bytes;
    if (place[v] != v) continue;
    buffers.push_back({bytes, lives[v].first, lives[v].last});
    owner.push_back(v);
  }
  const BufferPlan plan = PlanBuffers(buffers, kLine);
  planned_bytes_ = plan.bytes;
  block_ = AlignedBytes(plan.bytes, 4096);
  for (size_t i = 0; i < owner.size(); ++i)
    at_[owner[i]] = block_.data() + plan.offsets[i];
  for (size_t v = 0; v < place.size(); ++v)
    if (place[v] != v) at_[v] = at_[place[v]];
}

void ValueStorage::SetInput(int value, const Tensor& tensor) {
  at_[static_cast<size_t>(value)] = const_cast<std::byte*>(tensor.bytes());
}

Tensor ValueStorage::Read(int index) const {
  const ProgramValue& value = program_->values[static_cast<size_t>(index)];
  Tensor tensor(value.dtype, value.shape);
  if (value.quantization) tensor.set_quantization(*value.quantization);
  Gather(At(index), value.shape, StridesOf(index), ItemSize(value.dtype),
         {tensor.bytes(), tensor.byte_size()});
  return tensor;
}

void ValueStorage::Write(int index, const Tensor& tensor) {
  const ProgramValue& value = program_->values[static_cast<size_t>(index)];
  Scatter(BytesOf(tensor), value.shape, StridesOf(index), ItemSize(value.dtype),
          At(index));
}

}  // namespace qconform
