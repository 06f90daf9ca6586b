#include "reference/diff/tensor_diff.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "reference/ir/module_difference.h"

namespace qconform {
namespace {

std::string Index(int64_t flat, const Shape& shape) {
  std::string text;
  for (auto size = shape.rbegin(); size != shape.rend(); ++size) {
    text = std::to_string(flat % *size) + (text.empty() ? "" : ",") + text;
    flat /= *size;
  }
  return "[" + text + "]";
}

// Of two tensors of one dtype and shape whose bytes differ.
std::string LargestDifference(const Tensor& a, const Tensor& b) {
  const size_t size = ItemSize(a.dtype());
  int64_t others = 0;
  int64_t at = -1;
  double largest = -1;
  for (int64_t i = 0; i < a.numel(); ++i) {
    const size_t byte = static_cast<size_t>(i) * size;
    if (std::memcmp(a.bytes() + byte, b.bytes() + byte, size) == 0) continue;
    ++others;
    double difference = std::abs(a.ValueAt(i) - b.ValueAt(i));
    // Two infinities of one sign, or a NaN: as far apart as can be.
    if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
    if (difference <= largest) continue;
    largest = difference;
    at = i;
  }
  return fmt::format("{} of {} elements, largest difference {} at {} ({}, not {})",
                     others, a.numel(), largest, Index(at, a.shape()), a.ValueAt(at),
                     b.ValueAt(at));
}

// The codes themselves, without what they stand for.
Tensor Codes(const Tensor& tensor) {
  switch (tensor.dtype()) {
    case DType::kQUInt8:
      return tensor.ViewedAs(DType::kUInt8);
    case DType::kQInt8:
      return tensor.ViewedAs(DType::kInt8);
    case DType::kQInt32:
      return tensor.ViewedAs(DType::kInt32);
    default:
      return tensor;
  }
}

}  // namespace

std::string DiffTensors(const std::string& what, const OrderedMap<Tensor>& a,
                        const OrderedMap<Tensor>& b) {
  std::string text;
  size_t same = 0, other_bits = 0, gone = 0, added = 0;
  for (const auto& [name, tensor] : a) {
    const Tensor* other = b.Find(name);
    if (other == nullptr) {
      ++gone;
      text += fmt::format("< {} {} {} {}\n", what, name, DTypeName(tensor.dtype()),
                          ShapeText(tensor.shape()));
      continue;
    }
    const std::string difference = TensorDifference(tensor, *other);
    if (difference.empty()) {
      ++same;
      continue;
    }
    ++other_bits;
    const bool comparable =
        tensor.dtype() == other->dtype() && tensor.shape() == other->shape();
    const bool same_bytes = comparable && std::memcmp(tensor.bytes(), other->bytes(),
                                                      tensor.byte_size()) == 0;
    text +=
        fmt::format("{} {}: {}\n", what, name,
                    comparable && !same_bytes
                        ? "other bits: " + LargestDifference(Codes(tensor), Codes(*other))
                        : difference);
  }
  for (const auto& [name, tensor] : b) {
    if (a.Contains(name)) continue;
    ++added;
    text += fmt::format("> {} {} {} {}\n", what, name, DTypeName(tensor.dtype()),
                        ShapeText(tensor.shape()));
  }
  if (text.empty()) return "";
  return text + fmt::format("{}  {} same bits, {} other bits, {} gone, {} new\n", what,
                            same, other_bits, gone, added);
}

}  // namespace qconform
