// Where a quantizer's settings do something else in torch mode than in strict mode.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_QUANTIZER_MODES_H_
#define QCONFORM_REFERENCE_QUANTIZERS_QUANTIZER_MODES_H_

#include <functional>
#include <memory>

#include "reference/config/mode_difference.h"
#include "reference/quantizers/accounting_quantizer.h"

namespace qconform {

// The same quantizer with the same settings in a mode. May throw PipelineError.
using QuantizerFactory = std::function<std::shared_ptr<AccountingQuantizer>(Mode)>;

// Annotates copies of the program in both modes. One difference, kind "annotation", for
// each call whose specs differ, with the reason that torch mode's account gives; one of
// kind "quantizer" where a mode refuses.
ModeDifferences CompareQuantizerModes(const ExportedProgram& program,
                                      const QuantizerFactory& make);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_QUANTIZER_MODES_H_
