// Which suites kill which backend with a planted fault, as `./dev saboteurs` recorded it.
#ifndef QCONFORM_REPORTS_KILL_TABLE_H_
#define QCONFORM_REPORTS_KILL_TABLE_H_

#include <map>
#include <set>
#include <string>

namespace qconform {

struct KillTable {
  std::string tool;                                      // which found it
  std::map<std::string, std::string> suites;             // SHA-256 of each one's file
  std::map<std::string, std::set<std::string>> killers;  // of each saboteur
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_KILL_TABLE_H_
