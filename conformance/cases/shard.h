// One part of a selection, chosen by the hash of each case's id: a case that is added
// moves no other one.
#ifndef QCONFORM_CONFORMANCE_CASES_SHARD_H_
#define QCONFORM_CONFORMANCE_CASES_SHARD_H_

#include <optional>
#include <string>
#include <string_view>

namespace qconform {

struct Shard {
  int index = 1;  // from 1
  int count = 1;

  bool Holds(std::string_view id) const;
  // "2/5"; empty for the whole.
  std::string Text() const;
  bool operator==(const Shard&) const = default;
};

// "2/5". Throws InputError.
Shard ParseShard(const std::string& text, const std::string& where);

// GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX, which counts from 0; the whole without
// them. Throws InputError.
Shard ShardOfEnvironment();

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_SHARD_H_
