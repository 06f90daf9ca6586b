// Puts the rules of memory formats around every definition.
#include "reference/native_operators/format_rules.h"
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/sliced_strides.h"

namespace qconform {
namespace {

const Tensor* FirstTensor(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) return tensor;
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    for (const Value& item : sequence->items) {
      if (const Tensor* found = FirstTensor(item)) return found;
    }
  }
  return nullptr;
}

const Tensor* FirstTensor(const Call& call) {
  for (const Value& value : call.args()) {
    if (const Tensor* found = FirstTensor(value)) return found;
  }
  for (const auto& [name, value] : call.kwargs()) {
    if (const Tensor* found = FirstTensor(value)) return found;
  }
  return nullptr;
}

template <typename Run>
Value Follow(const std::string& name, MemoryFormatRule rule, const std::string& engine,
             MemoryFormats& formats, const Module* module, const Call& call,
             const Run& run) {
  const Tensor* input = FirstTensor(call);
  if (input == nullptr) return run();
  const Placement from = formats.Of(*input);
  Value result = run();
  if (result.As<Tensor>() != nullptr) {
    ApplyFormatRule(rule, {name, call, module, engine, formats, *input, from, result});
  }
  return result;
}

std::string LastPart(const std::string& name) { return name.substr(name.rfind('.') + 1); }

FunctionDefinition FollowedFunction(const std::string& target,
                                    const FunctionDefinition& base,
                                    const std::string& engine,
                                    const std::shared_ptr<MemoryFormats>& formats) {
  const MemoryFormatRule rule = MemoryFormatRuleOf(target);
  if (rule == MemoryFormatRule::kSliced) {
    return [=](const Call& call) -> Value {
      Value result = base(call);
      SetSlicedStrides(base, call, *formats, result);
      return result;
    };
  }
  return [=, name = LastPart(target)](const Call& call) -> Value {
    return Follow(name, rule, engine, *formats, nullptr, call,
                  [&] { return base(call); });
  };
}

}  // namespace

void FollowMemoryFormats(Registry& registry, const std::string& engine,
                         const std::shared_ptr<MemoryFormats>& formats) {
  for (const std::string& target : registry.Functions()) {
    registry.AddFunction(target, FollowedFunction(target, *registry.FindFunction(target),
                                                  engine, formats));
  }
  for (const std::string& name : registry.Methods()) {
    registry.AddMethod(
        name, FollowedFunction(name, *registry.FindMethod(name), engine, formats));
  }
  for (const std::string& type : registry.Modules()) {
    registry.AddModule(
        type,
        [=, name = LastPart(type), rule = MemoryFormatRuleOf(type),
         base = *registry.FindModule(type)](Module& module, const Call& call) -> Value {
          return Follow(name, rule, engine, *formats, &module, call,
                        [&] { return base(module, call); });
        });
  }
}

}  // namespace qconform
