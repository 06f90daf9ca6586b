// What the scalar backend declares: rows whose operators reference/numerics defines.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_SCALAR_SCALAR_CONFIG_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_SCALAR_SCALAR_CONFIG_H_

inline constexpr char kScalarConfig[] = R"json({
  "name": "scalar",
  "configs": [
    {"pattern": "torch.nn.modules.conv.Conv1d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": ["torch.nn.modules.conv.Conv1d", "torch.nn.modules.activation.ReLU"], "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.ao.nn.intrinsic.modules.fused.ConvReLU1d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.functional.conv1d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.modules.conv.Conv2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": ["torch.nn.modules.conv.Conv2d", "torch.nn.modules.activation.ReLU"], "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.ao.nn.intrinsic.modules.fused.ConvReLU2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.functional.conv2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.modules.conv.Conv3d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": ["torch.nn.modules.conv.Conv3d", "torch.nn.modules.activation.ReLU"], "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.ao.nn.intrinsic.modules.fused.ConvReLU3d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.functional.conv3d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.modules.linear.Linear", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": ["torch.nn.modules.linear.Linear", "torch.nn.modules.activation.ReLU"], "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.ao.nn.intrinsic.modules.fused.LinearReLU", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "torch.nn.functional.linear", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8", "weight_dtype": "torch.qint8", "bias_dtype": "torch.float32"}]},
    {"pattern": "_operator.add", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.add", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "_operator.mul", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.mul", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.activation.ReLU", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.functional.relu", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.pooling.MaxPool2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.functional.max_pool2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.pooling.AvgPool2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.functional.avg_pool2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.pooling.AdaptiveAvgPool2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.functional.adaptive_avg_pool2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.batchnorm.BatchNorm2d", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.activation.Hardswish", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.activation.Sigmoid", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.functional.sigmoid", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.nn.modules.activation.Softmax", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.cat", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "torch.flatten", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]},
    {"pattern": "mean", "dtype_configs": [
      {"input_dtype": "torch.quint8", "output_dtype": "torch.quint8"},
      {"input_dtype": "torch.qint8", "output_dtype": "torch.qint8"}]}
  ]
})json";

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_SCALAR_SCALAR_CONFIG_H_
