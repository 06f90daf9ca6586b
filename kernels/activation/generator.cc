// A function of one code in Halide: a table of its 256 values. Scalar definition:
// reference/numerics, the operators of one element, which also fills the table.
#include <Halide.h>

#include "kernels/activation/schedule_x86.h"

namespace {

using Halide::Buffer;
using Halide::Generator;
using Halide::Var;

// output(i) = table(input(i))
class ActivationTable : public Generator<ActivationTable> {
 public:
  Input<Buffer<uint8_t, 1>> input{"input"};
  Input<Buffer<uint8_t, 1>> table{"table"};
  Output<Buffer<uint8_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    output(i) = table(Halide::cast<int32_t>(input(i)));

    qconform::kernels::ScheduleLookups(output, i);
    input.dim(0).set_min(0);
    table.dim(0).set_bounds(0, 256);
    output.dim(0).set_min(0);
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ActivationTable, activation_table)
