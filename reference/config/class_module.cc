#include "reference/config/class_module.h"

#include <sstream>
#include <unordered_map>

namespace qconform {
namespace {

// A package that offers classes, the module below it that defines them, and which.
struct Definitions {
  const char* package;
  const char* module;
  const char* classes;
};

constexpr Definitions kDefinitions[] = {
    {"torch.nn", "modules.activation",
     "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid "
     "LogSoftmax Mish MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid "
     "Softmax "
     "Softmax2d Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold"},
    {"torch.nn", "modules.adaptive", "AdaptiveLogSoftmaxWithLoss"},
    {"torch.nn", "modules.batchnorm",
     "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d "
     "LazyBatchNorm3d "
     "SyncBatchNorm"},
    {"torch.nn", "modules.channelshuffle", "ChannelShuffle"},
    {"torch.nn", "modules.container",
     "Container ModuleDict ModuleList ParameterDict ParameterList Sequential"},
    {"torch.nn", "modules.conv",
     "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d "
     "LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d"},
    {"torch.nn", "modules.distance", "CosineSimilarity PairwiseDistance"},
    {"torch.nn", "modules.dropout",
     "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout"},
    {"torch.nn", "modules.flatten", "Flatten Unflatten"},
    {"torch.nn", "modules.fold", "Fold Unfold"},
    {"torch.nn", "modules.instancenorm",
     "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d "
     "LazyInstanceNorm3d"},
    {"torch.nn", "modules.linear", "Bilinear Identity LazyLinear Linear"},
    {"torch.nn", "modules.module", "Module"},
    {"torch.nn", "modules.normalization",
     "CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm"},
    {"torch.nn", "modules.padding",
     "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d "
     "ConstantPad3d "
     "ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d "
     "ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d"},
    {"torch.nn", "modules.pixelshuffle", "PixelShuffle PixelUnshuffle"},
    {"torch.nn", "modules.pooling",
     "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d "
     "AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d "
     "FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d "
     "MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d"},
    {"torch.nn", "modules.rnn",
     "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase"},
    {"torch.nn", "modules.sparse", "Embedding EmbeddingBag"},
    {"torch.nn", "modules.transformer",
     "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
     "TransformerEncoderLayer"},
    {"torch.nn", "modules.upsampling",
     "Upsample UpsamplingBilinear2d UpsamplingNearest2d"},
    {"torch.ao.nn.intrinsic", "modules.fused",
     "BNReLU2d BNReLU3d ConvAdd2d ConvAddReLU2d ConvBn1d ConvBn2d ConvBn3d ConvBnReLU1d "
     "ConvBnReLU2d ConvBnReLU3d ConvReLU1d ConvReLU2d ConvReLU3d LinearBn1d "
     "LinearLeakyReLU LinearReLU LinearTanh"},
    {"torch.ao.nn.intrinsic.qat", "modules.conv_fused",
     "ConvBn1d ConvBn2d ConvBn3d ConvBnReLU1d ConvBnReLU2d ConvBnReLU3d ConvReLU1d "
     "ConvReLU2d ConvReLU3d"},
    {"torch.ao.nn.intrinsic.qat", "modules.linear_fused", "LinearBn1d"},
    {"torch.ao.nn.intrinsic.qat", "modules.linear_relu", "LinearReLU"},
    {"torch.ao.nn.intrinsic.quantized", "modules.bn_relu", "BNReLU2d BNReLU3d"},
    {"torch.ao.nn.intrinsic.quantized", "modules.conv_add", "ConvAdd2d ConvAddReLU2d"},
    {"torch.ao.nn.intrinsic.quantized", "modules.conv_relu",
     "ConvReLU1d ConvReLU2d ConvReLU3d"},
    {"torch.ao.nn.intrinsic.quantized", "modules.linear_relu",
     "LinearLeakyReLU LinearReLU LinearTanh"},
    {"torch.ao.nn.qat", "modules.conv", "Conv1d Conv2d Conv3d"},
    {"torch.ao.nn.qat", "modules.embedding_ops", "Embedding EmbeddingBag"},
    {"torch.ao.nn.qat", "modules.linear", "Linear"},
    {"torch.ao.nn.qat.dynamic", "modules.linear", "Linear"},
    {"torch.ao.nn.quantizable", "modules.activation", "MultiheadAttention"},
    {"torch.ao.nn.quantizable", "modules.rnn", "LSTM LSTMCell"},
    {"torch.ao.nn.quantized.reference", "modules.conv",
     "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"},
    {"torch.ao.nn.quantized.reference", "modules.linear", "Linear"},
    {"torch.ao.nn.quantized.reference", "modules.rnn",
     "GRU GRUCell LSTM LSTMCell RNNCell"},
    {"torch.ao.nn.quantized.reference", "modules.sparse", "Embedding EmbeddingBag"},
    {"torch.ao.nn.quantized.dynamic", "modules.conv",
     "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"},
    {"torch.ao.nn.quantized.dynamic", "modules.linear", "Linear"},
    {"torch.ao.nn.quantized.dynamic", "modules.rnn", "GRU GRUCell LSTM LSTMCell RNNCell"},
    {"torch.ao.nn.quantized", "modules.activation",
     "ELU Hardswish LeakyReLU MultiheadAttention PReLU ReLU6 Sigmoid Softmax"},
    {"torch.ao.nn.quantized", "modules.batchnorm", "BatchNorm2d BatchNorm3d"},
    {"torch.ao.nn.quantized", "modules.conv",
     "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"},
    {"torch.ao.nn.quantized", "modules.dropout", "Dropout"},
    {"torch.ao.nn.quantized", "modules.embedding_ops", "Embedding EmbeddingBag"},
    {"torch.ao.nn.quantized", "modules.functional_modules",
     "FXFloatFunctional FloatFunctional QFunctional"},
    {"torch.ao.nn.quantized", "modules.linear", "Linear"},
    {"torch.ao.nn.quantized", "modules.normalization",
     "GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm"},
    {"torch.ao.nn.quantized", "modules.rnn", "LSTM"},
    {"torch.ao.nn.quantized", "modules", "DeQuantize Quantize"},
};

std::unordered_map<std::string, std::string> Build() {
  std::unordered_map<std::string, std::string> names;
  for (const Definitions& entry : kDefinitions) {
    std::istringstream classes(entry.classes);
    std::string name;
    const std::string package = std::string(entry.package) + ".";
    while (classes >> name) {
      names[package + name] = package + entry.module + "." + name;
    }
  }
  return names;
}

}  // namespace

std::string DefinedName(const std::string& canonical_name) {
  static const auto* names = new std::unordered_map<std::string, std::string>(Build());
  const auto found = names->find(canonical_name);
  return found == names->end() ? canonical_name : found->second;
}

}  // namespace qconform
