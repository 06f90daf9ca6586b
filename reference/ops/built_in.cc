#include "reference/ops/built_in.h"

#include "reference/ops/aten_functions.h"
#include "reference/ops/aten_structure.h"

namespace qconform {

const Registry& Registry::BuiltIn() {
  static const Registry* const registry = [] {
    auto* built_in = new Registry;
    AddActivations(*built_in);
    AddArithmetic(*built_in);
    AddBatchNorm(*built_in);
    AddCasts(*built_in);
    AddComparisons(*built_in);
    AddContainers(*built_in);
    AddConvolutions(*built_in);
    AddDropout(*built_in);
    AddEmbeddings(*built_in);
    AddIndexing(*built_in);
    AddInterpolation(*built_in);
    AddJoins(*built_in);
    AddLayerNorm(*built_in);
    AddLinear(*built_in);
    AddNormalize(*built_in);
    AddPads(*built_in);
    AddPointwise(*built_in);
    AddPools(*built_in);
    AddQuantization(*built_in, QuantizeMode::kTorch);
    AddRecurrent(*built_in);
    AddReductions(*built_in);
    AddSelection(*built_in);
    AddShapes(*built_in);
    AddSoftActivations(*built_in);
    AddSoftmax(*built_in);
    AddReferenceModules(*built_in);  // wraps what is there already
    AddAten(*built_in);
    AddAtenStructure(*built_in);
    return built_in;
  }();
  return *registry;
}

const Registry& Registry::Saturating() {
  static const Registry* const registry = [] {
    auto* saturating = new Registry(BuiltIn());
    AddQuantization(*saturating, QuantizeMode::kStrict);
    return saturating;
  }();
  return *registry;
}

}  // namespace qconform
