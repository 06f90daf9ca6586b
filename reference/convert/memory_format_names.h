// Operators by the memory format that torch gives their results.
#ifndef QCONFORM_REFERENCE_CONVERT_MEMORY_FORMAT_NAMES_H_
#define QCONFORM_REFERENCE_CONVERT_MEMORY_FORMAT_NAMES_H_

#include <string>

namespace qconform {

enum class MemoryFormatRule {
  kIterated,      // floats: that of the inputs (iterated_strides.h); codes: row-major
  kKept,          // the first input's, whatever the result's size
  kSum,           // as kKept for codes of the first input's shape, else as kIterated
  kSame,          // the first input's strides
  kChannelsLast,  // of codes, whatever comes in; floats keep it
  kPooled,        // pool_formats.h
  kNormalized,    // images keep it; other codes are row-major
  kClamped,       // kept, but QNNPACK permutes the elements of channels-last quint8
  kRolled,
  kConcatenated,
  kStacked,
  kViewed,
  kReshaped,
  kCopied,
  kPermuted,
  kTransposed,
  kUnsqueezed,
  kSqueezed,
  kSliced,
  kRowMajor,
};

// Of a function, method or module class, by the last part of its name: kIterated unless
// listed.
MemoryFormatRule MemoryFormatRuleOf(const std::string& operation);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_MEMORY_FORMAT_NAMES_H_
