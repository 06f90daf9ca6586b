// A layer of a shape table as one call through the ABI.
#ifndef QCONFORM_BENCH_LAYER_CALL_H_
#define QCONFORM_BENCH_LAYER_CALL_H_

#include "bench/shape_table.h"
#include "conformance/host/operator_call.h"

namespace qconform::bench {

struct CallOptions {
  int64_t batch = 1;
  // Of the second operand of a product. With 7, no sum of two products leaves 16 bits.
  int weight_bits = 8;
};

// u8 activations with a zero point; s8 weights per output channel and an f32 bias, under
// the scheme that is exact with round half to even; kMatmul by s8 codes. Codes are
// uniform and the same at every call for the same layer.
OperatorCall MakeLayerCall(const Layer& layer, const CallOptions& options = {});

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_LAYER_CALL_H_
