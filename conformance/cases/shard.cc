#include "conformance/cases/shard.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// FNV-1a with its bits mixed, so that ids that differ at the end spread well.
uint64_t HashOf(std::string_view id) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

std::optional<int> NumberIn(std::string_view text) {
  int number = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

bool Shard::Holds(std::string_view id) const {
  return HashOf(id) % static_cast<uint64_t>(count) == static_cast<uint64_t>(index - 1);
}

std::string Shard::Text() const {
  return count == 1 ? "" : std::to_string(index) + "/" + std::to_string(count);
}

Shard ParseShard(const std::string& text, const std::string& where) {
  const size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = NumberIn(std::string_view(text).substr(0, slash));
    const auto count = NumberIn(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return {*index, *count};
  }
  throw InputError(where, "'" + text + "' is no shard", "one like 2/5, from 1/5 to 5/5");
}

Shard ShardOfEnvironment() {
  const char* total = std::getenv("GTEST_TOTAL_SHARDS");
  const char* index = std::getenv("GTEST_SHARD_INDEX");
  if (total == nullptr && index == nullptr) return {};
  const auto count = NumberIn(total == nullptr ? "" : total);
  const auto at = NumberIn(index == nullptr ? "" : index);
  if (!count || !at || *at < 0 || *at >= *count) {
    throw InputError("environment",
                     "GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX name no shard",
                     "a total, and an index from 0 to one below it");
  }
  return {*at + 1, *count};
}

}  // namespace qconform
