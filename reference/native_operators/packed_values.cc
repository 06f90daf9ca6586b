#include "reference/native_operators/packed_values.h"

namespace qconform {
namespace {

// Empty without the attribute. A word ("same") is no list: torch fails with it as well.
std::vector<int64_t> Integers(const Module& module, const std::string& name,
                              const Call& call) {
  std::vector<int64_t> result;
  const Argument* value = module.attributes.Find(name);
  if (value == nullptr) return result;
  const Sequence* sequence = value->As<Sequence>();
  if (sequence == nullptr) call.Fail(name + " is no list", "integers");
  for (const Argument& item : sequence->items) {
    const int64_t* integer = item.As<int64_t>();
    if (integer == nullptr) call.Fail(name + " holds something else", "integers");
    result.push_back(*integer);
  }
  return result;
}

const Value* FindItem(const ValueDictionary& dictionary, const std::string& name) {
  for (const auto& [key, value] : dictionary.items) {
    if (key == name) return &value;
  }
  return nullptr;
}

}  // namespace

NativeWeight PackedArgument(const Call& call, size_t position) {
  const Value& value = call.Get(position, "packed_weight");
  const ValueDictionary* dictionary = value.As<ValueDictionary>();
  const Value* weight = dictionary == nullptr ? nullptr : FindItem(*dictionary, "weight");
  if (weight == nullptr || weight->As<Tensor>() == nullptr) {
    call.Fail("weight is " + ValueText(value), "a packed weight");
  }
  NativeWeight packed{*weight->As<Tensor>(), std::nullopt, {}, {}, {}, {}, 1};
  const Value* bias = FindItem(*dictionary, "bias");
  if (bias != nullptr && bias->As<Tensor>() != nullptr) packed.bias = *bias->As<Tensor>();
  const auto read = [&](const char* name, std::vector<int64_t>& to) {
    const Value* item = FindItem(*dictionary, name);
    const ValueSequence* sequence = item == nullptr ? nullptr : item->As<ValueSequence>();
    if (sequence == nullptr) return;
    for (const Value& entry : sequence->items) to.push_back(*entry.As<int64_t>());
  };
  read("stride", packed.stride);
  read("padding", packed.padding);
  read("output_padding", packed.output_padding);
  read("dilation", packed.dilation);
  if (const Value* groups = FindItem(*dictionary, "groups")) {
    packed.groups = *groups->As<int64_t>();
  }
  return packed;
}

NativeWeight PackedOf(const Module& module, const Call& call) {
  const auto* child = module.children.Find("_packed_params");
  const Module& holder = child != nullptr && *child ? **child : module;
  const Tensor* weight = holder.FindTensor("weight");
  if (weight == nullptr) call.Fail("the module has no packed weight");
  NativeWeight packed{*weight, std::nullopt, {}, {}, {}, {}, 1};
  if (const Tensor* bias = holder.FindTensor("bias")) packed.bias = *bias;
  packed.stride = Integers(module, "stride", call);
  packed.padding = Integers(module, "padding", call);
  packed.output_padding = Integers(module, "output_padding", call);
  packed.dilation = Integers(module, "dilation", call);
  packed.groups = module.Integer("groups", 1);
  return packed;
}

}  // namespace qconform
