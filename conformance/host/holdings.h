// What a process holds, and whether it grows with every turn of something that must give
// everything back.
#ifndef QCONFORM_CONFORMANCE_HOST_HOLDINGS_H_
#define QCONFORM_CONFORMANCE_HOST_HOLDINGS_H_

#include <cstddef>
#include <functional>
#include <string>

namespace qconform {

struct ProcessHoldings {
  size_t heap_bytes = 0;    // handed out by malloc and not given back
  size_t mapped_bytes = 0;  // of address space, whoever mapped them
  size_t files = 0;         // open descriptors
  size_t threads = 0;
};
ProcessHoldings HoldingsNow();

// Does `turn`, which says whether to go on, until nothing can be a leak any more. What
// has grown in every step of some turns, up to 512 of them, is told in words: "keeps
// memory: 4096 bytes more after 512 plans"; else "". `what` names the turns ("plans").
std::string GrowthOver(const char* what, const std::function<bool()>& turn);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_HOLDINGS_H_
