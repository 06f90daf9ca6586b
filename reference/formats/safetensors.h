// The safetensors format: 8 bytes of header length, a JSON header, tensor bytes.
// https://github.com/huggingface/safetensors, README, "Format".
#ifndef QCONFORM_REFERENCE_FORMATS_SAFETENSORS_H_
#define QCONFORM_REFERENCE_FORMATS_SAFETENSORS_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

// The tensors in the order of their bytes in the file. Throws InputError
// "name:byte N: ..." on anything but a file without gaps, overlaps, unknown dtypes, or
// sizes that contradict a shape.
OrderedMap<Tensor> ReadSafetensors(const std::filesystem::path& path);
OrderedMap<Tensor> ParseSafetensors(std::string_view bytes, const std::string& name);

// Larger elements first, then by name: every tensor is aligned, and the bytes do not
// depend on the order of the map. Throws InputError on a quantized dtype, which the
// format does not have (tensor_json.h keeps those).
std::string SafetensorsBytes(const OrderedMap<Tensor>& tensors);
void WriteSafetensors(const std::filesystem::path& path,
                      const OrderedMap<Tensor>& tensors);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_SAFETENSORS_H_
