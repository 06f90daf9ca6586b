#include "reference/backends/builders.h"
#include "reference/backends/dtype_tables.h"
#include "reference/backends/operator_tables.h"
#include "reference/backends/pattern_text.h"

namespace qconform {

BackendConfig BuildTensorrt() {
  const DTypeConfigs weighted = {WeightedQInt8()};
  const DTypeConfigs plain = {ActivationQInt8()};
  ConfigBuilder builder("tensorrt");
  AddConvolutions(builder, weighted);
  BackendPatternConfig addmm(ParsePatternText("torch.addmm"));
  addmm.dtype_configs = weighted;
  addmm.input_type_to_index = {{"bias", 0}, {"input", 1}, {"weight", 2}};
  builder.Add(std::move(addmm));
  AddCat(builder, plain);
  builder.AddRows(LinearRows(), weighted);
  AddBinaryOperators(builder, weighted);
  AddShareOperators(builder, plain);
  AddTensorInfo(builder, plain);
  return builder.Finish();
}

}  // namespace qconform
