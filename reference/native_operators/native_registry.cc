#include "reference/native_operators/native_registry.h"

#include "reference/native/packed_weights.h"
#include "reference/native_operators/native_families.h"

namespace qconform {

Registry NativeRegistry(const std::string& engine, const Registry& base) {
  RequireNativeEngine(engine);
  Registry registry = base;
  const auto formats = std::make_shared<MemoryFormats>();
  AddQuantizedTensorOperators(registry, engine, formats);
  AddNativeWeighted(registry, engine);
  AddNativeDynamic(registry, engine);
  AddNativeRecurrent(registry, engine);
  AddNativeBinary(registry, engine);
  AddNativeActivations(registry);
  AddNativeEmbeddings(registry);
  AddNativeQuantizable(registry);
  FollowMemoryFormats(registry, engine, formats);
  return registry;
}

}  // namespace qconform
