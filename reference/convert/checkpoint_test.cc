// A QAT model converts from its state dict to what it converts to itself.
#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/ir/error.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/state_dict.h"
#include "reference/observe/used_modules.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

Tensor Ramp(const Shape& shape, float from, float step) {
  Tensor tensor(DType::kFloat32, shape);
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    tensor.data<float>()[i] = from + step * static_cast<float>(i * 7 % 11);
  }
  return tensor;
}

// x -> conv (Conv2d) -> bn (BatchNorm2d) -> output
GraphModule ConvBn() {
  GraphModule module;
  auto conv = std::make_shared<Module>();
  conv->type = "torch.nn.Conv2d";
  conv->training = true;
  conv->attributes.Set("in_channels", 2);
  conv->attributes.Set("out_channels", 3);
  for (const char* pair : {"kernel_size", "stride", "dilation"}) {
    conv->attributes.Set(pair, Argument::Tuple({1, 1}));
  }
  conv->attributes.Set("padding", Argument::Tuple({0, 0}));
  conv->attributes.Set("groups", 1);
  conv->attributes.Set("padding_mode", "zeros");
  conv->parameters.Set("weight", Ramp({3, 2, 1, 1}, -0.5f, 0.125f));
  conv->parameters.Set("bias", std::nullopt);
  auto bn = std::make_shared<Module>();
  bn->type = "torch.nn.BatchNorm2d";
  bn->training = true;
  bn->attributes.Set("num_features", 3);
  bn->attributes.Set("affine", true);
  bn->attributes.Set("track_running_stats", true);
  bn->parameters.Set("weight", Ramp({3}, 1.0f, 0.25f));
  bn->parameters.Set("bias", Ramp({3}, 0.0f, 0.5f));
  bn->buffers.Set("running_mean", Ramp({3}, 0.0f, 0.0f));
  bn->buffers.Set("running_var", Ramp({3}, 1.0f, 0.0f));
  bn->buffers.Set("num_batches_tracked", Tensor(DType::kInt64, {}));
  module.root->children.Set("conv", conv);
  module.root->children.Set("bn", bn);
  module.root->training = true;
  Node* value = module.graph.Append(Op::kPlaceholder, "x");
  for (const char* name : {"conv", "bn"}) {
    value = module.graph.Append(Op::kCallModule, name, {value});
    module.scopes[name] = {name, module.FindModule(name)->type};
  }
  module.graph.Append(Op::kOutput, "output", {value});
  return module;
}

Prepared PrepareForTraining() {
  QConfigMapping mapping;
  mapping.global = NamedQConfig("default_qat_qconfig");
  PrepareOptions options;
  options.is_qat = true;
  return PrepareFx(ConvBn(), mapping,
                   std::make_shared<BackendConfig>(BuiltInBackendConfig("native")),
                   options);
}

Prepared Trained() {
  Prepared prepared = PrepareForTraining();
  SetTraining(*prepared.module.root, true);
  for (const float step : {0.25f, 0.5f}) {
    RunObserved(prepared.module, {Ramp({2, 2, 3, 3}, -1.0f, step)});
  }
  SetTraining(*prepared.module.root, false);
  return prepared;
}

TEST(StateDict, NamesAreTorchs) {
  const OrderedMap<Tensor> state = StateDict(PrepareForTraining().module);
  for (const char* key : {"conv.weight", "conv.bn.weight", "conv.bn.running_var",
                          "conv.bn.num_batches_tracked", "conv.weight_fake_quant.scale",
                          "conv.weight_fake_quant.activation_post_process.min_val",
                          "activation_post_process_0.fake_quant_enabled",
                          "activation_post_process_0.activation_post_process.max_val"}) {
    EXPECT_TRUE(state.Contains(key)) << key;
  }
  EXPECT_FALSE(state.Contains("conv.bias"));
}

TEST(StateDict, ATrainedStateConvertsToTheSameIntegers) {
  const Prepared trained = Trained();
  Prepared loaded = PrepareForTraining();
  const OrderedMap<Tensor> state = StateDict(trained.module);
  EXPECT_FALSE(BitEqual(*state.Find("conv.bn.running_mean"),
                        *StateDict(loaded.module).Find("conv.bn.running_mean")));
  LoadStateDict(loaded.module, state);
  SetTraining(*loaded.module.root, false);
  for (const bool is_decomposed : {false, true}) {
    const GraphModule want =
        ConvertToReference(trained, {.is_decomposed = is_decomposed});
    const GraphModule got = ConvertToReference(loaded, {.is_decomposed = is_decomposed});
    const OrderedMap<Tensor> wanted = StateDict(want);
    const OrderedMap<Tensor> loaded_state = StateDict(got);
    EXPECT_EQ(loaded_state.size(), wanted.size());
    for (const auto& [name, tensor] : wanted) {
      const Tensor* other = loaded_state.Find(name);
      ASSERT_NE(other, nullptr) << name;
      EXPECT_TRUE(BitEqual(*other, tensor)) << name;
    }
  }
}

TEST(StateDict, RefusesWhatDoesNotFit) {
  Prepared prepared = PrepareForTraining();
  OrderedMap<Tensor> state = StateDict(prepared.module);
  state.Erase("conv.bn.running_mean");
  EXPECT_THROW(LoadStateDict(prepared.module, state), InputError);
  EXPECT_EQ(LoadStateDict(prepared.module, state, false).missing,
            std::vector<std::string>{"conv.bn.running_mean"});
  state.Set("conv.bn.running_mean", Tensor(DType::kFloat32, {3}));
  state.Set("nobody", Tensor(DType::kFloat32, {1}));
  EXPECT_THROW(LoadStateDict(prepared.module, state), InputError);
  state.Erase("nobody");
  state.Set("conv.weight", Tensor(DType::kFloat32, {3}));
  EXPECT_THROW(LoadStateDict(prepared.module, state, false), InputError);
  try {
    LoadStateDict(prepared.module, state, true, "trained.safetensors");
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("trained.safetensors: conv.weight: ", 0),
              0u)
        << error.what();
  }
}

}  // namespace
}  // namespace qconform
