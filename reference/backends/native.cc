// The configs that differ only in the dtypes of each group of operators.
#include "reference/backends/builders.h"
#include "reference/backends/dtype_tables.h"
#include "reference/backends/operator_tables.h"

namespace qconform {
namespace {

// The dtype configs of each group; an empty list leaves the group out.
struct GroupDTypes {
  DTypeConfigs conv;
  DTypeConfigs linear;
  DTypeConfigs binary;
  DTypeConfigs plain;  // cat, default operators, batch norm
  DTypeConfigs fixed;
  DTypeConfigs share;
  DTypeConfigs tensor_info;
  DTypeConfigs layer_norm;
  DTypeConfigs recurrent = {DynamicQInt8(), DynamicFloat16()};
  DTypeConfigs embedding = {WeightOnly(DType::kQUInt8), WeightOnly(DType::kQUInt4x2)};
};

BackendConfig Build(const char* name, const GroupDTypes& dtypes) {
  ConfigBuilder builder(name);
  AddConvolutions(builder, dtypes.conv);
  builder.AddRows(LinearRows(), dtypes.linear);
  AddBinaryOperators(builder, dtypes.binary);
  AddCat(builder, dtypes.plain);
  AddDefaultOperators(builder, dtypes.plain);
  AddFixedOperators(builder, dtypes.fixed);
  AddShareOperators(builder, dtypes.share);
  if (!dtypes.tensor_info.empty()) AddTensorInfo(builder, dtypes.tensor_info);
  builder.AddRows(BatchNormRows(), dtypes.plain);
  if (!dtypes.layer_norm.empty()) AddLayerNorm(builder, dtypes.layer_norm);
  builder.AddRows(RecurrentRows(), dtypes.recurrent);
  builder.AddRows(EmbeddingRows(), dtypes.embedding);
  return builder.Finish();
}

// fbgemm's dtypes, from which the others are made.
GroupDTypes QUInt8() {
  GroupDTypes dtypes;
  dtypes.conv = {WeightedQUInt8()};
  dtypes.linear = {WeightedQUInt8(), DynamicQInt8(), DynamicFloat16()};
  dtypes.binary = dtypes.plain = dtypes.fixed = dtypes.share =
      dtypes.tensor_info = {ActivationQUInt8()};
  return dtypes;
}

}  // namespace

BackendConfig BuildFbgemm() { return Build("fbgemm", QUInt8()); }

BackendConfig BuildNative() {
  GroupDTypes dtypes = QUInt8();
  dtypes.layer_norm = {ActivationQUInt8FloatWeight()};
  return Build("native", dtypes);
}

BackendConfig BuildNativeAndFp16() {
  GroupDTypes dtypes = QUInt8();
  dtypes.layer_norm = {ActivationQUInt8FloatWeight()};
  for (DTypeConfigs* group :
       {&dtypes.linear, &dtypes.binary, &dtypes.fixed, &dtypes.share}) {
    group->push_back(Float16());
  }
  return Build("_native_and_fp16", dtypes);
}

BackendConfig BuildX86() {
  GroupDTypes dtypes = QUInt8();
  dtypes.binary = dtypes.fixed = {WeightedQUInt8()};
  return Build("x86", dtypes);
}

BackendConfig BuildQnnpack() {
  GroupDTypes dtypes = QUInt8();
  // Symmetric int8 first, as XNNPACK wants it.
  for (DTypeConfigs* group : {&dtypes.conv, &dtypes.linear}) {
    group->insert(group->begin(), WeightedQInt8Symmetric());
  }
  for (DTypeConfigs* group :
       {&dtypes.binary, &dtypes.plain, &dtypes.fixed, &dtypes.share}) {
    group->insert(group->begin(), ActivationQInt8Symmetric());
  }
  dtypes.tensor_info = {};
  return Build("qnnpack", dtypes);
}

}  // namespace qconform
