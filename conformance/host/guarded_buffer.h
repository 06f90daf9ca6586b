// Memory for one tensor between two pages that may not be touched. A stray access
// either faults there or changes a canary byte in the rest of the first or last
// page.
#ifndef QCONFORM_CONFORMANCE_HOST_GUARDED_BUFFER_H_
#define QCONFORM_CONFORMANCE_HOST_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/host/guarded_pages.h"

namespace qconform {

// Where the data lie between the guard pages.
enum class Placement : uint8_t {
  kFlushToEnd,    // at the one behind
  kFlushToStart,  // at the one in front
  kMisaligned,    // behind the one in front, aligned as promised and not twice as well
};

class GuardedBuffer {
 public:
  // `label` names the buffer in reports ("input 0"); it is cut at 31 characters.
  // Data start as `fill`. Throws std::bad_alloc.
  GuardedBuffer(size_t bytes, size_t alignment, Placement placement, std::byte fill,
                const std::string& label);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&&) = delete;

  std::byte* data() { return data_; }
  size_t size() const { return size_; }

  // From now on a write to data() faults; data() may be at another place than before.
  void MakeReadOnly();
  // From now on every access faults: what was handed over is taken back, and told as
  // touched after `borrower` ("plan"), a literal, has returned.
  void TakeBack(const char* borrower = "plan");

  // Distance in bytes of the first changed canary from the data: negative before
  // them, from 0 on after their end.
  struct Stray {
    int64_t distance;
    bool before;
  };
  std::optional<Stray> FindStray() const;

 private:
  // Where reports look for addresses.
  void FillSlot();

  GuardedPages pages_;
  PagesView* view_ = nullptr;  // that data() is in
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  int slot_ = -1;
  bool taken_back_ = false;
};

// For the signal handler: describes an address inside one of the living buffers
// ("past the end of output 0, at +64 B") into `text`. False if it is in none.
// Does not allocate.
bool DescribeGuardedAddress(const void* address, char* text, size_t capacity);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_GUARDED_BUFFER_H_
