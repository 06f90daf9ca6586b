// Parameters that are computed from those of other observers, by name.
#ifndef QCONFORM_REFERENCE_PT2E_DERIVE_FUNCTION_H_
#define QCONFORM_REFERENCE_PT2E_DERIVE_FUNCTION_H_

#include <functional>
#include <memory>
#include <vector>

#include "reference/ir/name_table.h"
#include "reference/observe/observer.h"

namespace qconform {

// From the observers of derived_from, in that order. Throws PipelineError.
using DeriveFunction =
    std::function<Qparams(const std::vector<std::shared_ptr<Observer>>& sources)>;

// Built in: "scale_product", of an activation and a weight, for a bias in int32: the
// scales multiplied in float32 ([1] by [C] gives [C]), zero points 0 in int32.
NameTable<DeriveFunction>& DeriveFunctions();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_DERIVE_FUNCTION_H_
