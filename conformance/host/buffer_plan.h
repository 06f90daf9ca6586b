// Where in one piece of memory the buffers of a program lie, planned before it runs.
#ifndef QCONFORM_CONFORMANCE_HOST_BUFFER_PLAN_H_
#define QCONFORM_CONFORMANCE_HOST_BUFFER_PLAN_H_

#include <cstddef>
#include <vector>

namespace qconform {

// Written first in step `first`, read last in step `last`; both steps count.
struct BufferLife {
  size_t bytes = 0;
  int first = 0;
  int last = 0;
};

struct BufferPlan {
  std::vector<size_t> offsets;  // a buffer each, multiples of the alignment
  size_t bytes = 0;             // of all together
};

// Buffers whose lives touch never overlap; others may. The largest first, each into the
// smallest gap that holds it: "Greedy by Size for Offset Calculation", Pisarchyk and Lee,
// "Efficient Memory Management for Deep Neural Net Inference" (arXiv 2001.03288).
BufferPlan PlanBuffers(const std::vector<BufferLife>& lives, size_t alignment);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_BUFFER_PLAN_H_
