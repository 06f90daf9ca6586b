// The quantized form of the records' own custom modules.
#ifndef QCONFORM_CLI_PARITY_CORPUS_CUSTOM_H_
#define QCONFORM_CLI_PARITY_CORPUS_CUSTOM_H_

#include "reference/convert/convert.h"

namespace qconform::parity {

// CustomQuant.from_observed of a CustomObserved: its linear becomes a
// torch.ao.nn.quantized.Linear.
std::shared_ptr<Module> QuantizeCustom(const Module& observed, const QConfig& qconfig,
                                       const std::shared_ptr<Observer>& output);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_CORPUS_CUSTOM_H_
