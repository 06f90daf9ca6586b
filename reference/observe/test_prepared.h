// For tests: what a prepared model holds.
#ifndef QCONFORM_REFERENCE_OBSERVE_TEST_PREPARED_H_
#define QCONFORM_REFERENCE_OBSERVE_TEST_PREPARED_H_

#include "reference/observe/observer_module.h"
#include "reference/observe/prepare.h"

namespace qconform {

// Nodes that call one.
inline size_t CountObservers(const Prepared& prepared) {
  size_t count = 0;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    count += ObserverOf(prepared.module.FindModule(node.target())) != nullptr ? 1 : 0;
  }
  return count;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_TEST_PREPARED_H_
