// A small model and what explain says of it, for tests.
#ifndef QCONFORM_REFERENCE_EXPLAIN_TEST_EXPLANATION_H_
#define QCONFORM_REFERENCE_EXPLAIN_TEST_EXPLANATION_H_

#include <memory>

#include "reference/backends/backends.h"
#include "reference/explain/model_explanation.h"
#include "reference/ir/test_module.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {

// x -> linear -> relu -> max pool -> add(pool, linear2(x)) -> output
inline GraphModule MakeModel() {
  GraphModule model;
  for (const char* name : {"fc", "fc2"}) {
    auto linear = ModuleOf("torch.nn.Linear");
    linear->attributes.Set("in_features", 4);
    linear->attributes.Set("out_features", 4);
    linear->parameters.Set("weight", Tensor(DType::kFloat32, {4, 4}));
    linear->parameters.Set("bias", Tensor(DType::kFloat32, {4}));
    model.SetModule(name, linear);
  }
  model.SetModule("relu", ModuleOf("torch.nn.ReLU"));
  model.SetModule("pool", ModuleOf("torch.nn.MaxPool1d"));
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* fc = model.graph.Append(Op::kCallModule, "fc", {x});
  Node* relu = model.graph.Append(Op::kCallModule, "relu", {fc});
  Node* pool = model.graph.Append(Op::kCallModule, "pool", {relu});
  Node* fc2 = model.graph.Append(Op::kCallModule, "fc2", {x});
  Node* add = model.graph.Append(Op::kCallFunction, "operator.add", {pool, fc2});
  model.graph.Append(Op::kOutput, "output", {add});
  return model;
}

inline ModelExplanation Explain(const QConfigMapping& mapping,
                                PrepareOptions options = {}) {
  const GraphModule model = MakeModel();
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  return ExplainModel(model, PrepareFx(model, mapping, config, options));
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPLAIN_TEST_EXPLANATION_H_
