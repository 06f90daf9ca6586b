#include "reference/fuse/torch_fusers.h"

#include "reference/fuse/fold_batch_norm.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kMappings = "torch.ao.quantization.fuser_method_mappings.";
constexpr const char* kOnednn = "torch.ao.quantization.backend_config.onednn._";
constexpr const char* kIntrinsic = "torch.ao.nn.intrinsic.";

FuserArgument Part(std::shared_ptr<Module> module) {
  FuserArgument part;
  part.module = std::move(module);
  return part;
}

void CheckSameMode(const FuserCall& call, size_t count, const char* parts) {
  for (size_t i = 1; i < count; ++i) {
    if (ModuleArgument(call, i)->training != ModuleArgument(call, 0)->training) {
      throw PipelineError(
          "AssertionError",
          std::string(parts) + " must be in the same mode (train or eval).");
    }
  }
}

// What training with a batch norm asks of it.
void CheckTrainable(const Module& layer, const char* outputs, const Module& batch_norm) {
  const auto refuse = [](const char* what) {
    throw PipelineError("AssertionError", what);
  };
  if (batch_norm.Integer("num_features", 0) != layer.Integer(outputs, 0)) {
    refuse("Output channels of the layer must match num_features of the batch norm");
  }
  if (!batch_norm.Boolean("affine", true)) {
    refuse("Only support fusing a batch norm with affine set to True");
  }
  if (!batch_norm.Boolean("track_running_stats", true)) {
    refuse("Only support fusing a batch norm with track_running_stats set to True");
  }
}

// "1d", "2d" or "3d" of a plain convolution. Throws as torch does for others.
std::string ConvDimensions(const Module& conv) {
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    if (conv.type == std::string("torch.nn.Conv") + dimensions) return dimensions;
  }
  throw PipelineError("NotImplementedError", "Cannot fuse modules: " + conv.type);
}

std::shared_ptr<Module> FuseConvBn(const FuserCall& call) {
  CheckSameMode(call, 2, "Conv and BN both");
  const std::shared_ptr<Module> conv = ModuleArgument(call, 0);
  const std::shared_ptr<Module> bn = ModuleArgument(call, 1);
  if (!call.is_qat) return FoldConvBatchNorm(*conv, *bn, false, call.mode);
  CheckTrainable(*conv, "out_channels", *bn);
  return MakeFusedModule(kIntrinsic + ("ConvBn" + ConvDimensions(*conv)),
                         {Part(conv), Part(bn)});
}

std::shared_ptr<Module> FuseConvBnRelu(const FuserCall& call) {
  CheckSameMode(call, 3, "Conv and BN both");
  const std::shared_ptr<Module> conv = ModuleArgument(call, 0);
  const std::shared_ptr<Module> bn = ModuleArgument(call, 1);
  const std::shared_ptr<Module> relu = ModuleArgument(call, 2);
  if (call.is_qat) {
    CheckTrainable(*conv, "out_channels", *bn);
    return MakeFusedModule(kIntrinsic + ("ConvBnReLU" + ConvDimensions(*conv)),
                           {Part(conv), Part(bn), Part(relu)});
  }
  const std::string type = kIntrinsic + ("ConvReLU" + ConvDimensions(*conv));
  return MakeFusedModule(
      type, {Part(FoldConvBatchNorm(*conv, *bn, false, call.mode)), Part(relu)});
}

std::shared_ptr<Module> FuseLinearBn(const FuserCall& call) {
  CheckSameMode(call, 2, "Linear and BN both");
  const std::shared_ptr<Module> linear = ModuleArgument(call, 0);
  const std::shared_ptr<Module> bn = ModuleArgument(call, 1);
  if (!call.is_qat) return FoldLinearBatchNorm(*linear, *bn, call.mode);
  CheckTrainable(*linear, "out_features", *bn);
  return MakeFusedModule(std::string(kIntrinsic) + "LinearBn1d",
                         {Part(linear), Part(bn)});
}

std::shared_ptr<Module> FuseConvTransposeBn(const FuserCall& call) {
  CheckSameMode(call, 2, "ConvTranspose and BN both");
  if (call.is_qat) {
    throw PipelineError("Exception",
                        "Fusing ConvTranspose+BatchNorm not yet supported in QAT.");
  }
  return FoldConvBatchNorm(*ModuleArgument(call, 0), *ModuleArgument(call, 1), true,
                           call.mode);
}

std::shared_ptr<Module> FuseLinearBnLeakyRelu(const FuserCall& call) {
  CheckSameMode(call, 3, "Linear, BN and LeakyReLU all");
  const std::shared_ptr<Module> linear = ModuleArgument(call, 0);
  if (call.is_qat || linear->type != "torch.nn.Linear") {
    throw PipelineError("NotImplementedError", "Cannot fuse modules: " + linear->type +
                                                   ", batch norm, LeakyReLU");
  }
  return MakeFusedModule(
      std::string(kIntrinsic) + "LinearLeakyReLU",
      {Part(FoldLinearBatchNorm(*linear, *ModuleArgument(call, 1), call.mode)),
       call.arguments[2]});
}

// onednn's convolution plus something, in all its spellings. Arguments come as the
// pattern nests them: (add, conv, *), (relu, (add, *, (bn, conv))), ...
struct ConvAdd {
  bool left;
  bool with_bn;
  bool with_relu;

  const std::vector<FuserArgument>& Unpack(const FuserArgument& argument,
                                           size_t count) const {
    if (!argument.is_tuple || argument.items.size() != count) {
      throw PipelineError("ValueError", "cannot unpack a part of the pattern into " +
                                            std::to_string(count));
    }
    return argument.items;
  }

  std::shared_ptr<Module> operator()(const FuserCall& call) const {
    FuserArgument whole;
    whole.is_tuple = true;
    whole.items = call.arguments;
    if (with_relu) whole = FuserArgument(Unpack(whole, 2)[1]);
    const FuserArgument conv_part = Unpack(whole, 3)[left ? 1 : 2];
    std::shared_ptr<Module> conv;
    if (with_bn) {
      const std::vector<FuserArgument>& parts = Unpack(conv_part, 2);
      if (call.is_qat) {
        throw PipelineError("NotImplementedError",
                            "Cannot fuse train modules: conv, batch norm, add");
      }
      if (parts[0].module == nullptr || parts[1].module == nullptr) {
        throw PipelineError("AttributeError", "conv or batch norm is not a module");
      }
      conv = FoldConvBatchNorm(*parts[1].module, *parts[0].module, false, call.mode);
    } else {
      conv = conv_part.module;
      if (conv == nullptr) throw PipelineError("TypeError", "conv is not a module");
    }
    const std::shared_ptr<Module> fused = MakeFusedModule(
        kIntrinsic + std::string(with_relu ? "ConvAddReLU2d" : "ConvAdd2d"),
        {Part(conv)});
    if (with_relu) fused->children.Set("relu", ModuleArgument(call, 0));
    return fused;
  }
};

}  // namespace

std::map<std::string, FuserFunction> TorchFusers() {
  std::map<std::string, FuserFunction> fusers;
  const auto add = [&fusers](const char* prefix, const std::string& name,
                             FuserFunction fuser) {
    fusers[prefix + name] = std::move(fuser);
  };
  add(kMappings, "fuse_conv_bn", FuseConvBn);
  add(kMappings, "fuse_conv_bn_relu", FuseConvBnRelu);
  add(kMappings, "fuse_linear_bn", FuseLinearBn);
  add(kMappings, "fuse_convtranspose_bn", FuseConvTransposeBn);
  add(kOnednn, "fuse_linear_bn_leaky_relu", FuseLinearBnLeakyRelu);
  for (const bool left : {true, false}) {
    for (const bool with_bn : {true, false}) {
      for (const bool with_relu : {true, false}) {
        add(kOnednn,
            std::string("fuse_conv") + (with_bn ? "_bn" : "") + "_add" +
                (with_relu ? "_relu" : "") + (left ? "_left" : "_right"),
            ConvAdd{left, with_bn, with_relu});
      }
    }
  }
  return fusers;
}

}  // namespace qconform
