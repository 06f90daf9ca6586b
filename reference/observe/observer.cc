#include "reference/observe/observer.h"

#include <cassert>

namespace qconform {

Tensor Observer::Forward(const Tensor& x) {
  Observe(x);
  return x;
}

bool Observer::SetBuffer(const std::string&, const Tensor&) { return false; }

double ScaleValue(const Qparams& qparams) {
  assert(qparams.scale.numel() == 1);
  return qparams.scale.ValueAt(0);
}

int64_t ZeroPointValue(const Qparams& qparams) {
  assert(qparams.zero_point.numel() == 1);
  return qparams.zero_point.IntegerAt(0);
}

}  // namespace qconform
