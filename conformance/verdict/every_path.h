// One case on every code path of a backend, which must give the same bits.
#ifndef QCONFORM_CONFORMANCE_VERDICT_EVERY_PATH_H_
#define QCONFORM_CONFORMANCE_VERDICT_EVERY_PATH_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/verdict/case_source.h"

namespace qconform {

// Names that QCONFORM_ISA may have on this machine's architecture, slowest first, and
// whether the machine can run them; `facts` as MachineFacts gives them.
struct PathOnMachine {
  std::string name;
  bool can_run = false;
};
std::vector<PathOnMachine> PathsOf(const std::map<std::string, std::string>& facts);

// A target for each path; answers as the first of them does.
class EveryPath : public CallTarget {
 public:
  using Targets = std::vector<std::pair<std::string, std::unique_ptr<CallTarget>>>;
  // Precondition: at least one.
  explicit EveryPath(Targets targets) : targets_(std::move(targets)) {}

  const LoadedBackend& Load() override { return targets_.front().second->Load(); }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode mode) override {
    return targets_.front().second->Call(call, mode);
  }
  const Targets& targets() const { return targets_; }

 private:
  Targets targets_;
};

// The case on every path of a subject whose target is an EveryPath. Where the paths
// disagree the verdict is PATHS_DISAGREE; else it is the worst one. The record's path
// says which agree: "sse41=avx2", "sse41=avx2 != avx512vnni". A path that refuses or runs
// as another one does not count.
CaseSource OnEveryPath(CaseSource source);

// Of the records of one case, by path. Precondition: at least one.
CaseRecord CombinePaths(std::vector<std::pair<std::string, CaseRecord>> records);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_EVERY_PATH_H_
