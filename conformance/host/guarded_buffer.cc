#include "conformance/host/guarded_buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace qconform {
namespace {

constexpr std::byte kCanary{0xC7};
constexpr size_t kLabelBytes = 32;

// Read by the signal handler, so plain memory that never moves.
struct Slot {
  const std::byte* begin;  // of the mapping; nullptr: free
  const std::byte* end;
  const std::byte* data;
  const std::byte* data_end;
  bool taken_back;
  char label[kLabelBytes];
};

std::array<Slot, 256> slots = {};

size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t RoundUp(size_t value, size_t step) { return (value + step - 1) / step * step; }

}  // namespace

GuardedBuffer::GuardedBuffer(size_t bytes, size_t alignment, Placement placement,
                             std::byte fill, const std::string& label)
    : size_(bytes) {
  const size_t shift = placement == Placement::kMisaligned ? alignment : 0;
  page_bytes_ = RoundUp(bytes + (bytes > 0 ? shift : 0), std::max(PageSize(), alignment));
  mapping_size_ = page_bytes_ + 2 * PageSize();
  void* mapping =
      mmap(nullptr, mapping_size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapping);
  pages_ = mapping_ + PageSize();
  if (page_bytes_ > 0 && mprotect(pages_, page_bytes_, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, mapping_size_);
    throw std::bad_alloc();
  }
  data_ = bytes > 0 ? pages_ + shift : pages_;
  if (placement == Placement::kFlushToEnd) {
    const auto address = reinterpret_cast<uintptr_t>(pages_ + page_bytes_ - bytes);
    data_ = reinterpret_cast<std::byte*>(address / alignment * alignment);
  }
  if (page_bytes_ > 0) {
    std::memset(pages_, static_cast<int>(kCanary), page_bytes_);
    std::memset(data_, static_cast<int>(fill), bytes);
  }
  for (size_t i = 0; i < slots.size() && slot_ < 0; ++i) {
    if (slots[i].begin != nullptr) continue;
    slot_ = static_cast<int>(i);
    Slot& slot = slots[i];
    slot.data = data_;
    slot.data_end = data_ + size_;
    slot.end = mapping_ + mapping_size_;
    slot.taken_back = false;
    const size_t length = std::min(label.size(), kLabelBytes - 1);
    std::memcpy(slot.label, label.data(), length);
    slot.label[length] = '\0';
    slot.begin = mapping_;
  }
}

GuardedBuffer::~GuardedBuffer() {
  if (slot_ >= 0) slots[static_cast<size_t>(slot_)].begin = nullptr;
  munmap(mapping_, mapping_size_);
}

void GuardedBuffer::MakeReadOnly() {
  if (page_bytes_ > 0) mprotect(pages_, page_bytes_, PROT_READ);
}

void GuardedBuffer::TakeBack() {
  if (page_bytes_ > 0) mprotect(pages_, page_bytes_, PROT_NONE);
  if (slot_ >= 0) slots[static_cast<size_t>(slot_)].taken_back = true;
  taken_back_ = true;
}

std::optional<GuardedBuffer::Stray> GuardedBuffer::FindStray() const {
  if (taken_back_) return std::nullopt;
  for (const std::byte* byte = data_; byte-- > pages_;)
    if (*byte != kCanary) return Stray{byte - data_, true};
  for (const std::byte* byte = data_ + size_; byte < pages_ + page_bytes_; ++byte)
    if (*byte != kCanary) return Stray{byte - (data_ + size_), false};
  return std::nullopt;
}

bool DescribeGuardedAddress(const void* address, char* text, size_t capacity) {
  const auto* byte = static_cast<const std::byte*>(address);
  for (const Slot& slot : slots) {
    if (slot.begin == nullptr || byte < slot.begin || byte >= slot.end) continue;
    fmt::format_to_n_result<char*> result{};
    if (byte < slot.data) {
      result = fmt::format_to_n(text, capacity - 1, "before the start of {}, at -{} B",
                                static_cast<const char*>(slot.label), slot.data - byte);
    } else if (byte >= slot.data_end) {
      result =
          fmt::format_to_n(text, capacity - 1, "past the end of {}, at +{} B",
                           static_cast<const char*>(slot.label), byte - slot.data_end);
    } else {
      // Taken back, or read-only: what a plan may not keep and a run may not write.
      result = fmt::format_to_n(
          text, capacity - 1, "{}{}, at byte {}", static_cast<const char*>(slot.label),
          slot.taken_back ? " after plan has returned" : "", byte - slot.data);
    }
    *result.out = '\0';
    return true;
  }
  return false;
}

}  // namespace qconform
