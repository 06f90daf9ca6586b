// Weighted modules that know how their weight is quantized: torch.ao.nn.quantized.
// reference.
#ifndef QCONFORM_REFERENCE_CONVERT_REFERENCE_MODULE_H_
#define QCONFORM_REFERENCE_CONVERT_REFERENCE_MODULE_H_

#include <memory>
#include <string>

#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/observe/observer.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// `float_module` as class `type`: its settings and float parameters, the attributes
// weight_qscheme ("torch.per_channel_affine"; "None" for placeholders), weight_dtype
// ("torch.qint8"), weight_axis_int, weight_quant_min, weight_quant_max, is_decomposed,
// and the buffers weight_scale, weight_zero_point, weight_axis. Symmetric schemes are
// recorded as affine ones. `observer` has seen the weight.
// (ReferenceQuantizedModule._init_weight_qparams)
// Strict mode keeps symmetric schemes, refuses dtypes that a reference module would not
// quantize to, and sets kAsDeclared (ops/weight_quantization.h): the module then pads as
// its padding_mode says.
std::shared_ptr<Module> MakeReferenceModule(const std::string& type,
                                            const Module& float_module,
                                            const Observer& observer, bool is_decomposed,
                                            Mode mode = Mode::kTorch);

// The same for recurrent cells and layers: a fresh observer of `qconfig` for every
// weight, each with attributes and buffers of its own (weight_ih_scale, ...). torch shows
// a layer's weights to their observers only if these are qint8, strict mode always.
std::shared_ptr<Module> MakeReferenceRecurrentModule(const std::string& type,
                                                     const Module& float_module,
                                                     const QConfig& qconfig,
                                                     bool is_decomposed,
                                                     Mode mode = Mode::kTorch);

// Cells such as torch.nn.LSTMCell; layers such as torch.nn.LSTM.
bool IsRecurrentCell(const std::string& type);
bool IsRecurrentLayer(const std::string& type);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_REFERENCE_MODULE_H_
