#include "bench/shape_table.h"

#include <algorithm>

#include "datasets/csv.h"
#include "reference/ir/error.h"

namespace qconform::bench {
namespace {

constexpr std::pair<const char*, LayerKind> kKinds[] = {
    {"conv", LayerKind::kConv},           {"linear", LayerKind::kLinear},
    {"matmul", LayerKind::kMatmul},       {"add", LayerKind::kAdd},
    {"max_pool", LayerKind::kMaxPool},    {"average_pool", LayerKind::kAveragePool},
    {"gelu", LayerKind::kGelu},           {"softmax", LayerKind::kSoftmax},
    {"layer_norm", LayerKind::kLayerNorm}};

constexpr std::pair<const char*, qc_activation> kActivations[] = {
    {"none", QC_ACTIVATION_NONE},
    {"relu", QC_ACTIVATION_RELU},
    {"relu6", QC_ACTIVATION_RELU6}};

// The value that `word` names in `table`.
template <typename T, size_t N>
T Named(const std::pair<const char*, T> (&table)[N], const std::string& word,
        const std::string& what, const std::string& where) {
  std::string names;
  for (const auto& [name, value] : table) {
    if (word == name) return value;
    names += std::string(names.empty() ? "" : ", ") + name;
  }
  throw InputError(where, what + " '" + word + "'", names);
}

void Check(const Layer& layer, const std::string& where) {
  const int64_t smallest = std::min(
      {layer.groups, layer.input_channels, layer.output_channels, layer.height,
       layer.width, layer.kernel_height, layer.kernel_width, layer.stride, layer.count});
  if (smallest < 1 || layer.padding < 0) {
    throw InputError(where, "a size below one",
                     "positive sizes and padding of at least 0");
  }
  if (layer.input_channels % layer.groups != 0 ||
      layer.output_channels % layer.groups != 0) {
    throw InputError(where, "channels are no multiple of groups", "whole groups");
  }
  if (!layer.Multiplies() && layer.input_channels != layer.output_channels) {
    throw InputError(where, "other channels come out than go in", "as many");
  }
  if (layer.height + 2 * layer.padding < layer.kernel_height ||
      layer.width + 2 * layer.padding < layer.kernel_width) {
    throw InputError(where, "the kernel is larger than the padded input",
                     "an output of at least one pixel");
  }
}

}  // namespace

std::vector<Layer> ReadShapeTable(const std::filesystem::path& file) {
  std::vector<Layer> layers;
  try {
    ::io::CSVReader<13, ::io::trim_chars<' ', '\t'>, ::io::double_quote_escape<',', '"'>>
        reader(file.string());
    reader.read_header(::io::ignore_no_column, "name", "operator", "groups",
                       "input_channels", "output_channels", "height", "width",
                       "kernel_height", "kernel_width", "stride", "padding", "activation",
                       "count");
    Layer l;
    std::string kind, activation;
    while (reader.read_row(l.name, kind, l.groups, l.input_channels, l.output_channels,
                           l.height, l.width, l.kernel_height, l.kernel_width, l.stride,
                           l.padding, activation, l.count)) {
      const std::string where =
          file.string() + ":" + std::to_string(reader.get_file_line());
      l.kind = Named(kKinds, kind, "operator", where);
      l.activation = Named(kActivations, activation, "activation", where);
      Check(l, where);
      layers.push_back(l);
    }
  } catch (const ::io::error::base& error) {
    throw InputError(file.string(), error.what(), "a shape table in CSV");
  }
  if (layers.empty()) throw InputError(file.string(), "no layer", "at least one row");
  return layers;
}

}  // namespace qconform::bench
