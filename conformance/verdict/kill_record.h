// Which suites kill which backend with a planted fault: what `./dev saboteurs` found and
// datasets/kill_table.json keeps, so that a run can say what its suites have caught.
#ifndef QCONFORM_CONFORMANCE_VERDICT_KILL_RECORD_H_
#define QCONFORM_CONFORMANCE_VERDICT_KILL_RECORD_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace qconform {

struct KillRecord {
  std::string tool;                           // "qconform 0.1.0", which found it
  std::map<std::string, std::string> suites;  // SHA-256 of each one's file
  // By saboteur, the suites whose smoke tier kills it. Sound ones are not in it.
  std::map<std::string, std::set<std::string>> killers;
};

// Throws InputError.
KillRecord ReadKillRecord(const std::filesystem::path& file);
std::string KillRecordJson(const KillRecord& record);

struct KillCount {
  size_t killed = 0;  // by any of the suites
  size_t saboteurs = 0;
  std::vector<std::string> changed;  // suites that are not those of the record
};

// `suites`: SHA-256 of the file of each suite that was run, by name.
KillCount CountKills(const KillRecord& record,
                     const std::map<std::string, std::string>& suites);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_KILL_RECORD_H_
