// A layer of a shape table as one call through the ABI.
#ifndef QCONFORM_BENCH_LAYER_CALL_H_
#define QCONFORM_BENCH_LAYER_CALL_H_

#include "bench/shape_table.h"
#include "conformance/host/operator_call.h"

namespace qconform::bench {

// u8 activations with a zero point, s8 weights per output channel, f32 bias, batch 1,
// the scheme that is exact under round half to even. Codes are uniform and the same at
// every call for the same layer.
OperatorCall MakeLayerCall(const Layer& layer);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_LAYER_CALL_H_
