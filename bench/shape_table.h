// The layers of a network as rows of a CSV file.
#ifndef QCONFORM_BENCH_SHAPE_TABLE_H_
#define QCONFORM_BENCH_SHAPE_TABLE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform::bench {

// How a row of the table becomes tensors: [N, C, H, W] for kConv, kAdd and the pools;
// rows of channels, height of them at batch 1, for kLinear, kGelu, kSoftmax and
// kLayerNorm; kMatmul multiplies, in each of `groups` heads, [height, input_channels /
// groups] by [input_channels / groups, output_channels / groups].
enum class LayerKind : uint8_t {
  kConv,
  kLinear,
  kMatmul,
  kAdd,
  kMaxPool,
  kAveragePool,  // over the whole input
  kGelu,
  kSoftmax,
  kLayerNorm
};

struct Layer {
  std::string name;
  LayerKind kind = LayerKind::kConv;
  int64_t groups = 1, input_channels = 1, output_channels = 1;
  int64_t height = 1, width = 1;  // of the input
  int64_t kernel_height = 1, kernel_width = 1, stride = 1, padding = 0;
  qc_activation activation = QC_ACTIVATION_NONE;  // or RELU or RELU6
  int64_t count = 1;                              // times that it occurs in the network

  int64_t OutputHeight() const {
    return (height + 2 * padding - kernel_height) / stride + 1;
  }
  int64_t OutputWidth() const {
    return (width + 2 * padding - kernel_width) / stride + 1;
  }
  bool IsDepthwise() const {
    return kind == LayerKind::kConv && groups > 1 && groups == input_channels;
  }
  bool Multiplies() const {
    return kind == LayerKind::kConv || kind == LayerKind::kLinear ||
           kind == LayerKind::kMatmul;
  }
  // Multiply-adds at batch 1; 0 for what does not multiply.
  int64_t Macs() const {
    if (!Multiplies()) return 0;
    return OutputHeight() * OutputWidth() * output_channels * (input_channels / groups) *
           kernel_height * kernel_width;
  }
};

// Columns by name: name, operator (conv, linear, matmul, add, max_pool, average_pool,
// gelu, softmax, layer_norm), groups, input_channels, output_channels, height, width,
// kernel_height, kernel_width, stride, padding, activation (none, relu, relu6), count.
// Throws InputError.
std::vector<Layer> ReadShapeTable(const std::filesystem::path& file);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_SHAPE_TABLE_H_
