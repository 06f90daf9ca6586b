// Maxima of windows along the rows of images that lie pixel by pixel.
#ifndef QCONFORM_KERNELS_POOL_MAX_ROWS_H_
#define QCONFORM_KERNELS_POOL_MAX_ROWS_H_

#include <cstdint>

#include "kernels/target/path.h"

namespace qconform::kernels {

// `rows` rows of outputs, row_step bytes apart in the input, of each of `planes`. A row
// is the maximum of the rows that begin at each of `taps` (bytes), padded to both sides
// with `fill`, and then of windows of that.
struct MaxRows {
  const uint8_t* input;
  int64_t planes, plane_step;
  int64_t rows, row_step;
  const int64_t* taps;
  int64_t tap_count;
  int64_t width;                     // of a row of the input
  int64_t before;                    // padding
  uint8_t fill;                      // the least code
  int64_t kernel, dilation, stride;  // of a window along the row
  uint8_t* output;
  int64_t count;  // windows of a row
  int64_t output_plane_step, output_row_step;
};

// Bytes that a kernel needs beside.
int64_t MaxRowsScratchBytes(int64_t padded_width);

// padded_width: as far as the windows of a row reach.
using MaxRowsKernel = void (*)(const MaxRows& rows, int64_t padded_width,
                               uint8_t* scratch);
MaxRowsKernel MaxRowsKernelOf(Path path, bool is_signed);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_POOL_MAX_ROWS_H_
