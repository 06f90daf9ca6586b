#include "conformance/host/guarded_pages.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <new>

namespace qconform {
namespace {

// Larger ones cost little against what is computed with them.
constexpr size_t kLargestKept = 1 << 18;

size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void Unmap(const GuardedPages& pages) {
  munmap(pages.mapping, pages.bytes + 2 * PageSize());
}

struct Kept {
  GuardedPages pages;  // no mapping: this place is free
  uint64_t since = 0;
};

// No heap: what a backend allocates is counted there.
std::array<Kept, 192> kept;
uint64_t clock_ticks = 0;

// The longest kept of this size; nullptr: none.
Kept* Find(size_t bytes) {
  Kept* found = nullptr;
  for (Kept& each : kept) {
    if (each.pages.mapping == nullptr || each.pages.bytes != bytes) continue;
    if (found == nullptr || each.since < found->since) found = &each;
  }
  return found;
}

// A free place, or that of the longest kept.
Kept& MakeRoom() {
  Kept* oldest = kept.data();
  for (Kept& each : kept) {
    if (each.pages.mapping == nullptr) return each;
    if (each.since < oldest->since) oldest = &each;
  }
  Unmap(oldest->pages);
  return *oldest;
}

GuardedPages Map(size_t bytes) {
  void* mapping = mmap(nullptr, bytes + 2 * PageSize(), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  GuardedPages pages;
  pages.mapping = static_cast<std::byte*>(mapping);
  pages.pages = pages.mapping + PageSize();
  pages.bytes = bytes;
  return pages;
}

}  // namespace

const std::byte* GuardedPages::end() const { return pages + bytes + PageSize(); }

void GuardedPages::Protect(int wanted) {
  if (bytes == 0 || protection == wanted) return;
  if (mprotect(pages, bytes, wanted) != 0) throw std::bad_alloc();
  protection = wanted;
}

GuardedPages TakeGuardedPages(size_t bytes) {
  const size_t whole = (bytes + PageSize() - 1) / PageSize() * PageSize();
  GuardedPages taken;
  if (Kept* found = Find(whole)) {
    taken = found->pages;
    found->pages.mapping = nullptr;
  } else {
    taken = Map(whole);
  }
  try {
    taken.Protect(PROT_READ | PROT_WRITE);
  } catch (const std::bad_alloc&) {
    Unmap(taken);
    throw;
  }
  return taken;
}

void GiveBack(const GuardedPages& pages) {
  if (pages.bytes > kLargestKept) return Unmap(pages);
  MakeRoom() = {pages, ++clock_ticks};
}

}  // namespace qconform
