#include "reference/backends/operator_tables.h"

#include "reference/config/fixed_qparams.h"

namespace qconform {
namespace {

constexpr auto kDifferent = ObservationType::kOutputUseDifferentObserverAsInput;
constexpr auto kShare = ObservationType::kOutputShareObserverWithInput;
constexpr auto kNotObserved = ObservationType::kInputOutputNotObserved;

constexpr std::string_view kFuseConvBn =
    "torch.ao.quantization.fuser_method_mappings.fuse_conv_bn";
constexpr std::string_view kFuseConvBnRelu =
    "torch.ao.quantization.fuser_method_mappings.fuse_conv_bn_relu";
constexpr std::string_view kFuseLinearBn =
    "torch.ao.quantization.fuser_method_mappings.fuse_linear_bn";
constexpr std::string_view kFuseConvTransposeBn =
    "torch.ao.quantization.fuser_method_mappings.fuse_convtranspose_bn";

// torch registers ConvReLU twice; what counts is the later entry, which has no
// root module, in the earlier one's place.
constexpr OperatorRow kConv[] = {
    {"nn.Conv#d", "nn.Conv#d", "nnqr.Conv#d", "nnqat.Conv#d"},
    {"nnqat.Conv#d", "nn.Conv#d", "nnqr.Conv#d"},
    {"F.conv#d"},
    {"nn.Conv#d nn.ReLU", "", "", "", "nni.ConvReLU#d", "sequential"},
    {"nn.Conv#d F.relu", "", "", "", "nni.ConvReLU#d", "sequential"},
    {"nni.ConvReLU#d", "", "", "nniqat.ConvReLU#d"},
    {"nniqat.ConvReLU#d", "nn.Conv#d", "nnqr.Conv#d"},
    {"F.conv#d nn.ReLU"},
    {"F.conv#d F.relu"},
    {"nn.Conv#d nn.BatchNorm#d", "", "", "", "nni.ConvBn#d", kFuseConvBn},
    {"nn.Conv#d nn.BatchNorm#d nn.ReLU", "", "", "", "nni.ConvBnReLU#d", kFuseConvBnRelu},
    {"nn.Conv#d nn.BatchNorm#d F.relu", "nn.Conv#d", "", "", "nni.ConvBnReLU#d",
     kFuseConvBnRelu},
    {"nni.ConvBn#d", "", "", "nniqat.ConvBn#d"},
    {"nni.ConvBnReLU#d", "", "", "nniqat.ConvBnReLU#d"},
    {"nniqat.ConvBn#d", "nn.Conv#d", "nnqr.Conv#d"},
    {"nniqat.ConvBnReLU#d", "nn.Conv#d", "nnqr.Conv#d"},
};

constexpr OperatorRow kConvTranspose[] = {
    {"nn.ConvTranspose#d", "nn.ConvTranspose#d", "nnqr.ConvTranspose#d"},
    {"nn.ConvTranspose#d nn.BatchNorm#d", "nn.ConvTranspose#d", "nnqr.ConvTranspose#d",
     "", "", kFuseConvTransposeBn},
    {"F.conv_transpose#d"},
};

constexpr OperatorRow kLinear[] = {
    {"nn.Linear", "nn.Linear", "nnqr.Linear", "nnqat.Linear"},
    {"nnqat.Linear", "nn.Linear", "nnqr.Linear"},
    {"F.linear"},
    {"nn.Linear nn.ReLU", "", "", "", "nni.LinearReLU", "sequential"},
    {"nn.Linear F.relu", "", "", "", "nni.LinearReLU", "sequential"},
    {"nni.LinearReLU", "nn.Linear", "nnqr.Linear", "nniqat.LinearReLU"},
    {"nniqat.LinearReLU", "nn.Linear", "nnqr.Linear"},
    {"F.linear nn.ReLU"},
    {"F.linear F.relu"},
    {"nn.Linear nn.BatchNorm1d", "", "", "", "nni.LinearBn1d", kFuseLinearBn},
    {"nni.LinearBn1d", "nn.Linear", "nnqr.Linear", "nniqat.LinearBn1d"},
    {"nniqat.LinearBn1d", "nn.Linear", "nnqr.Linear"},
};

constexpr OperatorRow kBatchNorm[] = {
    {"nn.BatchNorm2d nn.ReLU", "", "", "", "nni.BNReLU2d", "sequential"},
    {"nn.BatchNorm2d F.relu", "", "", "", "nni.BNReLU2d", "sequential"},
    {"nn.BatchNorm2d"},
    {"nn.BatchNorm3d nn.ReLU", "", "", "", "nni.BNReLU3d", "sequential"},
    {"nn.BatchNorm3d F.relu", "", "", "", "nni.BNReLU3d", "sequential"},
    {"nn.BatchNorm3d"},
    {"nni.BNReLU2d"},
    {"nni.BNReLU3d"},
};

constexpr OperatorRow kRecurrent[] = {
    {"nn.GRUCell", "nn.GRUCell", "nnqr.GRUCell"},
    {"nn.LSTMCell", "nn.LSTMCell", "nnqr.LSTMCell"},
    {"nn.RNNCell", "nn.RNNCell", "nnqr.RNNCell"},
    {"nn.LSTM", "nn.LSTM", "nnqr.LSTM"},
    {"nn.GRU", "nn.GRU", "nnqr.GRU"},
};

constexpr OperatorRow kEmbedding[] = {
    {"nn.Embedding", "nn.Embedding", "nnqr.Embedding", "nnqat.Embedding"},
    {"nnqat.Embedding", "nn.Embedding", "nnqr.Embedding"},
    {"nn.EmbeddingBag", "nn.EmbeddingBag", "nnqr.EmbeddingBag", "nnqat.EmbeddingBag"},
    {"nnqat.EmbeddingBag", "nn.EmbeddingBag", "nnqr.EmbeddingBag"},
};

constexpr std::string_view kBinary[] = {"operator.add", "torch.add", "operator.mul",
                                        "torch.mul"};
// The operator alone comes last.
constexpr std::string_view kBinaryActivations[] = {"nn.ReLU", "F.relu", "torch.relu", ""};
constexpr std::string_view kMatmul[] = {"torch.matmul"};
constexpr std::string_view kCat[] = {"torch.cat"};

constexpr std::string_view kDefault[] = {
    "nn.ELU",
    "nn.LeakyReLU",
    "nn.Hardswish",
    "nn.InstanceNorm1d",
    "nn.InstanceNorm2d",
    "nn.InstanceNorm3d",
    "nn.Dropout",
    "nn.PReLU",
    "F.elu",
    "F.hardswish",
    "F.leaky_relu",
    "F.dropout",
};

constexpr std::string_view kZeroToOne[] = {
    "nn.Hardsigmoid", "F.hardsigmoid", "hardsigmoid", "hardsigmoid_", "nn.Sigmoid",
    "torch.sigmoid",  "sigmoid",       "sigmoid_",    "nn.Softmax"};
constexpr std::string_view kMinusOneToOne[] = {"nn.Tanh", "torch.tanh", "tanh", "tanh_"};

constexpr std::string_view kSharing[] = {
    "nn.AdaptiveAvgPool1d",
    "nn.AdaptiveAvgPool2d",
    "nn.AdaptiveAvgPool3d",
    "nn.AvgPool1d",
    "nn.AvgPool2d",
    "nn.AvgPool3d",
    "nn.Hardtanh",
    "nn.Identity",
    "nn.MaxPool1d",
    "nn.MaxPool2d",
    "nn.MaxPool3d",
    "nn.PixelShuffle",
    "nn.PixelUnshuffle",
    "nn.ReLU",
    "nn.ReLU6",
    "F.adaptive_avg_pool1d",
    "F.adaptive_avg_pool2d",
    "F.adaptive_avg_pool3d",
    "F.hardtanh",
    "F.hardtanh_",
    "F.interpolate",
    "F.max_pool1d",
    "F.max_pool2d",
    "F.max_pool3d",
    "F.pixel_shuffle",
    "F.pixel_unshuffle",
    "F.relu",
    "F.relu6",
    "F.avg_pool1d",
    "F.avg_pool2d",
    "F.avg_pool3d",
    "torch.clamp",
    "torch.flatten",
    "torch.mean",
    "torch.narrow",
    "torch.repeat_interleave",
    "torch.transpose",
    "torch.squeeze",
    "torch.stack",
    "torch.unsqueeze",
    "operator.floordiv",
    "contiguous",
    "clamp",
    "detach",
    "detach_",
    "mean",
    "permute",
    "repeat",
    "repeat_interleave",
    "reshape",
    "resize_",
    "relu",
    "relu_",
    "squeeze",
    "squeeze_",
    "transpose",
    "unsqueeze",
    "unsqueeze_",
    "view",
};

constexpr std::string_view kTensorInfo[] = {"shape", "size"};
constexpr std::string_view kLayerNorm[] = {"nn.LayerNorm"};

DTypeWithConstraints FixedQUInt8(double scale, int64_t zero_point) {
  DTypeWithConstraints constraints(DType::kQUInt8);
  constraints.quant_min_lower_bound = 0;
  constraints.quant_max_upper_bound = 255;
  constraints.scale_exact_match = scale;
  constraints.zero_point_exact_match = zero_point;
  return constraints;
}

}  // namespace

std::span<const OperatorRow> ConvRows() { return kConv; }
std::span<const OperatorRow> ConvTransposeRows() { return kConvTranspose; }
std::span<const OperatorRow> LinearRows() { return kLinear; }
std::span<const OperatorRow> BatchNormRows() { return kBatchNorm; }
std::span<const OperatorRow> RecurrentRows() { return kRecurrent; }
std::span<const OperatorRow> EmbeddingRows() { return kEmbedding; }

void AddConvolutions(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    builder.AddRows(kConv, dtypes, dimensions);
    builder.AddRows(kConvTranspose, dtypes, dimensions);
  }
}

void AddBinaryOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddBinary(kBinary, kBinaryActivations, dtypes);
  builder.AddPatterns(kMatmul, kDifferent, dtypes);
}

void AddCat(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddPatterns(kCat, kShare, dtypes);
}

void AddDefaultOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddPatterns(kDefault, kDifferent, dtypes);
  builder.AddFunction("F.group_norm", 2, 3, dtypes);
  builder.AddFunction("F.instance_norm", 3, 4, dtypes);
}

void AddFixedOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddPatterns(kZeroToOne, kDifferent,
                      WithFixedQparams(dtypes, FixedQUInt8(1.0 / 256.0, 0)));
  builder.AddPatterns(kMinusOneToOne, kDifferent,
                      WithFixedQparams(dtypes, FixedQUInt8(2.0 / 256.0, 128)));
}

void AddShareOperators(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddPatterns(kSharing, kShare, dtypes);
}

void AddTensorInfo(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddPatterns(kTensorInfo, kNotObserved, dtypes);
}

void AddLayerNorm(ConfigBuilder& builder, const DTypeConfigs& dtypes) {
  builder.AddPatterns(kLayerNorm, kDifferent, dtypes);
  builder.AddFunction("F.layer_norm", 2, 3, dtypes);
}

}  // namespace qconform
