// Which cases kill a backend with a planted fault.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/host/worker.h"
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

// Only these cases.
SessionResult RunCases(const KernelFault& fault, const std::vector<CaseSource>& cases);

// What is wrong with the verdicts that a saboteur got, in one line; "" for nothing. It
// must get its own verdict and, beside that, only PASS and REFUSED, and its cause.
std::string KillObjection(const KernelFault& fault, const SessionResult& result);

// Runs the plain twins (plain_twin.h) of cases that a saboteur failed.
class PlainRuns {
 public:
  explicit PlainRuns(const KernelFault& fault);
  // Whether the saboteur passes the same case with uniform data: then only its own data
  // have caught the fault. False where the case has no twin.
  bool Pass(const std::string& id);

 private:
  Worker worker_;
  BackendIdentity identity_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_
