// Which cases kill a backend with a planted fault.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_

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
  const char* text = "";

  // An honest backend, whatever it does besides.
  bool sound() const { return verdict == "PASS" || verdict == "PASS_SCHEME"; }
};

std::span<const KernelFault> KernelFaults();

// The smoke tier of every suite, and the small cases of first_light. Built once.
const std::vector<CaseSource>& KillCases();

// KillCases on the saboteur; those that hang get no more than two of them.
SessionResult RunSaboteur(const KernelFault& fault);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_KERNEL_KILL_H_
