// Pages between two that may not be touched, kept for reuse: mapping them anew for every
// tensor would take longer than a small operator runs.
#ifndef QCONFORM_CONFORMANCE_HOST_GUARDED_PAGES_H_
#define QCONFORM_CONFORMANCE_HOST_GUARDED_PAGES_H_

#include <sys/mman.h>

#include <cstddef>

namespace qconform {

// The same memory may be seen at two places.
struct PagesView {
  std::byte* mapping = nullptr;  // the page in front
  std::byte* pages = nullptr;    // those between
  int protection = PROT_NONE;    // of those between
};

struct GuardedPages {
  PagesView writable;
  PagesView read_only;  // no mapping where there is no second view
  size_t bytes = 0;     // of those between: whole pages

  // Where they can be read and not written: in the second view, or the first protected.
  PagesView& ReadOnly();
  void Protect(PagesView& view, int wanted) const;
  // Of the page behind.
  const std::byte* EndOf(const PagesView& view) const;
};

// `bytes` rounded up to whole pages that can be written; what they hold is not defined.
// Throws std::bad_alloc. For one thread at a time.
GuardedPages TakeGuardedPages(size_t bytes);

// Views stay protected as they are until they are taken again, the longest unused first:
// what a backend must not touch any more faults for as long as can be.
void GiveBack(const GuardedPages& pages);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_GUARDED_PAGES_H_
