// How the int8 tiles are laid onto x86 registers.
#ifndef QCONFORM_KERNELS_CONV_SCHEDULE_X86_H_
#define QCONFORM_KERNELS_CONV_SCHEDULE_X86_H_

#include <Halide.h>

#include "kernels/conv/tile.h"
#include "kernels/target/path_of.h"

namespace qconform::kernels {

// output(n, m) over channels and pixels. Blocks of channels are outermost, so that a
// block's weights stay in the cache while the pixels pass. n is a whole number of
// blocks (the caller sends the rest through a buffer of its own); the last pixels
// shift inwards: a few are computed twice, with the same result, and there must be
// at least one tile of them.
//
// code(n, m) is undefined where the accumulators are the result. sum(n, m) is the
// accumulator. Its reduction has the products of one instruction
// innermost (`group`: 2 for pmaddwd, 4 for vpdpbusd); vectorizing over it with
// atomic() is what makes Halide emit those instructions. pmaddubsw cannot appear but
// in short_sums.h: its operands would have to be a u8 and an s8 summed into 16 bits.
template <typename... OuterReductions>
void ScheduleTile(Halide::Func output, Halide::Func code, Halide::Func sum, Halide::Var n,
                  Halide::Var m, Tile tile, Halide::RVar group,
                  OuterReductions... outer) {
  using Halide::TailStrategy;
  Halide::Var n_outer("n_outer"), n_inner("n_inner"), m_outer("m_outer"),
      m_inner("m_inner"), n_vector("n_vector"), n_lane("n_lane");
  output.split(n, n_outer, n_inner, tile.Block(), TailStrategy::RoundUp)
      .split(m, m_outer, m_inner, tile.rows, TailStrategy::ShiftInwards)
      .reorder(n_inner, m_inner, m_outer, n_outer)
      .vectorize(n_inner)
      .unroll(m_inner);
  if (code.defined()) {
    code.compute_at(output, m_inner)
        .store_in(Halide::MemoryType::Stack)
        .bound_extent(n, tile.Block())
        .vectorize(n, tile.lanes)
        .unroll(n);
  }
  sum.compute_at(output, m_outer)
      .store_in(Halide::MemoryType::Stack)
      .bound_extent(n, tile.Block())
      .bound_extent(m, tile.rows)
      .vectorize(n, tile.lanes)
      .unroll(n)
      .unroll(m);
  sum.update()
      .split(n, n_vector, n_lane, tile.lanes)
      .reorder(group, n_lane, n_vector, m, outer...)
      .atomic()
      .vectorize(group)
      .vectorize(n_lane)
      .unroll(n_vector)
      .unroll(m);
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_SCHEDULE_X86_H_
