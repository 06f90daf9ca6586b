#include "conformance/verdict/kill_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {

KillRecord ReadKillRecord(const std::filesystem::path& file) {
  KillRecord record;
  try {
    const auto json = nlohmann::json::parse(ReadFileBytes(file));
    json.at("tool").get_to(record.tool);
    json.at("suites").get_to(record.suites);
    json.at("killers").get_to(record.killers);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file.string(), error.what(), "tool, suites and killers");
  }
  return record;
}

// A line for each suite and each saboteur, so that a diff says what has changed.
std::string KillRecordJson(const KillRecord& record) {
  const auto lines = [](const auto& entries) {
    std::string text;
    for (const auto& [name, value] : entries)
      text += (text.empty() ? "" : ",") + std::string("\n  ") +
              nlohmann::json(name).dump() + ": " + nlohmann::json(value).dump();
    return "{" + text + "\n }";
  };
  return "{\n \"tool\": " + nlohmann::json(record.tool).dump() +
         ",\n \"suites\": " + lines(record.suites) +
         ",\n \"killers\": " + lines(record.killers) + "\n}\n";
}

KillCount CountKills(const KillRecord& record,
                     const std::map<std::string, std::string>& suites) {
  KillCount count;
  count.saboteurs = record.killers.size();
  for (const auto& [suite, digest] : suites) {
    const auto found = record.suites.find(suite);
    if (found == record.suites.end() || found->second != digest)
      count.changed.push_back(suite);
  }
  for (const auto& [saboteur, killers] : record.killers)
    count.killed += std::any_of(killers.begin(), killers.end(), [&](const auto& killer) {
      return suites.contains(killer);
    });
  return count;
}

}  // namespace qconform
