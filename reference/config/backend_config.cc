#include "reference/config/backend_config.h"

#include <array>
#include <memory>

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr std::array<const char*, 3> kObservationTypeNames = {
    "OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT", "OUTPUT_SHARE_OBSERVER_WITH_INPUT",
    "INPUT_OUTPUT_NOT_OBSERVED"};

constexpr const char* kBothPatterns =
    "Only one of 'pattern' or 'pattern_complex_format' can be set";

}  // namespace

const char* ObservationTypeName(ObservationType type) {
  return kObservationTypeNames[static_cast<size_t>(type)];
}

std::optional<ObservationType> ParseObservationType(const std::string& name) {
  for (size_t i = 0; i < kObservationTypeNames.size(); ++i) {
    if (name == kObservationTypeNames[i]) return static_cast<ObservationType>(i);
  }
  return std::nullopt;
}

void BackendPatternConfig::SetPattern(Pattern value) {
  if (pattern_complex_format) throw PipelineError("ValueError", kBothPatterns);
  pattern = std::move(value);
}

void BackendPatternConfig::SetPatternComplexFormat(Pattern value) {
  if (pattern) throw PipelineError("ValueError", kBothPatterns);
  pattern_complex_format = std::move(value);
}

Pattern BackendPatternConfig::InternalKey() const {
  if (pattern_complex_format) return *pattern_complex_format;
  if (pattern) return ReversedNested(*pattern);
  throw PipelineError("ValueError",
                      "Either 'pattern' or 'pattern_complex_format' must be specified");
}

void BackendConfig::Set(std::shared_ptr<const BackendPatternConfig> config) {
  Pattern key = config->InternalKey();
  const std::string text = key.Text();
  if (const size_t* position = index_.Find(text)) {
    // An entry cannot be assigned: it is made anew in its place.
    Entry& entry = entries_[*position];
    std::destroy_at(&entry);
    std::construct_at(&entry, std::move(key), std::move(config));
    return;
  }
  index_.Set(text, entries_.size());
  entries_.emplace_back(std::move(key), std::move(config));
}

const BackendConfig::Entry* BackendConfig::Find(const Pattern& key) const {
  const size_t* position = index_.Find(key.Text());
  return position == nullptr ? nullptr : &entries_[*position];
}

const BackendPatternConfig* BackendConfig::FindSingle(const std::string& name) const {
  const Entry* entry = Find(Pattern::FromName(name));
  return entry == nullptr ? nullptr : &entry->config;
}

}  // namespace qconform
