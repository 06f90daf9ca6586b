// Functions that pick elements: the largest along an axis, other orders, other lengths.
#include <algorithm>
#include <numeric>

#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/gather.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// Position of the largest (or smallest) of `size` elements that lie `step` apart; the
// first of equal ones, a NaN before all.
int64_t Best(const Tensor& x, int64_t begin, int64_t step, int64_t size, bool largest) {
  int64_t best = 0;
  for (int64_t i = 1; i < size; ++i) {
    const double candidate = x.ValueAt(begin + i * step);
    const double value = x.ValueAt(begin + best * step);
    if (value != value) break;
    if (candidate != candidate || (largest ? candidate > value : candidate < value)) {
      best = i;
    }
  }
  return best;
}

struct Chosen {
  Tensor values;
  Tensor indices;
};

Chosen Choose(const Tensor& x, int axis, bool keep, bool largest, const Call& call) {
  const AxisView view = ViewAlong(x.shape(), axis);
  if (view.size == 0) call.Fail("no elements to choose from");
  Shape shape = x.shape();
  if (keep) {
    shape[static_cast<size_t>(axis)] = 1;
  } else {
    shape.erase(shape.begin() + axis);
  }
  Chosen chosen{Tensor(x.dtype(), shape), Tensor(DType::kInt64, shape)};
  const size_t item = ItemSize(x.dtype());
  for (int64_t outer = 0; outer < view.outer; ++outer) {
    for (int64_t inner = 0; inner < view.inner; ++inner) {
      const int64_t begin = outer * view.size * view.inner + inner;
      const int64_t best = Best(x, begin, view.inner, view.size, largest);
      const int64_t at = outer * view.inner + inner;
      chosen.indices.data<int64_t>()[at] = best;
      std::copy_n(x.bytes() + static_cast<size_t>(begin + best * view.inner) * item, item,
                  chosen.values.bytes() + static_cast<size_t>(at) * item);
    }
  }
  return chosen;
}

Tensor Flat(const Tensor& x) { return x.Reshaped({x.numel()}); }

// max(x), max(x, dim) -> (values, indices), max(x, other).
FunctionDefinition Extreme(bool largest, FunctionDefinition pairwise) {
  return [largest, pairwise = std::move(pairwise)](const Call& call) -> Value {
    const Tensor& x = PlainTensor(call, 0, "input");
    const Value* second = call.Find(1, "dim");
    if (second == nullptr) {
      if (call.Find(1, "other") != nullptr) return pairwise(call);
      return Choose(Flat(x), 0, false, largest, call).values;
    }
    if (second->As<Tensor>() != nullptr) return pairwise(call);
    const int axis = NormalizeAxis(call.Integer(1, "dim"), x.rank(), call);
    const Chosen chosen =
        Choose(x, axis, call.Boolean(2, "keepdim", false), largest, call);
    return Value::Tuple({chosen.values, chosen.indices});
  };
}

FunctionDefinition Position(bool largest) {
  return [largest](const Call& call) -> Value {
    const Tensor& x = PlainTensor(call, 0, "input");
    const auto dim = call.OptionalInteger(1, "dim");
    if (!dim) return Choose(Flat(x), 0, false, largest, call).indices;
    return Choose(x, NormalizeAxis(*dim, x.rank(), call),
                  call.Boolean(2, "keepdim", false), largest, call)
        .indices;
  };
}

Value Flip(const Call& call) {
  const Tensor& x = PlainTensor(call, 0, "input");
  AxisSources sources = IdentitySources(x.shape());
  std::vector<int64_t> dims = call.TrailingIntegers(1, "dims");
  for (int axis : NormalizeAxes(dims, x.rank(), call)) {
    std::reverse(sources[static_cast<size_t>(axis)].begin(),
                 sources[static_cast<size_t>(axis)].end());
  }
  return GatherAxes(x, sources);
}

Value Roll(const Call& call) {
  const Tensor& x = PlainTensor(call, 0, "input");
  const std::vector<int64_t> shifts = call.Integers(1, "shifts");
  const auto dims = call.OptionalIntegers(2, "dims");
  const auto rolled = [](std::vector<int64_t>& sources, int64_t shift) {
    const auto size = static_cast<int64_t>(sources.size());
    if (size == 0) return;
    const int64_t back = ((shift % size) + size) % size;
    std::rotate(sources.begin(), sources.end() - back, sources.end());
  };
  if (!dims || dims->empty()) {
    const Tensor flat = Flat(x);
    AxisSources sources = IdentitySources(flat.shape());
    rolled(sources[0], shifts.at(0));
    return GatherAxes(flat, sources).Reshaped(x.shape());
  }
  if (dims->size() != shifts.size()) call.Fail("as many shifts as dims");
  AxisSources sources = IdentitySources(x.shape());
  for (size_t i = 0; i < dims->size(); ++i) {
    const int axis = NormalizeAxis((*dims)[i], x.rank(), call);
    rolled(sources[static_cast<size_t>(axis)], shifts[i]);
  }
  return GatherAxes(x, sources);
}

Value Select(const Call& call) {
  const Tensor& x = PlainTensor(call, 0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim"), x.rank(), call);
  const int64_t size = x.dim(axis);
  const int64_t given = call.Integer(2, "index");
  const int64_t index = given < 0 ? given + size : given;
  if (index < 0 || index >= size) call.Fail("index " + std::to_string(given));
  Shape shape = x.shape();
  shape.erase(shape.begin() + axis);
  return Narrow(x, axis, index, 1).Reshaped(std::move(shape));
}

Value IndexSelect(const Call& call) {
  const Tensor& x = PlainTensor(call, 0, "input");
  const int axis = NormalizeAxis(call.Integer(1, "dim"), x.rank(), call);
  const Tensor& index = call.TensorAt(2, "index");
  AxisSources sources = IdentitySources(x.shape());
  std::vector<int64_t>& along = sources[static_cast<size_t>(axis)];
  along.clear();
  for (int64_t i = 0; i < index.numel(); ++i) {
    const int64_t at = index.IntegerAt(i);
    if (at < 0 || at >= x.dim(axis)) call.Fail("index " + std::to_string(at));
    along.push_back(at);
  }
  return GatherAxes(x, sources);
}

FunctionDefinition Filled(double value) {
  return [value](const Call& call) -> Value {
    const Tensor& x = PlainTensor(call, 0, "input");
    Tensor filled(call.OptionalDType(1, "dtype").value_or(x.dtype()), x.shape());
    if (value == 0) return filled;
    return SameTypeMap(
        filled, [value](auto element) { return static_cast<decltype(element)>(value); });
  };
}

}  // namespace

void AddSelection(Registry& registry) {
  AddTensorFunction(registry, "max",
                    Extreme(true, *registry.FindFunction("torch.maximum")));
  AddTensorFunction(registry, "min",
                    Extreme(false, *registry.FindFunction("torch.minimum")));
  AddTensorFunction(registry, "argmax", Position(true));
  AddTensorFunction(registry, "argmin", Position(false));
  AddTensorFunction(registry, "flip", Flip);
  AddTensorFunction(registry, "roll", Roll);
  AddTensorFunction(registry, "select", Select);
  AddTensorFunction(registry, "index_select", IndexSelect);
  registry.AddFunction("torch.zeros_like", Filled(0));
  registry.AddFunction("torch.ones_like", Filled(1));
}

}  // namespace qconform
