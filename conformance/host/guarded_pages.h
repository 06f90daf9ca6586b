// Pages between two that may not be touched, kept for reuse: mapping them anew for every
// tensor would take longer than a small operator runs.
#ifndef QCONFORM_CONFORMANCE_HOST_GUARDED_PAGES_H_
#define QCONFORM_CONFORMANCE_HOST_GUARDED_PAGES_H_

#include <sys/mman.h>

#include <cstddef>

namespace qconform {

struct GuardedPages {
  std::byte* mapping = nullptr;  // the page in front
  std::byte* pages = nullptr;    // those between
  size_t bytes = 0;              // of those between: whole pages
  int protection = PROT_NONE;    // of those between

  const std::byte* end() const;  // of the page behind
  void Protect(int wanted);
};

// `bytes` rounded up to whole pages that can be written; what they hold is not defined.
// Throws std::bad_alloc. For one thread at a time.
GuardedPages TakeGuardedPages(size_t bytes);

// They stay protected as they are until they are taken again, the longest unused first:
// what a backend must not touch any more faults for as long as can be.
void GiveBack(const GuardedPages& pages);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_GUARDED_PAGES_H_
