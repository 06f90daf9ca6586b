// The layers of a network as rows of a CSV file.
#ifndef QCONFORM_BENCH_SHAPE_TABLE_H_
#define QCONFORM_BENCH_SHAPE_TABLE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qconform::bench {

struct Layer {
  std::string name;
  bool linear = false;  // else a convolution
  int64_t groups = 1, input_channels = 1, output_channels = 1;
  int64_t height = 1, width = 1;  // of the input
  int64_t kernel_height = 1, kernel_width = 1, stride = 1, padding = 0;
  bool relu = false;
  int64_t count = 1;  // times that it occurs in the network

  int64_t OutputHeight() const {
    return (height + 2 * padding - kernel_height) / stride + 1;
  }
  int64_t OutputWidth() const {
    return (width + 2 * padding - kernel_width) / stride + 1;
  }
  // Multiply-adds at batch 1.
  int64_t Macs() const {
    return OutputHeight() * OutputWidth() * output_channels * (input_channels / groups) *
           kernel_height * kernel_width;
  }
};

// Columns by name: name, operator (conv or linear), groups, input_channels,
// output_channels, height, width, kernel_height, kernel_width, stride, padding,
// activation (none or relu), count. Throws InputError.
std::vector<Layer> ReadShapeTable(const std::filesystem::path& file);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_SHAPE_TABLE_H_
