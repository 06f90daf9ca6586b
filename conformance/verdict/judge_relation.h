// A metamorphic case: two calls of the backend, compared with each other bit for bit.
#ifndef QCONFORM_CONFORMANCE_VERDICT_JUDGE_RELATION_H_
#define QCONFORM_CONFORMANCE_VERDICT_JUDGE_RELATION_H_

#include "conformance/metamorphic/relation.h"
#include "conformance/verdict/case_source.h"

namespace qconform {

// Neither `c.want` nor any other answer of the reference is looked at. FAIL names the
// relation and the first element that breaks it; both calls must end well in every memory
// format. REFUSED where the backend says no to either call.
CaseRecord RunRelationCase(const ConformanceCase& c, const Relation& relation,
                           const Subject& subject);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_JUDGE_RELATION_H_
