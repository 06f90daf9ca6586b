#include "conformance/verdict/every_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/host/code_path.h"

namespace qconform {
namespace {

std::string FactOf(const std::map<std::string, std::string>& facts, const char* name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : found->second;
}

// Whether this path really answered.
bool Counts(const std::string& name, const CaseRecord& record) {
  if (record.verdict == Verdict::kRefused) return false;
  return record.path.empty() || record.path == name;
}

using Cluster = std::vector<std::string>;

std::string Text(const std::vector<Cluster>& clusters) {
  std::vector<std::string> texts;
  for (const Cluster& cluster : clusters)
    texts.push_back(fmt::format("{}", fmt::join(cluster, "=")));
  return fmt::format("{}", fmt::join(texts, " != "));
}

}  // namespace

std::vector<PathOnMachine> PathsOf(const std::map<std::string, std::string>& facts) {
  const std::string architecture = FactOf(facts, "architecture");
  const std::string features = " " + FactOf(facts, "features") + " ";
  std::vector<PathOnMachine> paths;
  for (const CodePath& path : CodePaths()) {
    if (architecture != path.architecture) continue;
    const std::string feature(path.feature);
    const bool has =
        feature.empty() || features.find(" " + feature + " ") != std::string::npos;
    paths.push_back({std::string(path.name), has});
  }
  return paths;
}

CaseRecord CombinePaths(std::vector<std::pair<std::string, CaseRecord>> records) {
  const bool any_counts =
      std::any_of(records.begin(), records.end(),
                  [](const auto& each) { return Counts(each.first, each.second); });
  if (!any_counts) return std::move(records.front().second);
  std::erase_if(records,
                [](const auto& each) { return !Counts(each.first, each.second); });
  // A path that gave no bits stands alone.
  std::vector<std::pair<std::string, Cluster>> by_bits;
  double seconds = 0;
  for (const auto& [name, record] : records) {
    seconds += record.seconds;
    const std::string key =
        record.bits.empty() ? std::string(VerdictName(record.verdict)) : record.bits;
    const auto found = std::find_if(by_bits.begin(), by_bits.end(),
                                    [&](const auto& one) { return one.first == key; });
    if (found == by_bits.end()) {
      by_bits.push_back({key, {name}});
    } else {
      found->second.push_back(name);
    }
  }
  std::vector<Cluster> clusters;
  for (auto& [bits, cluster] : by_bits) clusters.push_back(std::move(cluster));
  const auto worst = std::find_if(records.begin(), records.end(),
                                  [](const auto& each) { return IsFailed(each.second); });
  CaseRecord result = worst == records.end() ? records.front().second : worst->second;
  result.seconds = seconds;
  result.path = Text(clusters);
  if (clusters.size() == 1) return result;
  std::vector<std::string> braced;
  for (const Cluster& cluster : clusters)
    braced.push_back(fmt::format("{{{}}}", fmt::join(cluster, ",")));
  result.details.insert(result.details.begin(),
                        fmt::format("clusters {}", fmt::join(braced, ", ")));
  if (worst != records.end())
    result.details[0] +=
        fmt::format("; {} on {}{}{}", VerdictName(result.verdict), worst->first,
                    result.cause.empty() ? "" : ", ", result.cause);
  result.verdict = Verdict::kPathsDisagree;
  result.level = -1;
  result.cause = result.path;
  return result;
}

CaseSource OnEveryPath(CaseSource source) {
  const auto run = std::move(source.run);
  source.prepared_ahead = false;
  source.run = [run](const Subject& subject) {
    const auto& every = dynamic_cast<const EveryPath&>(subject.worker);
    std::vector<std::pair<std::string, CaseRecord>> records;
    for (const auto& [name, target] : every.targets())
      records.emplace_back(name, run(Subject{*target, subject.identity, subject.config,
                                             subject.own_config}));
    return CombinePaths(std::move(records));
  };
  return source;
}

}  // namespace qconform
