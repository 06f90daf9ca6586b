// Products of bytes whose sums begin in 16 bits, for tiles of activations that cannot
// overflow them: see layout/short_sums.h.
#ifndef QCONFORM_KERNELS_CONV_SHORT_SUMS_H_
#define QCONFORM_KERNELS_CONV_SHORT_SUMS_H_

#include <Halide.h>

#include <functional>

#include "kernels/conv/schedule_x86.h"

namespace qconform::kernels {

// pmaddwd multiplies sixteen pairs of 16 bits, pmaddubsw thirty-two of bytes and sums two
// of them into 16 bits. The sum is exact where two neighbouring codes are at most 255
// together (a weight is at most 128 in size), and then needs one pmaddwd by ones to
// come to 32 bits. The multiplier's two ports bind either way, so nothing but memory is
// won. With four codes of at most 255 together two such sums are added in 16 bits first,
// and three instructions of the multiplier do the work of four.
//
// short(half, n, m, step, tap) = sum over quad < quads, i < 2 of
//     value(4 (quads * step + quad) + 2 half + i, m, tap) * weight(the same, n, tap)
// saturating_add is what Halide turns into pmaddubsw; it never saturates here.
class ShortSums {
 public:
  using Weight = std::function<Halide::Expr(Halide::Expr in_quad, Halide::Expr quad,
                                            Halide::Expr tap)>;

  // value(k, m, tap).
  ShortSums(Halide::Func value, const Weight& weight, Halide::Var n, Halide::Var m,
            int quads)
      : quad_(0, 2, 0, quads),
        sum_("short"),
        n_(n),
        half_("half"),
        step_("step"),
        tap_("tap") {
    using Halide::cast;
    const Halide::Expr in_quad = half_ * 2 + quad_.x;
    const Halide::Expr at = step_ * quads + quad_.y;
    sum_(half_, n, m, step_, tap_) = cast<int16_t>(0);
    sum_(half_, n, m, step_, tap_) = Halide::saturating_add(
        sum_(half_, n, m, step_, tap_), cast<int16_t>(value(at * 4 + in_quad, m, tap_)) *
                                            cast<int16_t>(weight(in_quad, at, tap_)));
  }

  Halide::Expr At(Halide::Expr half, Halide::Expr m, Halide::Expr step,
                  Halide::Expr tap) const {
    return sum_(half, n_, m, step, tap);
  }

  // After ScheduleTile of `sum`, at the vector of it that takes them.
  void Schedule(Halide::Func sum, Tile tile) {
    sum_.compute_at(sum, Halide::Var("n_vector"))
        .store_in(Halide::MemoryType::Stack)
        .bound_extent(half_, 2)
        .bound_extent(n_, tile.lanes)
        .vectorize(half_)
        .vectorize(n_);
    sum_.update()
        .reorder(quad_.x, half_, n_, quad_.y)
        .atomic(true)  // a sum that saturates could not be reordered
        .vectorize(quad_.x)
        .vectorize(half_)
        .vectorize(n_)
        .unroll(quad_.y);
  }

 private:
  Halide::RDom quad_;
  Halide::Func sum_;
  Halide::Var n_, half_, step_, tap_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_SHORT_SUMS_H_
