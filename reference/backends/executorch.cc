#include "reference/backends/builders.h"
#include "reference/backends/dtype_tables.h"
#include "reference/backends/operator_tables.h"

namespace qconform {
namespace {

constexpr std::string_view kBinary[] = {"operator.add", "torch.add",    "operator.sub",
                                        "torch.sub",    "operator.mul", "torch.mul"};
constexpr std::string_view kActivations[] = {"nn.ReLU", "F.relu", "torch.relu", ""};
constexpr std::string_view kSharing[] = {
    "nn.Flatten",
    "F.adaptive_avg_pool2d",
    "F.elu",
    "F.hardtanh",
    "F.max_pool2d",
    "F.pad",
    "F.relu",
    "F.relu6",
    "F.leaky_relu",
    "F.leaky_relu_",
    "nn.AdaptiveAvgPool2d",
    "nn.ConstantPad2d",
    "nn.ELU",
    "nn.MaxPool2d",
    "nn.ReLU6",
    "nn.Hardtanh",
    "nn.LeakyReLU",
    "torch.clamp",
    "torch.flatten",
    "torch.mean",
    "torch.permute",
    "torch.permute_copy",
    "torch.squeeze",
    "clamp",
    "mean",
    "permute",
    "reshape",
    "relu",
    "relu_",
    "squeeze",
    "squeeze_",
    "leaky_relu",
};
constexpr std::string_view kBatchNorm[] = {"nn.BatchNorm2d"};
constexpr std::string_view kConcatenation[] = {"torch.cat", "torch.concat",
                                               "torch.concatenate"};

}  // namespace

BackendConfig BuildExecutorch() {
  const DTypeConfigs conv = {WeightedQInt8Symmetric(), WeightedQUInt8()};
  const DTypeConfigs linear = {WeightedQInt8Symmetric(), WeightedQUInt8(), DynamicQInt8(),
                               DynamicQInt8Symmetric(), DynamicFloat16()};
  const DTypeConfigs plain = {ActivationQInt8Symmetric(), ActivationQUInt8()};
  const DTypeConfigs embedding = {WeightOnly(DType::kQUInt8)};
  ConfigBuilder builder("executorch");
  // Linear alone, its QAT class and the function.
  builder.AddRows(LinearRows().first(3), linear);
  builder.AddRows(ConvRows(), conv, 2);
  builder.AddBinary(kBinary, kActivations,
                    {ActivationQInt8Symmetric(), WeightedQUInt8()});
  builder.AddPatterns(kSharing, ObservationType::kOutputShareObserverWithInput, plain);
  builder.AddPatterns(kBatchNorm, ObservationType::kOutputUseDifferentObserverAsInput,
                      plain);
  builder.AddPatterns(kConcatenation, ObservationType::kOutputShareObserverWithInput,
                      plain);
  builder.AddRows(EmbeddingRows().first(2), embedding);
  builder.AddFunction("F.embedding", 1, -1, embedding);
  builder.AddRows(EmbeddingRows().last(2), embedding);
  return builder.Finish();
}

}  // namespace qconform
