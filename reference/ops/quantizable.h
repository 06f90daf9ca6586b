// The forwards of torch.ao.nn.quantizable.LSTM and MultiheadAttention. They are the same
// before and after conversion; what their small parts do differs: linears and sums are
// observed, or work on codes.
#ifndef QCONFORM_REFERENCE_OPS_QUANTIZABLE_H_
#define QCONFORM_REFERENCE_OPS_QUANTIZABLE_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/call.h"
#include "reference/ops/registry.h"
#include "reference/ops/value.h"

namespace qconform {

struct QuantizableParts {
  // The forward of a child: a linear, an activation or a stub.
  std::function<Tensor(Module& child, const Tensor& x)> call;
  // add or mul of a FloatFunctional or QFunctional.
  std::function<Tensor(Module& child, const std::string& name, const Tensor& x,
                       const Tensor& y)>
      combine;
  // x * number; of codes it changes their scale. (mul_scalar)
  std::function<Tensor(const Tensor& x, double number)> scale;
  // The values of x with the parameters of `like`; x itself where `like` has none.
  std::function<Tensor(const Tensor& x, const Tensor& like)> requantize;
  // Functions of torch, on codes as well where the parts work on them.
  const Registry* functions = nullptr;
};

// torch's function of that name.
Tensor CallFunction(const QuantizableParts& parts, const std::string& name,
                    std::vector<Value> args, const Call& call);

// Throws InputError if there is none of that name.
Module& QuantizableChild(Module& module, const std::string& name, const Call& call);

// (x, (hidden, cell)) -> (y, (hidden, cell)); without states they start at zero.
// `lstm` holds layers.<n>.layer_fw.cell, and layer_bw for two directions.
Value RunQuantizableLstm(Module& lstm, const Call& call, const QuantizableParts& parts);

// (query, key, value) -> (output, weights or None). Masks are refused.
Value RunQuantizableAttention(Module& attention, const Call& call,
                              const QuantizableParts& parts);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_QUANTIZABLE_H_
