#include "conformance/host/guarded_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace qconform {
namespace {

constexpr std::byte kCanary{0xC7};
constexpr size_t kLabelBytes = 32;
constexpr size_t kSmallestPage = 4096;

// Read by the signal handler, so plain memory that never moves.
struct Slot {
  const std::byte* begin;  // of the mapping; nullptr: free
  const std::byte* end;
  const std::byte* data;
  const std::byte* data_end;
  const char* borrower;  // nullptr: not taken back
  char label[kLabelBytes];
};

std::array<Slot, 256> slots = {};

size_t RoundUp(size_t value, size_t step) { return (value + step - 1) / step * step; }

// The first byte from `begin` that is no canary, or `end`.
const std::byte* FirstChanged(const std::byte* begin, const std::byte* end) {
  static const std::array<std::byte, 256> canaries = [] {
    std::array<std::byte, 256> filled;
    filled.fill(kCanary);
    return filled;
  }();
  while (begin < end) {
    const size_t step =
        std::min<size_t>(canaries.size(), static_cast<size_t>(end - begin));
    if (std::memcmp(begin, canaries.data(), step) != 0)
      return std::find_if(begin, end, [](std::byte byte) { return byte != kCanary; });
    begin += step;
  }
  return end;
}

}  // namespace

GuardedBuffer::GuardedBuffer(size_t bytes, size_t alignment, Placement placement,
                             std::byte fill, const std::string& label)
    : size_(bytes) {
  const size_t shift = placement == Placement::kMisaligned && bytes > 0 ? alignment : 0;
  // Pages are aligned to their size; more takes room in front.
  const size_t room = alignment > kSmallestPage ? alignment : 0;
  pages_ = TakeGuardedPages(RoundUp(bytes + shift, alignment) + room);
  view_ = &pages_.writable;
  const auto first = reinterpret_cast<uintptr_t>(view_->pages);
  const uintptr_t last = first + pages_.bytes - bytes;
  data_ = reinterpret_cast<std::byte*>(placement == Placement::kFlushToEnd
                                           ? last / alignment * alignment
                                           : RoundUp(first, alignment) + shift);
  if (pages_.bytes > 0) {
    std::memset(view_->pages, static_cast<int>(kCanary), pages_.bytes);
    std::memset(data_, static_cast<int>(fill), bytes);
  }
  for (size_t i = 0; i < slots.size() && slot_ < 0; ++i) {
    if (slots[i].begin != nullptr) continue;
    slot_ = static_cast<int>(i);
    Slot& slot = slots[i];
    slot.borrower = nullptr;
    const size_t length = std::min(label.size(), kLabelBytes - 1);
    std::memcpy(slot.label, label.data(), length);
    slot.label[length] = '\0';
    FillSlot();
  }
}

void GuardedBuffer::FillSlot() {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<size_t>(slot_)];
  slot.data = data_;
  slot.data_end = data_ + size_;
  slot.end = pages_.EndOf(*view_);
  slot.begin = view_->mapping;
}

GuardedBuffer::~GuardedBuffer() {
  if (slot_ >= 0) slots[static_cast<size_t>(slot_)].begin = nullptr;
  GiveBack(pages_);
}

void GuardedBuffer::MakeReadOnly() {
  const ptrdiff_t at = data_ - view_->pages;
  view_ = &pages_.ReadOnly();
  data_ = view_->pages + at;
  FillSlot();
}

void GuardedBuffer::TakeBack(const char* borrower) {
  pages_.Protect(*view_, PROT_NONE);
  if (slot_ >= 0) slots[static_cast<size_t>(slot_)].borrower = borrower;
  taken_back_ = true;
}

std::optional<GuardedBuffer::Stray> GuardedBuffer::FindStray() const {
  if (taken_back_) return std::nullopt;
  const std::byte* last = FirstChanged(view_->pages, data_);
  if (last != data_) {
    // The nearest to the data.
    for (const std::byte* byte = data_; byte-- > last;)
      if (*byte != kCanary) return Stray{byte - data_, true};
  }
  const std::byte* const data_end = data_ + size_;
  const std::byte* const pages_end = view_->pages + pages_.bytes;
  const std::byte* first = FirstChanged(data_end, pages_end);
  if (first != pages_end) return Stray{first - data_end, false};
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
      const bool taken_back = slot.borrower != nullptr;
      result =
          fmt::format_to_n(text, capacity - 1, "{}{}{}{}, at byte {}",
                           static_cast<const char*>(slot.label),
                           taken_back ? " after " : "", taken_back ? slot.borrower : "",
                           taken_back ? " has returned" : "", byte - slot.data);
    }
    *result.out = '\0';
    return true;
  }
  return false;
}

}  // namespace qconform
