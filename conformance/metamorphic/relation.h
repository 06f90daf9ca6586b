// Metamorphic relations: what two calls of one backend must have in common whatever the
// right answer is, bit for bit. They judge a device without trusting our reference.
#ifndef QCONFORM_CONFORMANCE_METAMORPHIC_RELATION_H_
#define QCONFORM_CONFORMANCE_METAMORPHIC_RELATION_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

// Dense bytes of each output.
using OutputBytes = std::vector<std::vector<std::byte>>;

struct Relation {
  std::string_view name;
  std::string_view text;  // what must hold, for a person
  // "" or what the relation wants of a call that this one is not. Data may be missing.
  std::string (*objection)(const OperatorCall& call);
  // Changes data so that the relation holds to the bit; nullptr: they may be any.
  void (*prepare)(OperatorCall& call);
  // The second call, from the first and what it gave.
  OperatorCall (*follow)(const OperatorCall& call, const OutputBytes& first);
  // What the second must give.
  OutputBytes (*expect)(const OperatorCall& call, const OutputBytes& first);
};

std::span<const Relation> Relations();

// nullptr for a name that is none.
const Relation* FindRelation(std::string_view name);

// The tables that make up the whole, a file each.
std::span<const Relation> BatchRelations();    // samples know nothing of each other
std::span<const Relation> ChannelRelations();  // orders and parts of channels
std::span<const Relation> SpatialRelations();  // borders and axes
std::span<const Relation> ValueRelations();    // scales, zero points, operands
std::span<const Relation> ChainRelations();    // the second call reads the first's output

// Of sums whose order changes: rounds the scales of x and w to powers of two and a float
// bias to whole accumulators, so that float32 sums are exact in any order, too.
void MakeSumsExact(OperatorCall& call);
// "" if the sums of `terms` products of codes stay below 2^24 then; else what is wrong.
std::string SumsObjection(int64_t terms);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_METAMORPHIC_RELATION_H_
