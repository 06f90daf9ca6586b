// Quantizers as JSON:
//   {"quantizer": "x86_inductor", "settings": [
//      {"call": "set_global", "config": {"is_qat": false}},
//      {"call": "set_module_name_qconfig", "name": "stem", "config": null},
//      {"call": "set_module_type_qconfig", "type": "torch.nn.Conv2d", "config": {...}}]}
//   {"quantizers": [...]}                     one after the other (ComposableQuantizer)
//   {"quantizer": "rules", "rules": [...]}    rule_quantizer_json.h
// The calls are the methods of torchao's classes: x86_inductor, arm_inductor and xnnpack
// (which has set_filter_function, with "modules", "module_types", "operators" to leave in
// float); "embedding" has none. Without "settings" a quantizer gets its default global
// config. Configs are those of quantization_spec_json.h.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_QUANTIZER_JSON_H_
#define QCONFORM_REFERENCE_QUANTIZERS_QUANTIZER_JSON_H_

#include <memory>
#include <string>
#include <vector>

#include "reference/formats/json_file.h"
#include "reference/quantizers/accounting_quantizer.h"

namespace qconform {

// Throws InputError at the offending value; PipelineError where torchao's setter throws.
std::shared_ptr<AccountingQuantizer> QuantizerFromJson(const ordered_json& json,
                                                       const JsonOrigin& origin,
                                                       Mode mode);

// One of QuantizerNames() with its default global config. Throws InputError with the
// nearest name. `is_qat` and `is_dynamic` go to that config.
struct DefaultQuantizerOptions {
  bool is_qat = false;
  bool is_dynamic = false;
};
std::shared_ptr<AccountingQuantizer> QuantizerByName(
    const std::string& name, Mode mode, const DefaultQuantizerOptions& options = {});

// "arm_inductor", "embedding", "x86_inductor", "xnnpack".
const std::vector<std::string>& QuantizerNames();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_QUANTIZER_JSON_H_
