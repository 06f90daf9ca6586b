// Which faults each fill catches, and by its data alone.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_FILL_TALLY_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_FILL_TALLY_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/saboteurs/kernel_kill.h"

namespace qconform {

struct FillKills {
  // Faults that stand for public cases, each with the id of a case of this fill.
  std::map<std::string, std::string> all;
  // Of these where the same case with uniform data passes: the fill is what caught it.
  std::map<std::string, std::string> by_data;
};

class FillTally {
 public:
  // `passes_with_uniform`: of a case's id; asked until one does, for each fill.
  void Add(const KernelFault& fault, const std::vector<CaseRecord>& records,
           const std::function<bool(const std::string&)>& passes_with_uniform);
  const std::map<std::string, FillKills>& kills() const { return kills_; }
  // Traps that catch none of the faults. uniform is no trap.
  std::vector<std::string> IdleTraps() const;
  // Traps of which every kill is one of uniform data in the same case as well.
  std::vector<std::string> ReplaceableTraps() const;

 private:
  std::map<std::string, FillKills> kills_;
};

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_FILL_TALLY_H_
