// torch.nn.functional.pad and the padding modules.
#include "reference/ops/built_in.h"
#include "reference/ops/gather.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

Value PadFunction(const Call& call) {
  return Pad(call.TensorAt(0, "input"), call.Integers(1, "pad"),
             call.Text(2, "mode", "constant"),
             call.OptionalReal(3, "value").value_or(0.0), call);
}

// torch.nn.ConstantPad2d and its like: attribute padding (two for each axis) and value.
FunctionDefinition PadModule(const std::string& mode) {
  return [mode](const Call& call) -> Value {
    return Pad(call.TensorAt(0, "input"), call.Integers(1, "padding"), mode,
               call.Real(2, "value", 0.0), call);
  };
}

}  // namespace

void AddPads(Registry& registry) {
  AddNnFunction(registry, "pad", PadFunction);
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    for (const auto& [type, mode] :
         {std::pair("ConstantPad", "constant"), std::pair("ZeroPad", "constant"),
          std::pair("ReflectionPad", "reflect"), std::pair("ReplicationPad", "replicate"),
          std::pair("CircularPad", "circular")}) {
      AddModuleAsFunction(registry, std::string("torch.nn.") + type + dimensions,
                          PadModule(mode), {"padding", "value"});
    }
  }
}

}  // namespace qconform
