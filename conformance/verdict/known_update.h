// A file of known failures against a run: what would make it true again.
#ifndef QCONFORM_CONFORMANCE_VERDICT_KNOWN_UPDATE_H_
#define QCONFORM_CONFORMANCE_VERDICT_KNOWN_UPDATE_H_

#include <optional>
#include <string>

#include "conformance/verdict/journal.h"
#include "conformance/verdict/known_failures.h"

namespace qconform {

// A patch in unified form against the file with this text (nullopt: there is none yet,
// and the patch makes it); empty if nothing changes. It takes away entries all of whose
// cases pass, or that no case of the run has, and adds a row for every failure that is
// not listed. Of these, reason, issue, owner, since and expires are empty, so the file is
// refused until a person has filled them in.
std::string PatchOf(const KnownFailures& known, const std::optional<std::string>& text,
                    const Journal& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_KNOWN_UPDATE_H_
