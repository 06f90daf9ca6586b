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
  for (const PagesView& view : {pages.writable, pages.read_only})
    if (view.mapping != nullptr) munmap(view.mapping, pages.bytes + 2 * PageSize());
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
    if (each.pages.writable.mapping == nullptr || each.pages.bytes != bytes) continue;
    if (found == nullptr || each.since < found->since) found = &each;
  }
  return found;
}

// A free place, or that of the longest kept.
Kept& MakeRoom() {
  Kept* oldest = kept.data();
  for (Kept& each : kept) {
    if (each.pages.writable.mapping == nullptr) return each;
    if (each.since < oldest->since) oldest = &each;
  }
  Unmap(oldest->pages);
  return *oldest;
}

PagesView MapView(size_t bytes) {
  void* mapping = mmap(nullptr, bytes + 2 * PageSize(), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  PagesView view;
  view.mapping = static_cast<std::byte*>(mapping);
  view.pages = view.mapping + PageSize();
  return view;
}

// False: the view is as it was.
bool Show(int memory, size_t bytes, int protection, PagesView& view) {
  if (mmap(view.pages, bytes, protection, MAP_SHARED | MAP_FIXED, memory, 0) ==
      MAP_FAILED)
    return false;
  view.protection = protection;
  return true;
}

// Protecting pages stops every processor, and each run would protect its inputs: where
// they can be seen twice, the other view is read-only for good.
GuardedPages Map(size_t bytes) {
  GuardedPages pages;
  pages.bytes = bytes;
  pages.writable = MapView(bytes);
  if (bytes == 0 || bytes > kLargestKept) return pages;
  const int memory = memfd_create("qconform_tensor", MFD_CLOEXEC);
  if (memory < 0) return pages;
  if (ftruncate(memory, static_cast<off_t>(bytes)) == 0) {
    PagesView view = MapView(bytes);
    if (Show(memory, bytes, PROT_READ, view)) {
      pages.read_only = view;
      if (!Show(memory, bytes, PROT_READ | PROT_WRITE, pages.writable)) {
        close(memory);
        Unmap(pages);
        throw std::bad_alloc();
      }
    } else {
      munmap(view.mapping, bytes + 2 * PageSize());
    }
  }
  close(memory);
  return pages;
}

}  // namespace

const std::byte* GuardedPages::EndOf(const PagesView& view) const {
  return view.pages + bytes + PageSize();
}

void GuardedPages::Protect(PagesView& view, int wanted) const {
  if (bytes == 0 || view.protection == wanted) return;
  if (mprotect(view.pages, bytes, wanted) != 0) throw std::bad_alloc();
  view.protection = wanted;
}

PagesView& GuardedPages::ReadOnly() {
  PagesView& view = read_only.mapping == nullptr ? writable : read_only;
  Protect(view, PROT_READ);
  return view;
}

GuardedPages TakeGuardedPages(size_t bytes) {
  const size_t whole = (bytes + PageSize() - 1) / PageSize() * PageSize();
  GuardedPages taken;
  if (Kept* found = Find(whole)) {
    taken = found->pages;
    found->pages.writable.mapping = nullptr;
  } else {
    taken = Map(whole);
  }
  try {
    taken.Protect(taken.writable, PROT_READ | PROT_WRITE);
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
