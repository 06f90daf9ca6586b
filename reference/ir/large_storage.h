// Memory for tensors of many megabytes.
#ifndef QCONFORM_REFERENCE_IR_LARGE_STORAGE_H_
#define QCONFORM_REFERENCE_IR_LARGE_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace qconform {

// From here on LargeStorage is worth its system calls. The address sanitizer watches only
// what its own allocator gives.
#ifdef __has_feature
#define QCONFORM_HAS_FEATURE(name) __has_feature(name)
#else
#define QCONFORM_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || QCONFORM_HAS_FEATURE(address_sanitizer)
inline constexpr size_t kLargeStorage = SIZE_MAX;
#else
inline constexpr size_t kLargeStorage = size_t{4} << 20;
#endif
#undef QCONFORM_HAS_FEATURE

enum class Contents { kZeros, kAny };

// `size` bytes on huge pages where the system has them: of small ones the first touch of
// each costs more than what is computed there. A few blocks that were given back, up to
// 256 MB in all, are handed out again instead of new ones, which the system would have to
// clear. Throws std::bad_alloc.
std::shared_ptr<std::byte[]> LargeStorage(size_t size, Contents contents);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_LARGE_STORAGE_H_
