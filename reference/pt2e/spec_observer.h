// The observer that a spec asks for.
#ifndef QCONFORM_REFERENCE_PT2E_SPEC_OBSERVER_H_
#define QCONFORM_REFERENCE_PT2E_SPEC_OBSERVER_H_

#include <memory>

#include "reference/config/mode.h"
#include "reference/pt2e/observer_map.h"
#include "reference/pt2e/quantization_spec.h"

namespace qconform {

// A new observer or fake-quantizer as a module, or, for a shared spec, the one of the
// place that it names; nullptr for None. `place` is the one that the spec was given to,
// `made` what was made before it. Throws PipelineError as torchao does: AssertionError
// for a shared place without an observer yet, KeyError for a derived one, and what the
// constructors raise. In strict mode a derived place whose spec is None is refused, too.
// (_create_obs_or_fq_from_qspec)
std::shared_ptr<Module> MakeSpecObserver(const EdgeOrNode& place,
                                         const QuantizationSpecPointer& spec,
                                         const ObserverMap& made, bool is_qat, Mode mode);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_SPEC_OBSERVER_H_
