// Questions on which requantization schemes differ. Random accumulators hide the scheme:
// most schemes agree on all but one in ten thousand of them. These lie at halves.
#ifndef QCONFORM_CONFORMANCE_PROBE_SCHEME_QUESTION_H_
#define QCONFORM_CONFORMANCE_PROBE_SCHEME_QUESTION_H_

#include <cstdint>
#include <vector>

#include "conformance/probe/chosen_accumulators.h"
#include "reference/numerics/scheme.h"

namespace qconform {

// By number, the same on every machine. By turns: multipliers that are powers of two,
// where odd accumulators are ties; arbitrary ones and the accumulators next to halves;
// ones made so that an accumulator lies at a half but for their own rounding; quotients
// of small numbers; large accumulators. With a bias every other time, if the form has
// one. Accumulators stay within `exact_up_to`.
ProbeQuestion SchemeQuestion(const ProbeForm& form, uint64_t number, int64_t exact_up_to);

// The codes under a scheme, by the scalar definitions.
std::vector<int32_t> ExpectedCodes(const Scheme& scheme, const ProbeForm& form,
                                   const ProbeQuestion& question);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_SCHEME_QUESTION_H_
