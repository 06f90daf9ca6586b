// Operators by what a quantized engine does to the memory format of their results. Names
// are those of functions, methods and module classes.
#ifndef QCONFORM_REFERENCE_CONVERT_MEMORY_FORMAT_NAMES_H_
#define QCONFORM_REFERENCE_CONVERT_MEMORY_FORMAT_NAMES_H_

#include <string>

namespace qconform {

// clamp, hardtanh and relu6: QNNPACK's permute the codes of channels-last tensors.
bool IsClamp(const std::string& operation);

// Convolutions and batch norms of images and volumes: channels last, whatever comes in.
bool MakesChannelsLast(const std::string& operation);

// Of its first input.
bool KeepsMemoryFormat(const std::string& operation);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_MEMORY_FORMAT_NAMES_H_
