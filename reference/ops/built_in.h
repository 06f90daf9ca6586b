// One function a family: it adds the family's definitions to a registry.
#ifndef QCONFORM_REFERENCE_OPS_BUILT_IN_H_
#define QCONFORM_REFERENCE_OPS_BUILT_IN_H_

#include "reference/numerics/quantize.h"
#include "reference/ops/registry.h"

namespace qconform {

void AddActivations(Registry& registry);
void AddArithmetic(Registry& registry);
void AddBatchNorm(Registry& registry);
void AddCasts(Registry& registry);
void AddComparisons(Registry& registry);
void AddContainers(Registry& registry);
void AddConvolutions(Registry& registry);
void AddDropout(Registry& registry);
void AddEmbeddings(Registry& registry);
void AddIndexing(Registry& registry);
void AddInterpolation(Registry& registry);
void AddJoins(Registry& registry);
void AddLayerNorm(Registry& registry);
void AddLinear(Registry& registry);
void AddNormalize(Registry& registry);
void AddPads(Registry& registry);
void AddPointwise(Registry& registry);
void AddPools(Registry& registry);
void AddQuantization(Registry& registry, QuantizeMode mode);
void AddRecurrent(Registry& registry);
void AddReductions(Registry& registry);
void AddReferenceModules(Registry& registry);
void AddSelection(Registry& registry);  // after comparisons
void AddShapes(Registry& registry);
void AddSoftActivations(Registry& registry);
void AddSoftmax(Registry& registry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_BUILT_IN_H_
