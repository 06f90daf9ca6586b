// Modules that run their children in order.
#include "reference/ops/binary.h"
#include "reference/ops/built_in.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

// ConvAdd2d and ConvAddReLU2d: (conv(first) + second), then the other children.
Value RunConvAdd(Module& module, const Call& call) {
  const Registry& registry = Registry::BuiltIn();
  const std::shared_ptr<Module>* conv = module.children.Find("0");
  if (conv == nullptr || *conv == nullptr) call.Fail("no child '0'", "a convolution");
  const Value product = CallModule(
      **conv, Call(call.where() + " child '0'", {call.Get(0, "x1")}), registry);
  const Value sum = Binary(call, product, call.Get(1, "x2"), [](auto a, auto b) {
    return static_cast<decltype(a)>(a + b);
  });
  if (module.type != "torch.ao.nn.intrinsic.ConvAddReLU2d") return sum;
  const FunctionDefinition& relu = *registry.FindFunction("torch.relu");
  return relu(Call(call.where() + " relu", {sum}));
}

// tuple(values)
Value MakeTuple(const Call& call) {
  const ValueSequence* values = call.Get(0, "iterable").As<ValueSequence>();
  if (values == nullptr) call.Fail("no sequence", "a list or tuple");
  return Value::Tuple(values->items);
}

}  // namespace

void AddContainers(Registry& registry) {
  registry.AddFunction("builtins.tuple", MakeTuple);
  registry.AddSequential("torch.nn.Sequential");
  const std::string intrinsic = "torch.ao.nn.intrinsic.";
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    for (const char* type : {"ConvReLU", "ConvBn", "ConvBnReLU"}) {
      registry.AddSequential(intrinsic + type + dimensions);
    }
  }
  for (const char* type : {"BNReLU2d", "BNReLU3d", "LinearReLU", "LinearBn1d",
                           "LinearLeakyReLU", "LinearTanh"}) {
    registry.AddSequential(intrinsic + type);
  }
  registry.AddModule(intrinsic + "ConvAdd2d", RunConvAdd);
  registry.AddModule(intrinsic + "ConvAddReLU2d", RunConvAdd);
}

}  // namespace qconform
