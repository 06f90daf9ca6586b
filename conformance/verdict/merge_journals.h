// The journals of a run's shards as the journal of one run.
#ifndef QCONFORM_CONFORMANCE_VERDICT_MERGE_JOURNALS_H_
#define QCONFORM_CONFORMANCE_VERDICT_MERGE_JOURNALS_H_

#include <string>
#include <vector>

#include "conformance/verdict/journal.h"

namespace qconform {

struct NamedJournal {
  std::string name;  // for messages
  Journal journal;
};

// Cases are ordered by id, so the order of the journals does not matter. The footer
// lists shards that are missing; it is complete only if none is and every journal is.
// Throws InputError unless all are of the same suite, backend, config and version of
// qconform; if a shard or a case is there twice; if the shards are of different counts.
Journal MergeJournals(const std::vector<NamedJournal>& journals);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_MERGE_JOURNALS_H_
