// Puts modules that train with fake-quantized weights in place of float ones.
#ifndef QCONFORM_REFERENCE_OBSERVE_QAT_SWAP_H_
#define QCONFORM_REFERENCE_OBSERVE_QAT_SWAP_H_

#include <memory>
#include <string>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Every module that has a QAT class in the backend config and a qconfig (by path) is
// replaced; children of fused modules are not looked at. The new module holds its weight
// fake-quantizer as the child weight_fake_quant, a batch norm as the child bn.
// (torch.ao.quantization.fx.prepare._qat_swap_modules) Throws InputError for a QAT class
// that nobody knows, PipelineError where torch's from_float refuses.
void SwapQatModules(GraphModule& module, const BackendConfig& config,
                    const OrderedMap<QConfigPointer>& qconfigs, Mode mode = Mode::kTorch);

// The class of what QatModuleToFloat makes of a module of this class; the class itself
// if it is no QAT class that is known.
std::string FloatClassOf(const std::string& qat_class);

// The float module that a QAT module trained, its batch norm folded; a container for
// classes with a ReLU. (to_float) Throws InputError for a QAT class that nobody knows.
std::shared_ptr<Module> QatModuleToFloat(const Module& module);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QAT_SWAP_H_
