// Specs and configs as JSON:
//   {"dtype": "torch.int8", "quant_min": -128, "quant_max": 127,
//    "qscheme": "torch.per_tensor_affine", "ch_axis": 0, "is_dynamic": false,
//    "observer": {"class": "HistogramObserver", "kwargs": {"eps": 0.000244140625}}}
//   {"kind": "fixed", "dtype", "scale", "zero_point", ...}
//   {"kind": "shared", "with": PLACE}
//   {"kind": "derived", "from": [PLACE, ...], "function": NAME, "dtype", ...}
// A PLACE is a node's name, or [PRODUCER, CONSUMER] for an edge. null is None.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_QUANTIZATION_SPEC_JSON_H_
#define QCONFORM_REFERENCE_QUANTIZERS_QUANTIZATION_SPEC_JSON_H_

#include <string>

#include "reference/formats/json_file.h"
#include "reference/pt2e/quantization_config.h"
#include "reference/pt2e/quantization_spec.h"

namespace qconform {

// Throw InputError at the offending value; also where torchao's class refuses the values.
QuantizationSpecPointer QuantizationSpecFromJson(const ordered_json& json,
                                                 const JsonOrigin& origin);
EdgeOrNode PlaceFromJson(const ordered_json& json, const JsonOrigin& origin);

// null, {"input_activation", "output_activation", "weight", "bias", "is_qat"}, or the
// options of the quantizer's own default: {"is_qat": true}. `quantizer` is
// "x86_inductor", "arm_inductor" or "xnnpack"; "linear_dynamic_fp16" is x86's.
QuantizationConfigPointer QuantizationConfigFromJson(const ordered_json& json,
                                                     const std::string& quantizer,
                                                     const JsonOrigin& origin);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_QUANTIZATION_SPEC_JSON_H_
