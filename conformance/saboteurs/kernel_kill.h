// Which cases kill a backend with a planted fault.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict/session.h"

namespace qconform {

// A line of faults.inc.
struct KernelFault {
  const char* name = "";
  std::string_view verdict;
  std::string_view cause;
  std::string_view number;  // of the public case that it stands for, or ""
  const char* text = "";

  // An honest backend, whatever it does besides.
  bool sound() const { return verdict == "PASS" || verdict == "PASS_SCHEME"; }
};

std::span<const KernelFault> KernelFaults();

// The smoke tier of every suite, a committed golden, whose data are real ones, and what
// the saboteurs' config asks for by itself. Built once.
const std::vector<CaseSource>& KillCases();

enum class Patience {
  kAll,          // every case
  kUntilKilled,  // cases from here and there in the list, until one kills
};

// KillCases on the saboteur; those that hang get no more than two of them.
SessionResult RunSaboteur(const KernelFault& fault, Patience patience);

// What is wrong with the verdicts that a saboteur got, in one line; "" for nothing. It
// must get its own verdict and, beside that, only PASS and REFUSED, and its cause.
std::string KillObjection(const KernelFault& fault, const SessionResult& result);

// Which of the faults that stand for public cases each fill kills by itself.
class FillTally {
 public:
  void Add(const KernelFault& fault, const std::vector<CaseRecord>& records);
  const std::map<std::string, std::set<std::string>>& killed() const { return killed_; }
  // Traps that kill none of them. uniform is no trap.
  std::vector<std::string> IdleTraps() const;

 private:
  std::map<std::string, std::set<std::string>> killed_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_
