// Work on several threads, with the same result on any number of them.
#ifndef QCONFORM_KERNELS_LAYOUT_PARALLEL_H_
#define QCONFORM_KERNELS_LAYOUT_PARALLEL_H_

#include <cstdint>

namespace qconform::kernels {

// Runs the phases one after the other, each a number of independent items, in one
// parallel region. With one thread OpenMP is not touched at all.
template <typename First, typename Second, typename Third>
void RunPhases(int threads, int64_t first_count, First first, int64_t second_count,
               Second second, int64_t third_count, Third third) {
  if (threads <= 1) {
    for (int64_t i = 0; i < first_count; ++i) first(i);
    for (int64_t i = 0; i < second_count; ++i) second(i);
    for (int64_t i = 0; i < third_count; ++i) third(i);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int64_t i = 0; i < first_count; ++i) first(i);
#pragma omp for schedule(dynamic, 1)
    for (int64_t i = 0; i < second_count; ++i) second(i);
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < third_count; ++i) third(i);
  }
}

template <typename Item>
struct ParallelPhase {
  int64_t count;
  Item item;

  ParallelPhase(int64_t n, Item work) : count(n), item(work) {}

  void RunAlone() {
    for (int64_t i = 0; i < count; ++i) item(i);
  }
  void RunShare() {
    if (count == 0) return;  // of every thread: nobody has to wait
#pragma omp for schedule(dynamic, 1)
    for (int64_t i = 0; i < count; ++i) item(i);
  }
};

// Any number of phases, few items in each.
template <typename... Items>
void RunInOrder(int threads, ParallelPhase<Items>... phases) {
  if (threads <= 1) {
    (phases.RunAlone(), ...);
    return;
  }
#pragma omp parallel num_threads(threads)
  { (phases.RunShare(), ...); }
}

// The same for one phase, each item as long as any other.
template <typename Item>
void RunItems(int threads, int64_t count, Item item) {
  if (threads <= 1 || count <= 1) {
    for (int64_t i = 0; i < count; ++i) item(i);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < count; ++i) item(i);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_PARALLEL_H_
