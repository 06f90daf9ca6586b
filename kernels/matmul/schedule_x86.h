// How products of real values are laid onto x86 registers.
#ifndef QCONFORM_KERNELS_MATMUL_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_MATMUL_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/matmul/tile.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// output(n, m) over columns and rows. Lanes are columns, never terms of a sum: each sum
// has the order of the definition. Blocks of columns are outermost, so that their factors
// stay in the cache while the rows pass. The last columns and rows are guarded where
// they are stored; their sums run over whole tiles, for which the caller pads what the
// kernel reads.
//
// `depth` and `tail` are the sums of 256 products and of the last ones, kept in
// registers; `sum`, which they are added to, is touched once a block and may lie in
// memory.
inline void ScheduleMatmul(Halide::Func output, Halide::Func code, Halide::Func sum,
                           Halide::Func depth, Halide::Func tail, Halide::Var n,
                           Halide::Var m, Halide::Var d, Tile tile, Halide::RVar block,
                           Halide::RVar k, Halide::RVar last) {
  using Halide::TailStrategy;
  Halide::Var n_outer("n_outer"), n_inner("n_inner"), m_outer("m_outer"),
      m_inner("m_inner");
  output.split(n, n_outer, n_inner, tile.Block(), TailStrategy::GuardWithIf)
      .split(m, m_outer, m_inner, tile.rows, TailStrategy::GuardWithIf)
      .reorder(n_inner, m_inner, m_outer, n_outer)
      .vectorize(n_inner)
      .unroll(m_inner);
  if (code.defined()) {
    code.compute_at(output, m_outer)
        .store_in(Halide::MemoryType::Stack)
        .bound_extent(n, tile.Block())
        .bound_extent(m, tile.rows)
        .vectorize(n, tile.lanes)
        .unroll(n)
        .unroll(m);
  }
  for (Halide::Func* whole : {&sum, &depth, &tail}) {
    whole->store_in(Halide::MemoryType::Stack)
        .bound_extent(n, tile.Block())
        .bound_extent(m, tile.rows)
        .vectorize(n, tile.lanes)
        .unroll(n)
        .unroll(m);
  }
  sum.compute_at(output, m_outer);
  sum.update(0).reorder(n, m, block).vectorize(n, tile.lanes).unroll(n).unroll(m);
  sum.update(1).vectorize(n, tile.lanes).unroll(n).unroll(m);
  depth.compute_at(sum, block).bound_extent(d, 1);
  depth.update().reorder(n, m, k).vectorize(n, tile.lanes).unroll(n).unroll(m);
  tail.compute_at(output, m_outer);
  tail.update().reorder(n, m, last).vectorize(n, tile.lanes).unroll(n).unroll(m);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_MATMUL_SCHEDULE_X86_H_
