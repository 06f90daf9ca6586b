#include "conformance/metamorphic/relation.h"

#include <cmath>
#include <cstring>

#include "conformance/metamorphic/dense_tensor.h"

namespace qconform {
namespace {

void RoundToPowersOfTwo(std::vector<float>& scales) {
  for (float& scale : scales) scale = std::exp2(std::rint(std::log2(scale)));
}

void RoundBias(const CallTensor& x, const CallTensor& w, CallTensor& bias) {
  if (bias.dtype != QC_F32 || x.scale.empty() || w.scale.empty()) return;
  for (size_t o = 0; o < bias.data.size() / sizeof(float); ++o) {
    float value = 0;
    std::memcpy(&value, &bias.data[o * sizeof value], sizeof value);
    const float unit = x.scale[0] * w.scale[o % w.scale.size()];
    value = std::rint(value / unit) * unit;
    std::memcpy(&bias.data[o * sizeof value], &value, sizeof value);
  }
}

}  // namespace

std::span<const Relation> Relations() {
  static const auto* const all = [] {
    auto* joined = new std::vector<Relation>;
    for (const auto part : {BatchRelations(), ChannelRelations(), SpatialRelations(),
                            ValueRelations(), ChainRelations()})
      joined->insert(joined->end(), part.begin(), part.end());
    return joined;
  }();
  return *all;
}

const Relation* FindRelation(std::string_view name) {
  for (const Relation& relation : Relations())
    if (relation.name == name) return &relation;
  return nullptr;
}

void MakeSumsExact(OperatorCall& call) {
  if (call.kind == QC_MAX_POOL) return;  // sums up nothing
  for (size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i]) RoundToPowersOfTwo(call.inputs[i]->scale);
  const bool weighted =
      call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE || call.kind == QC_LINEAR;
  if (weighted && call.inputs.size() > 2 && call.inputs[2])
    RoundBias(*call.inputs[0], *call.inputs[1], *call.inputs[2]);
}

std::string SumsObjection(int64_t terms) {
  constexpr int64_t kLargestProduct = 255 * 255;
  return terms * kLargestProduct < int64_t{1} << 24
             ? ""
             : "sums of fewer than 258 products, exact in float32";
}

}  // namespace qconform
